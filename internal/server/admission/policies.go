package admission

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/given"
)

// policies are the given policies of one kind with their bindings, as upstream's source of
// policies gives them (apiserver, admission/plugin/policy/generic), but sorted by name.
// Each is compiled when it first matches a request.
type policies[P, B runtime.Object, E any] struct {
	given  *given.Objects
	served servedKinds
	// policyKind and bindingKind are those that have to be given.
	policyKind, bindingKind schema.GroupKind
	policyType[P, B, E]

	mu    sync.Mutex
	known int
	bound []*boundPolicy[P, B, E]
	// unread counts policies that cannot be read: it is not known what they match.
	unread int
}

// policyType is what is specific to a kind of policies.
type policyType[P, B runtime.Object, E any] struct {
	// listPolicies and listBindings give all of them.
	listPolicies func(labels.Selector) ([]P, error)
	listBindings func(labels.Selector) ([]B, error)
	// policy and binding give what all kinds of policies have in common.
	policy  func(P) generic.PolicyAccessor
	binding func(B) generic.BindingAccessor
	compile func(P, discretion) E
	// expressions are all that a policy evaluates.
	expressions func(P) []string
}

// newPolicies are policies of a kind, with the bindings of that kind's name.
func newPolicies[P, B runtime.Object, E any](
	given *given.Objects,
	served servedKinds,
	kind string,
	of policyType[P, B, E],
) policies[P, B, E] {
	return policies[P, B, E]{
		given: given, served: served, policyType: of,
		policyKind:  schema.GroupKind{Group: v1.GroupName, Kind: kind},
		bindingKind: schema.GroupKind{Group: v1.GroupName, Kind: kind + "Binding"},
	}
}

// Handles implements admission.Interface.
func (*policies[P, B, E]) Handles(admission.Operation) bool { return true }

// servedKinds says how kinds are served.
type servedKinds interface {
	Resource(schema.GroupVersionKind) api.Resource
	// TypeConverter gives nil for a kind that is not served.
	TypeConverter(schema.GroupVersionKind) managedfields.TypeConverter
}

type boundPolicy[P, B runtime.Object, E any] struct {
	policy   P
	accessor generic.PolicyAccessor
	bindings []B
	// evaluator compiles the policy once.
	evaluator func() E
	// asks says what of the cluster its expressions ask for.
	asks func() asked
}

// exempt are the resources that no policy judges: those that are not stored, and
// policies themselves.
var exempt = sets.New(append(exclusion.Excluded(),
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"},
)...)

