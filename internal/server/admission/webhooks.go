package admission

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/informers"
	"k8s.io/utils/ptr"

	"github.com/ssactl/ssactl/internal/server/given"
)

// webhooks are those of the given configurations of one kind. None is called:
// upstream's code says which a server would call, and they are named.
type webhooks struct {
	given *given.Objects
	kind  schema.GroupKind
	// mutating ones are asked before the object is validated, the others behind
	// ValidatingAdmissionPolicies.
	mutating bool
	// list gives all, in the order of their configurations' names, as a server calls them.
	list func() []webhook.WebhookAccessor
	// upstream decides which are called.
	upstream func() (*generic.Webhook, error)

	mu    sync.Mutex
	known int
	hooks []webhook.WebhookAccessor
}

var (
	_ admission.MutationInterface   = (*webhooks)(nil)
	_ admission.ValidationInterface = (*webhooks)(nil)
)

func newMutatingWebhooks(given *given.Objects) *webhooks {
	from := given.Informers.Admissionregistration().V1().MutatingWebhookConfigurations().Lister()
	return newWebhooks(given, "MutatingWebhookConfiguration", true, func() (hooks []webhook.WebhookAccessor) {
		for _, c := range sortedByName(everything(from.List)) {
			for i := range c.Webhooks {
				hooks = append(hooks, webhook.NewMutatingWebhookAccessor(fmt.Sprintf("%s/%d", c.Name, i), c.Name, &c.Webhooks[i]))
			}
		}
		return hooks
	})
}

func newValidatingWebhooks(given *given.Objects) *webhooks {
	from := given.Informers.Admissionregistration().V1().ValidatingWebhookConfigurations().Lister()
	return newWebhooks(given, "ValidatingWebhookConfiguration", false, func() (hooks []webhook.WebhookAccessor) {
		for _, c := range sortedByName(everything(from.List)) {
			for i := range c.Webhooks {
				hooks = append(hooks, webhook.NewValidatingWebhookAccessor(fmt.Sprintf("%s/%d", c.Name, i), c.Name, &c.Webhooks[i]))
			}
		}
		return hooks
	})
}

func newWebhooks(given *given.Objects, kind string, mutating bool, list func() []webhook.WebhookAccessor) *webhooks {
	return &webhooks{
		given: given, kind: schema.GroupKind{Group: v1.GroupName, Kind: kind}, mutating: mutating, list: list,
		upstream: sync.OnceValues(func() (*generic.Webhook, error) { return newCaller(given) }),
	}
}

// newCaller is upstream's plug-in without anything to call.
func newCaller(given *given.Objects) (*generic.Webhook, error) {
	caller, err := generic.NewWebhook(admission.NewHandler(), io.Reader(nil),
		func(informers.SharedInformerFactory, sets.Set[schema.GroupResource]) generic.Source { return nil },
		func(*webhookutil.ClientManager) generic.Dispatcher { return nil })
	if err != nil {
		return nil, err
	}
	caller.SetExternalKubeClientSet(presumingClients(given, presumedNamespace))
	caller.SetExternalKubeInformerFactory(given.Informers)
	caller.SetUnconditionalAuthorizer(requesterOnly{record: &Record{}})
	return caller, nil
}

func (w *webhooks) all() []webhook.WebhookAccessor {
	known := w.given.Known(w.kind)
	if known == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if known != w.known {
		w.known, w.hooks = known, w.list()
	}
	return w.hooks
}

// Handles implements admission.Interface.
func (*webhooks) Handles(admission.Operation) bool { return true }

// Admit notes which mutating webhooks a server would call.
func (w *webhooks) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if !w.mutating {
		return nil
	}
	return w.name(ctx, a, o, "change or refuse")
}

// Validate notes which validating webhooks a server would call.
func (w *webhooks) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if w.mutating {
		return nil
	}
	return w.name(ctx, a, o, "refuse")
}

