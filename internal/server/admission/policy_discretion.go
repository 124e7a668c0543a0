package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ssactl/ssactl/internal/server/api"
)

// discretion keeps a policy from revealing what is in Secrets.
type discretion struct {
	disguise api.Disguise
	worlds   []world
}

// inputs are those of an expression; false where no Secret is among them.
func (d discretion) inputs(
	ctx context.Context,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
) (*inputs, bool) {
	return secretInputs(d.disguise, attributes, params, RecordIn(ctx))
}

// discreetValidator is a Validator whose messages have no values of Secrets.
type discreetValidator struct {
	validating.Validator
	discretion
	// messages are the message expressions, one for each validation.
	messages cel.ConditionEvaluator
}

// verdict is what a policy says of a request, and what its message expressions give,
// one for each validation.
type verdict struct {
	validating.ValidateResult
	messages []string
}

// Validate masks each text that is another one in some other world.
func (v *discreetValidator) Validate(
	ctx context.Context,
	resource schema.GroupVersionResource,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
	namespace *corev1.Namespace,
	budget int64,
	authz authorizer.UnconditionalAuthorizer,
) validating.ValidateResult {
	result := v.Validator.Validate(ctx, resource, attributes, params, namespace, budget, authz)
	denies := func(d validating.PolicyDecision) bool { return d.Action == validating.ActionDeny }
	if len(result.AuditAnnotations) == 0 && !slices.ContainsFunc(result.Decisions, denies) {
		return result // it has no text that may differ
	}
	in, reads := v.inputs(ctx, attributes, params)
	if !reads {
		return result
	}
	said := verdict{result, v.told(ctx, resource, attributes, params, namespace)}
	for _, w := range append([]world{nowhere}, v.worlds...) {
		// Without an answer in a world, nothing is the same there.
		there, _ := api.Guarded(func() (verdict, error) {
			attributes, params := in.as(w)
			return verdict{
				v.Validator.Validate(ctx, resource, attributes, params, namespace, budget, authz),
				v.told(ctx, resource, attributes, params, namespace),
			}, nil
		})
		said.mask(there)
	}
	return said.ValidateResult
}

// mask masks what differs there. An error keeps its own text; any other message is the
// result of its expression, whether or not the validation fails there.
func (v verdict) mask(there verdict) {
	for i := range v.Decisions {
		d, other := &v.Decisions[i], at(there.Decisions, i)
		same := at(v.messages, i) == at(there.messages, i) && i < len(there.messages)
		if d.Evaluation == validating.EvalError {
			same = other.Evaluation == validating.EvalError && other.Message == d.Message
		}
		if d.Action == validating.ActionDeny && !same {
			d.Message = fromSecret
		}
	}
	for i := range v.AuditAnnotations {
		a, other := &v.AuditAnnotations[i], at(there.AuditAnnotations, i)
		if a.Value != other.Value {
			a.Value = fromSecret
		}
		if a.Error != other.Error {
			a.Error = fromSecret
		}
	}
}

// at is an element of a list; empty where it has none.
func at[T any](list []T, i int) (element T) {
	if i < len(list) {
		element = list[i]
	}
	return element
}

// told are the results of the message expressions.
func (v *discreetValidator) told(
	ctx context.Context,
	resource schema.GroupVersionResource,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
	namespace *corev1.Namespace,
) []string {
	request := cel.CreateAdmissionRequest(
		attributes.Attributes,
		metav1.GroupVersionResource(resource),
		metav1.GroupVersionKind(attributes.VersionedKind),
	)
	results, _, err := v.messages.ForInput(
		ctx,
		attributes,
		request,
		cel.OptionalVariableBindings{VersionedParams: params},
		cel.CreateNamespaceObject(namespace),
		celconfig.RuntimeCELCostBudget,
	)
	if err != nil {
		return nil
	}
	out := make([]string, len(results))
	for i, r := range results {
		switch {
		case r.Error != nil:
			out[i] = "error: " + r.Error.Error()
		case r.EvalResult != nil:
			out[i] = fmt.Sprintf("%T: %v", r.EvalResult, r.EvalResult.Value())
		}
	}
	return out
}