// inForce are the policies that have bindings, sorted by name, and the number of
// those that cannot be read.
func (s *policies[P, B, E]) inForce() ([]*boundPolicy[P, B, E], int) {
	known := s.given.Known(s.policyKind)
	if known == 0 {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known += s.given.Known(s.bindingKind); known != s.known {
		s.known, s.bound = known, s.bind()
	}
	return s.bound, s.unread
}

func (s *policies[P, B, E]) bind() []*boundPolicy[P, B, E] {
	policies, bindings := everything(s.listPolicies), everything(s.listBindings)
	s.unread = s.given.Unread(s.policyKind) + s.given.Unread(s.bindingKind)
	byPolicy := map[string][]B{}
	for _, b := range sortedByName(bindings) {
		name := s.binding(b).GetPolicyName().Name
		byPolicy[name] = append(byPolicy[name], b)
	}
	var bound []*boundPolicy[P, B, E]
	for _, p := range sortedByName(policies) {
		accessor := s.policy(p)
		if len(byPolicy[accessor.GetName()]) == 0 {
			continue
		}
		bound = append(bound, &boundPolicy[P, B, E]{
			policy: p, accessor: accessor, bindings: byPolicy[accessor.GetName()],
			asks: sync.OnceValue(func() asked { return askedBy(s.expressions(p)) }),
			evaluator: sync.OnceValue(func() E {
				if s.given.Disguise == nil {
					return s.compile(p, discretion{})
				}
				return s.compile(p, discretion{s.given.Disguise, otherWorlds(literalsOf(s.expressions(p)))})
			}),
		})
	}
	return bound
}

func sortedByName[O runtime.Object](objects []O) []O {
	name := func(o O) string {
		accessor, err := meta.Accessor(o)
		if err != nil {
			return ""
		}
		return accessor.GetName()
	}
	return slices.SortedFunc(slices.Values(objects), func(a, b O) int { return strings.Compare(name(a), name(b)) })
}

// everything is all that a lister has. Listers over memory give no errors.
func everything[O any](list func(labels.Selector) ([]O, error)) []O {
	all, _ := list(labels.Everything())
	return all
}

// matching are the policies that match what is asked for, and that as they see it;
// nothing where no policies are given.
func (s *policies[P, B, E]) matching(
	ctx context.Context,
	a admission.Attributes,
	o admission.ObjectInterfaces,
) (*policyRequest, []generic.PolicyHook[P, B, E]) {
	if bound, unread := s.inForce(); len(bound)+unread == 0 {
		return nil, nil
	}
	r := newPolicyRequest(ctx, s.given, a, o)
	return r, s.hooks(r)
}

// hooks are the policies that match a request, compiled. What of the answer is
// not sure with them is noted.
func (s *policies[P, B, E]) hooks(r *policyRequest) []generic.PolicyHook[P, B, E] {
	if exempt.Has(r.GetResource().GroupResource()) {
		return nil
	}
	bound, unread := s.inForce()
	if unread > 0 {
		r.record.note(fmt.Sprintf("A given %s or its binding could not be read, and was not run.", s.policyKind.Kind))
	}
	var hooks []generic.PolicyHook[P, B, E]
	for _, p := range bound {
		label := s.label(p)
		if !r.matches(label, p.accessor.GetMatchConstraints()) {
			continue
		}
		hook := generic.PolicyHook[P, B, E]{Policy: p.policy}
		for _, b := range p.bindings {
			if r.matches(label, s.binding(b).GetMatchResources()) {
				hook.Bindings = append(hook.Bindings, b)
			}
		}
		if len(hook.Bindings) == 0 || !s.addParams(r, p, &hook) {
			continue
		}
		asks := p.asks()
		if asks.requester && r.GetUserInfo() == exchange.Requester {
			r.record.note(label + " depends on the user; answered as a cluster administrator.")
		}
		if asks.namespace && r.GetNamespace() != "" && !r.given.KnowsNamespace(r) {
			r.record.note(label + " asks for the Namespace, which was not given: assumed to have only its name.")
		}
		hook.Evaluator = p.evaluator()
		hooks = append(hooks, hook)
	}
	return hooks
}

func (s *policies[P, B, E]) label(p *boundPolicy[P, B, E]) string {
	return fmt.Sprintf("%s %q", s.policyKind.Kind, p.accessor.GetName())
}

// mayMatch reports whether a policy may match requests for a resource, whatever the object.
func (s *policies[P, B, E]) mayMatch(resource schema.GroupResource, operation admission.Operation) bool {
	bound, unread := s.inForce()
	return !exempt.Has(resource) && (unread > 0 || slices.ContainsFunc(bound, func(p *boundPolicy[P, B, E]) bool {
		constraints := p.accessor.GetMatchConstraints()
		return constraints == nil ||
			slices.ContainsFunc(constraints.ResourceRules, func(rule v1.NamedRuleWithOperations) bool {
				return ruleMayMatch(rule.RuleWithOperations, resource, operation)
			})
	}))
}

// ruleMayMatch ignores the version, and takes the events of both groups as equivalent,
// since they share a storage.
func ruleMayMatch(rule v1.RuleWithOperations, resource schema.GroupResource, operation admission.Operation) bool {
	has := func(list []string, name string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, name)
	}
	return (slices.Contains(rule.Operations, v1.OperationAll) ||
		slices.Contains(rule.Operations, v1.OperationType(operation))) &&
		(has(rule.APIGroups, resource.Group) || resource.Resource == "events") &&
		slices.ContainsFunc(rule.Resources, func(r string) bool {
			main, _, _ := strings.Cut(r, "/")
			return main == "*" || main == resource.Resource
		})
}

// addParams adds to a hook where its parameters are looked up; false where that
// cannot be known, as nothing given defines their kind.
func (s *policies[P, B, E]) addParams(
	r *policyRequest,
	p *boundPolicy[P, B, E],
	hook *generic.PolicyHook[P, B, E],
) bool {
	paramKind := p.accessor.GetParamKind()
	if paramKind == nil {
		return true
	}
	kind := schema.FromAPIVersionAndKind(paramKind.APIVersion, paramKind.Kind)
	resource := s.served.Resource(kind)
	if !resource.Known && legacyscheme.Scheme.IsGroupRegistered(kind.Group) {
		// No definition adds to the server's own groups.
		hook.ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
		return true
	}
	if !resource.Known {
		r.record.note(
			fmt.Sprintf(
				"%s takes parameters of the kind %s, which nothing given defines: it was not run.",
				s.label(p),
				kind.GroupKind(),
			),
		)
		return false
	}
	hook.ParamInformer = s.given.ParamInformer(kind, kind.GroupVersion().WithResource(resource.Resource))
	hook.ParamScope = meta.RESTScopeRoot
	if resource.Namespaced {
		hook.ParamScope = meta.RESTScopeNamespace
	}
	if s.misses(p, hook, r.GetNamespace()) {
		r.record.note(
			fmt.Sprintf(
				"%s takes parameters of the kind %s, and none that a binding refers to was given: taken as there being none.",
				s.label(p),
				kind.GroupKind(),
			),
		)
	}
	return true
}

// misses reports whether a binding refers to parameters and none of them was given.
func (s *policies[P, B, E]) misses(p *boundPolicy[P, B, E], hook *generic.PolicyHook[P, B, E], namespace string) bool {
	return slices.ContainsFunc(hook.Bindings, func(b B) bool {
		ref := s.binding(b).GetParamRef()
		if ref == nil {
			return false
		}
		sought := *ref
		sought.ParameterNotFoundAction = nil
		// An error is a reference that no object can meet.
		found, err := generic.CollectParams(
			p.accessor.GetParamKind(),
			hook.ParamInformer,
			hook.ParamScope,
			&sought,
			namespace,
			nil,
			nil,
		)
		return err == nil && len(found) == 0
	})
}
