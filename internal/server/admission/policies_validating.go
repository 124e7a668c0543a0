package admission

import (
	"context"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"

	"github.com/ssactl/ssactl/internal/server/given"
)

// validatingPolicies are the given ValidatingAdmissionPolicies, judged by
// upstream's dispatcher.
type validatingPolicies struct {
	policies[*v1.ValidatingAdmissionPolicy, *v1.ValidatingAdmissionPolicyBinding, validating.Validator]
}

var _ admission.ValidationInterface = (*validatingPolicies)(nil)

func newValidatingPolicies(given *given.Objects, served servedKinds) *validatingPolicies {
	p := &validatingPolicies{newPolicies[*v1.ValidatingAdmissionPolicy, *v1.ValidatingAdmissionPolicyBinding, validating.Validator](given, served, "ValidatingAdmissionPolicy")}
	p.policy, p.binding = validating.NewValidatingAdmissionPolicyAccessor, validating.NewValidatingAdmissionPolicyBindingAccessor
	p.expressions = validatingExpressions
	p.compile = func(policy *v1.ValidatingAdmissionPolicy) validating.Validator {
		return compileValidating(policy, newDiscretion(given.Disguise, validatingExpressions(policy)))
	}
	from := given.Informers.Admissionregistration().V1()
	p.listPolicies, p.listBindings = from.ValidatingAdmissionPolicies().Lister().List, from.ValidatingAdmissionPolicyBindings().Lister().List
	return p
}

// Handles implements admission.Interface.
func (*validatingPolicies) Handles(admission.Operation) bool { return true }

// Validate refuses what a policy refuses.
func (p *validatingPolicies) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	r, hooks := p.matching(ctx, a, o)
	if len(hooks) == 0 {
		return nil
	}
	dispatcher := validating.NewDispatcher(r.allow, generic.NewPolicyMatcher(r.matcher))
	err := dispatcher.Dispatch(ctx, a, o, hooks)
	if err != nil {
		r.record.Denials = denials(hooks, func(hook validating.PolicyHook) error {
			return dispatcher.Dispatch(warning.WithWarningRecorder(ctx, unheard{}), a, o, []validating.PolicyHook{hook})
		})
	}
	return err
}

// compileValidating puts together what evaluates a policy
// (apiserver, admission/plugin/policy/validating/plugin.go). Messages may not
// ask the authorizer.
func compileValidating(policy *v1.ValidatingAdmissionPolicy, d discretion) validating.Validator {
	spec := policy.Spec
	compiler, err := newPolicyCompiler(policy.Name, spec.ParamKind != nil, spec.FailurePolicy, spec.Variables, d)
	if err != nil {
		return validating.NewValidator(nil, nil, nil, nil, spec.FailurePolicy, err)
	}
	conditions := make([]cel.ExpressionAccessor, len(spec.Validations))
	messages := make([]cel.ExpressionAccessor, len(spec.Validations))
	for i, v := range spec.Validations {
		conditions[i] = &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
		if v.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	annotations := make([]cel.ExpressionAccessor, len(spec.AuditAnnotations))
	for i, a := range spec.AuditAnnotations {
		annotations[i] = &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
	}
	silent := cel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil}
	matcher := compiler.matcher(spec.MatchConditions)
	told := compiler.CompileCondition(messages, silent, environment.StoredExpressions)
	validator := validating.NewValidator(
		compiler.CompileCondition(conditions, compiler.declared, environment.StoredExpressions),
		matcher,
		compiler.CompileCondition(annotations, compiler.declared, environment.StoredExpressions),
		told, spec.FailurePolicy, nil)
	return &discreetValidator{validator, d, told}
}

func validatingExpressions(policy *v1.ValidatingAdmissionPolicy) []string {
	all := conditionExpressions(policy.Spec.MatchConditions, policy.Spec.Variables)
	for _, v := range policy.Spec.Validations {
		all = append(all, v.Expression, v.MessageExpression)
	}
	for _, a := range policy.Spec.AuditAnnotations {
		all = append(all, a.ValueExpression)
	}
	return all
}
