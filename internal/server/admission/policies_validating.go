package admission

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/warning"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/given"
)

// validatingPolicies are the given ValidatingAdmissionPolicies, judged by
// upstream's dispatcher.
type validatingPolicies struct {
	policies[*v1.ValidatingAdmissionPolicy, *v1.ValidatingAdmissionPolicyBinding, validating.Validator]
}

var _ admission.ValidationInterface = (*validatingPolicies)(nil)

func newValidatingPolicies(given *given.Objects, served servedKinds) *validatingPolicies {
	from := given.Informers.Admissionregistration().V1()
	return &validatingPolicies{
		newPolicies(
			given,
			served,
			"ValidatingAdmissionPolicy",
			policyType[*v1.ValidatingAdmissionPolicy, *v1.ValidatingAdmissionPolicyBinding, validating.Validator]{
				listPolicies: from.ValidatingAdmissionPolicies().Lister().List,
				listBindings: from.ValidatingAdmissionPolicyBindings().Lister().List,
				policy:       validating.NewValidatingAdmissionPolicyAccessor,
				binding:      validating.NewValidatingAdmissionPolicyBindingAccessor,
				compile:      compileValidating, expressions: validatingExpressions,
			},
		),
	}
}

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

// compileValidating puts together what evaluates a policy (apiserver,
// admission/plugin/policy/validating/plugin.go). Messages may not ask the authorizer.
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

// denials are all that policies have against an object, each in the words in which a
// server names one of them. Each policy is asked again, with one binding at a time.
func denials(hooks []validating.PolicyHook, ask func(validating.PolicyHook) error) []string {
	var out []string
	for _, hook := range hooks {
		for _, binding := range hook.Bindings {
			one := hook
			one.Bindings = []*v1.ValidatingAdmissionPolicyBinding{binding}
			heard := &hearing{Validator: hook.Evaluator}
			one.Evaluator = heard
			err := ask(one)
			if err == nil {
				continue
			}
			first := err.Error()
			if status := (*apierrors.StatusError)(nil); errors.As(err, &status) && status.ErrStatus.Details != nil &&
				len(status.ErrStatus.Details.Causes) > 0 {
				first = status.ErrStatus.Details.Causes[0].Message
			}
			for _, said := range append([]string{first}, heard.denials(binding)...) {
				if !slices.Contains(out, said) {
					out = append(out, said)
				}
			}
		}
	}
	return out
}

// hearing is a Validator that keeps what it says.
type hearing struct {
	validating.Validator
	results []validating.ValidateResult
}

// Validate keeps the result.
func (h *hearing) Validate(
	ctx context.Context,
	resource schema.GroupVersionResource,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
	namespace *corev1.Namespace,
	budget int64,
	authz authorizer.UnconditionalAuthorizer,
) validating.ValidateResult {
	result := h.Validator.Validate(ctx, resource, attributes, params, namespace, budget, authz)
	h.results = append(h.results, result)
	return result
}

// denials are those of a binding (apiserver, admission/plugin/policy/validating,
// dispatcher.go): of its validations where it denies, and of audit annotations that fail.
func (h *hearing) denials(binding *v1.ValidatingAdmissionPolicyBinding) []string {
	var out []string
	say := func(message string) {
		out = append(
			out,
			fmt.Sprintf(
				"ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", binding.Spec.PolicyName,
				binding.Name, message,
			),
		)
	}
	for _, result := range h.results {
		for _, d := range result.Decisions {
			if d.Action == validating.ActionDeny && slices.Contains(binding.Spec.ValidationActions, v1.Deny) {
				say(d.Message)
			}
		}
		for _, a := range result.AuditAnnotations {
			if a.Action == validating.AuditAnnotationActionError {
				say(a.Error)
			}
		}
	}
	return out
}

// unheard are warnings that were sent before.
type unheard struct{}

func (unheard) AddWarning(string, string) {}

// ConcealDerived masks what an answer says of an object that a policy made from values of
// Secrets: warnings, and why it is refused. What policies say is masked where it is said.
func ConcealDerived(r *api.Response) error {
	if len(r.Derived) == 0 {
		return nil
	}
	for i, text := range r.Warnings {
		if !strings.HasPrefix(text, "Validation failed for ValidatingAdmissionPolicy ") {
			r.Warnings[i] = fromSecret
		}
	}
	if r.Code < http.StatusMultipleChoices || len(r.Denials) > 0 {
		return nil
	}
	var status metav1.Status
	if err := json.Unmarshal(r.Body, &status); err != nil {
		return err
	}
	status.Message = fromSecret
	if status.Details != nil {
		status.Details.Causes = nil
	}
	body, err := json.Marshal(status)
	r.Body = body
	return err
}
