package admission

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/given"
)

// mutatingPolicies are the given MutatingAdmissionPolicies, run by upstream's
// dispatcher.
type mutatingPolicies struct {
	policies[*v1.MutatingAdmissionPolicy, *v1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator]
}

var _ admission.MutationInterface = (*mutatingPolicies)(nil)

func newMutatingPolicies(given *given.Objects, served servedKinds) *mutatingPolicies {
	p := &mutatingPolicies{newPolicies[*v1.MutatingAdmissionPolicy, *v1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator](given, served, "MutatingAdmissionPolicy")}
	p.policy, p.binding = mutating.NewMutatingAdmissionPolicyAccessor, mutating.NewMutatingAdmissionPolicyBindingAccessor
	p.expressions = mutatingExpressions
	p.compile = func(policy *v1.MutatingAdmissionPolicy) mutating.PolicyEvaluator {
		return compileMutating(policy, newDiscretion(given.Disguise, mutatingExpressions(policy)))
	}
	from := given.Informers.Admissionregistration().V1()
	p.listPolicies, p.listBindings = from.MutatingAdmissionPolicies().Lister().List, from.MutatingAdmissionPolicyBindings().Lister().List
	return p
}

// Handles implements admission.Interface: a delete has no object to change.
func (*mutatingPolicies) Handles(operation admission.Operation) bool {
	return operation != admission.Delete
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
		switch {
		case m.PatchType == v1.PatchTypeJSONPatch && m.JSONPatch != nil:
			expression := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
			patcher := patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(expression, declared, environment.StoredExpressions))
			patchers = append(patchers, &discreetPatcher{patcher, d})
		case m.PatchType == v1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			expression := &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
			patcher := patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(expression, declared, environment.StoredExpressions))
			patchers = append(patchers, &discreetPatcher{patcher, d})
		}
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