// name notes which webhooks a server would call, and what they may do to the object. An
// error is the server's, where a match condition cannot be evaluated.
func (w *webhooks) name(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces, may string) error {
	hooks := w.all()
	if len(hooks) == 0 || !judgedByWebhooks(a) {
		return nil
	}
	record := RecordIn(ctx)
	as := versions{a, o, map[schema.GroupVersionKind]*admission.VersionedAttributes{}}
	for _, hook := range hooks {
		if !rulesMayMatch(hook, a.GetResource().GroupResource(), a.GetOperation()) {
			continue
		}
		called, condition, err := w.called(ctx, hook, as)
		if err != nil {
			return err
		}
		if called {
			record.note(
				fmt.Sprintf(
					"The server would call the webhook %q of %s %q%s: it may %s the object (failurePolicy %s, sideEffects %s).",
					hook.GetName(), w.kind.Kind, hook.GetConfigurationName(), condition, may,
					ptr.Deref(hook.GetFailurePolicy(), v1.Fail),
					ptr.Deref(hook.GetSideEffects(), v1.SideEffectClassUnknown),
				),
			)
		}
	}
	return nil
}

// mayCall reports whether any webhook may be called for a resource, whatever the object.
func (w *webhooks) mayCall(resource schema.GroupResource, operation admission.Operation) bool {
	return slices.ContainsFunc(
		w.all(),
		func(hook webhook.WebhookAccessor) bool { return rulesMayMatch(hook, resource, operation) },
	)
}

func rulesMayMatch(hook webhook.WebhookAccessor, resource schema.GroupResource, operation admission.Operation) bool {
	return slices.ContainsFunc(
		hook.GetRules(),
		func(rule v1.RuleWithOperations) bool { return ruleMayMatch(rule, resource, operation) },
	)
}

// Where it cannot be known whether a webhook is called, it is on a condition.
const (
	ifLabels = ", if the Namespace, which was not given, has the labels that it selects by"
	ifAsker  = ", if its match conditions hold for who asks"
)

// called reports whether a webhook is called, and on which condition.
func (w *webhooks) called(ctx context.Context, hook webhook.WebhookAccessor, as versions) (bool, string, error) {
	caller, err := w.upstream()
	if err != nil {
		return false, "", err
	}
	a := as.attributes
	condition := ""
	if a.GetNamespace() != "" && asksLabels(hook.GetNamespaceSelector()) && !w.given.KnowsNamespace(a) {
		hook, condition = anywhere{hook}, ifLabels
	}
	if conditions := hook.GetMatchConditions(); len(conditions) > 0 &&
		askedBy(conditionExpressions(conditions, nil)).requester {
		hook, condition = anyone{hook}, condition+ifAsker
	}
	invocation, status := caller.ShouldCallHook(ctx, hook, a, as.objects, as)
	switch {
	case status == nil && invocation != nil && invocation.Kind != a.GetKind():
		// As the dispatcher does before it calls.
		if _, err := as.VersionedAttribute(invocation.Kind); err != nil {
			return false, "", apierrors.NewInternalError(err)
		}
		return true, condition, nil
	case status == nil:
		return invocation != nil, condition, nil
	case condition != "":
		return true, condition, nil
	}
	return false, "", status
}

type anywhere struct{ webhook.WebhookAccessor }

func (anywhere) GetParsedNamespaceSelector() (labels.Selector, error) {
	return labels.Everything(), nil
}

type anyone struct{ webhook.WebhookAccessor }

func (anyone) GetMatchConditions() []v1.MatchCondition { return nil }

// versions converts the object of a request to the versions that rules name, once each.
type versions struct {
	attributes admission.Attributes
	objects    admission.ObjectInterfaces
	known      map[schema.GroupVersionKind]*admission.VersionedAttributes
}

func (v versions) VersionedAttribute(kind schema.GroupVersionKind) (*admission.VersionedAttributes, error) {
	if known := v.known[kind]; known != nil {
		return known, nil
	}
	converted, err := admission.NewVersionedAttributes(v.attributes, kind, v.objects)
	if err == nil {
		v.known[kind] = converted
	}
	return converted, err
}
