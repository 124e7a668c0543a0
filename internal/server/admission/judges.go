package admission

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ssactl/ssactl/internal/server/given"
)

// judges are the given objects that judge others.
type judges struct {
	mutating           *mutatingPolicies
	validating         *validatingPolicies
	mutatingWebhooks   mutatingWebhooks
	validatingWebhooks validatingWebhooks
}

func newJudges(given *given.Objects, served servedKinds) *judges {
	return &judges{
		mutating: newMutatingPolicies(given, served), validating: newValidatingPolicies(given, served),
		mutatingWebhooks: newMutatingWebhooks(given), validatingWebhooks: newValidatingWebhooks(given),
	}
}

// MayMatch reports whether any policy may judge a request for a resource, whatever
// the object.
func (j *judges) MayMatch(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutating.mayMatch(resource, operation) || j.validating.mayMatch(resource, operation)
}

// MayCall is mayMatch of webhooks.
func (j *judges) MayCall(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutatingWebhooks.mayCall(resource, operation) || j.validatingWebhooks.mayCall(resource, operation)
}
