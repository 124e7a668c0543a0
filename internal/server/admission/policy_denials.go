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
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ssactl/ssactl/internal/server/api"
)

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
			for _, said := range append([]string{denialOf(err)}, heard.denials(binding)...) {
				if !slices.Contains(out, said) {
					out = append(out, said)
				}
			}
		}
	}
	return out
}

// denialOf is the denial that an error of the dispatcher names.
func denialOf(err error) string {
	var status *apierrors.StatusError
	if errors.As(err, &status) && status.ErrStatus.Details != nil && len(status.ErrStatus.Details.Causes) > 0 {
		return status.ErrStatus.Details.Causes[0].Message
	}
	return err.Error()
}

// hearing is a Validator that keeps what it says.
type hearing struct {
	validating.Validator
	results []validating.ValidateResult
}

// Validate keeps the result.
func (h *hearing) Validate(ctx context.Context, resource schema.GroupVersionResource, attributes *admission.VersionedAttributes, params runtime.Object, namespace *corev1.Namespace, budget int64, authz authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	result := h.Validator.Validate(ctx, resource, attributes, params, namespace, budget, authz)
	h.results = append(h.results, result)
	return result
}

// denials are those of a binding (apiserver, admission/plugin/policy/validating,
// dispatcher.go): of its validations where it denies, and of audit annotations that fail.
func (h *hearing) denials(binding *v1.ValidatingAdmissionPolicyBinding) []string {
	var out []string
	say := func(message string) {
		out = append(out, fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", binding.Spec.PolicyName, binding.Name, message))
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

// ConcealDerived masks what an answer says of an object that a policy made from values
// of Secrets: warnings, and why it is refused. What policies say is masked where it is
// said.
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
