package admission

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/given"
)

// mutatingPolicies are the given MutatingAdmissionPolicies, run by upstream's dispatcher.
type mutatingPolicies struct {
	policies[*v1.MutatingAdmissionPolicy, *v1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator]
}

var _ admission.MutationInterface = (*mutatingPolicies)(nil)

func newMutatingPolicies(given *given.Objects, served servedKinds) *mutatingPolicies {
	from := given.Informers.Admissionregistration().V1()
	return &mutatingPolicies{
		newPolicies(
			given,
			served,
			"MutatingAdmissionPolicy",
			policyType[*v1.MutatingAdmissionPolicy, *v1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator]{
				listPolicies: from.MutatingAdmissionPolicies().Lister().List,
				listBindings: from.MutatingAdmissionPolicyBindings().Lister().List,
				policy:       mutating.NewMutatingAdmissionPolicyAccessor,
				binding:      mutating.NewMutatingAdmissionPolicyBindingAccessor,
				compile:      compileMutating, expressions: mutatingExpressions,
			},
		),
	}
}

// Admit changes what a policy changes.
func (p *mutatingPolicies) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	r, hooks := p.matching(ctx, a, o)
	if len(hooks) == 0 {
		return nil
	}
	if !utilfeature.DefaultFeatureGate.Enabled(features.MutatingAdmissionPolicy) {
		r.record.note("MutatingAdmissionPolicies are off by default in this release: those that match were not run.")
		return nil
	}
	types := policyTypes{p.served}
	before := a.GetObject().DeepCopyObject()
	if err := mutating.NewDispatcher(r.allow, r.matcher, types).Dispatch(ctx, a, o, hooks); err != nil {
		return err
	}
	if fields := types.changedFields(before, a.GetObject(), a, o); len(fields) > 0 {
		r.record.Changes = append(r.record.Changes, api.AdmissionChange{Plugin: mutating.PluginName, Fields: fields})
	}
	return nil
}

// compileMutating puts together what evaluates a policy
// (apiserver, admission/plugin/policy/mutating/compilation.go).
func compileMutating(policy *v1.MutatingAdmissionPolicy, d discretion) mutating.PolicyEvaluator {
	spec := policy.Spec
	compiler, err := newPolicyCompiler(policy.Name, spec.ParamKind != nil, spec.FailurePolicy, spec.Variables, d)
	if err != nil {
		return mutating.PolicyEvaluator{Error: &apiservercel.Error{Type: apiservercel.ErrorTypeInternal, Detail: err.Error()}}
	}
	declared := compiler.declared
	declared.HasPatchTypes = true
	matcher := compiler.matcher(spec.MatchConditions)
	var patchers []patch.Patcher
	for _, m := range spec.Mutations {
		var patcher patch.Patcher
		switch {
		case m.PatchType == v1.PatchTypeJSONPatch && m.JSONPatch != nil:
			expression := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
			patcher = patch.NewJSONPatcher(
				compiler.CompileMutatingEvaluator(expression, declared, environment.StoredExpressions),
			)
		case m.PatchType == v1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			expression := &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
			patcher = patch.NewApplyConfigurationPatcher(
				compiler.CompileMutatingEvaluator(expression, declared, environment.StoredExpressions),
			)
		default:
			continue
		}
		patchers = append(patchers, &discreetPatcher{patcher, d})
	}
	return mutating.PolicyEvaluator{Matcher: matcher, Mutators: patchers, CompositedCompiler: compiler.CompositedCompiler}
}

func mutatingExpressions(policy *v1.MutatingAdmissionPolicy) []string {
	all := conditionExpressions(policy.Spec.MatchConditions, policy.Spec.Variables)
	for _, m := range policy.Spec.Mutations {
		if m.JSONPatch != nil {
			all = append(all, m.JSONPatch.Expression)
		}
		if m.ApplyConfiguration != nil {
			all = append(all, m.ApplyConfiguration.Expression)
		}
	}
	return all
}

// policyTypes are the merge types by which apply configurations of policies are
// merged. A server reads them from its OpenAPI documents.
type policyTypes struct{ servedKinds }

var _ patch.TypeConverterManager = policyTypes{}

// GetTypeConverter gives nil for a kind that is not served.
func (t policyTypes) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	return t.TypeConverter(kind)
}

// Run has nothing to do: the types are there from the beginning.
func (policyTypes) Run(context.Context) {}

// changedFields are the fields in which two objects of a kind differ, sorted;
// nil where they cannot be compared.
func (t policyTypes) changedFields(
	before, after runtime.Object,
	a admission.Attributes,
	o admission.ObjectInterfaces,
) []string {
	converter := t.GetTypeConverter(a.GetKind())
	if converter == nil {
		return nil
	}
	as := func(object runtime.Object) (*typed.TypedValue, error) {
		if _, tree := object.(*unstructured.Unstructured); !tree {
			versioned, err := o.GetObjectConvertor().ConvertToVersion(object, a.GetKind().GroupVersion())
			if err != nil {
				return nil, err
			}
			object = versioned
		}
		return converter.ObjectToTyped(object, typed.AllowDuplicates)
	}
	old, err := as(before)
	if err != nil {
		return nil
	}
	changed, err := as(after)
	if err != nil {
		return nil
	}
	difference, err := old.Compare(changed)
	if err != nil {
		return nil
	}
	var fields []string
	difference.Added.Union(difference.Modified).Union(difference.Removed).Iterate(func(p fieldpath.Path) {
		fields = append(fields, p.String())
	})
	return fields
}