// discreetMatcher is a Matcher whose errors say nothing of the values of Secrets.
type discreetMatcher struct {
	matchconditions.Matcher
	discretion
}

// Match masks an error that is another one in some other world.
func (m *discreetMatcher) Match(
	ctx context.Context,
	attributes *admission.VersionedAttributes,
	params runtime.Object,
	authz authorizer.UnconditionalAuthorizer,
) matchconditions.MatchResult {
	result := m.Matcher.Match(ctx, attributes, params, authz)
	if result.Error == nil {
		return result
	}
	in, reads := m.inputs(ctx, attributes, params)
	if !reads {
		return result
	}
	result.Error = m.discreet(
		result.Error,
		in,
		func(attributes *admission.VersionedAttributes, params runtime.Object) error {
			return m.Matcher.Match(ctx, attributes, params, authz).Error
		},
	)
	return result
}

// discreet is an error, masked where it is another one in some other world.
func (d discretion) discreet(
	err error,
	in *inputs,
	again func(*admission.VersionedAttributes, runtime.Object) error,
) error {
	for _, w := range d.worlds {
		there, failed := api.Guarded(func() (error, error) {
			attributes, params := in.as(w)
			return again(attributes, params), nil
		})
		if failed == nil && there != nil && there.Error() == err.Error() {
			continue
		}
		var status *apierrors.StatusError
		if errors.As(err, &status) {
			return apierrors.NewInternalError(errors.New(fromSecret))
		}
		return errors.New(fromSecret)
	}
	return err
}

// discreetPatcher is a Patcher that notes which fields it makes from values of Secrets.
type discreetPatcher struct {
	patch.Patcher
	discretion
}

// Patch notes the fields that differ in other worlds.
func (p *discreetPatcher) Patch(ctx context.Context, r patch.Request, budget int64) (runtime.Object, error) {
	patched, err := p.Patcher.Patch(ctx, r, budget)
	in, reads := p.inputs(ctx, r.VersionedAttributes, r.OptionalVariables.VersionedParams)
	if !reads {
		return patched, err
	}
	again := func(attributes *admission.VersionedAttributes, params runtime.Object) (runtime.Object, error) {
		there := r
		there.VersionedAttributes, there.OptionalVariables.VersionedParams = attributes, params
		return p.Patcher.Patch(ctx, there, budget)
	}
	if err != nil {
		return nil, p.discreet(err, in, func(attributes *admission.VersionedAttributes, params runtime.Object) error {
			_, err := again(attributes, params)
			return err
		})
	}
	record := RecordIn(ctx)
	record.derived = append(record.derived, without(p.derived(in, again), record.derived)...)
	slices.SortFunc(record.derived, func(a, b fieldNames) int { return strings.Compare(a.String(), b.String()) })
	return patched, nil
}

// derived are the fields of a patched object made from values of Secrets, apart from fields
// of Secrets. Without an answer in any other world, that is all that the patch changes.
func (p *discreetPatcher) derived(
	in *inputs,
	again func(*admission.VersionedAttributes, runtime.Object) (runtime.Object, error),
) []fieldNames {
	run := func(w world) (before, after any, ok bool) {
		attributes, params := in.as(w)
		patched, err := api.Guarded(func() (runtime.Object, error) { return again(attributes, params) })
		if err != nil {
			return nil, nil, false
		}
		before, _ = policyTree(attributes.VersionedObject.Object())
		tree, ok := policyTree(patched)
		return before, tree, ok
	}
	from, to, _ := run(here)
	var before, after []any
	for _, w := range p.worlds {
		if from, to, ok := run(w); ok {
			before, after = append(before, from), append(after, to)
		}
	}
	if after == nil {
		return differing(to, []any{from}, nil)
	}
	return without(differing(to, after, nil), differing(from, before, nil))
}

// without are the fields that are not among others.
func without(fields, others []fieldNames) []fieldNames {
	known := map[string]bool{}
	for _, f := range others {
		known[f.String()] = true
	}
	var out []fieldNames
	for _, f := range fields {
		if !known[f.String()] {
			out = append(out, f)
		}
	}
	return out
}
