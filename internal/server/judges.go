package server

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// judges are the given objects that judge others.
type judges struct {
	mutating           *mutatingPolicies
	validating         *validatingPolicies
	mutatingWebhooks   mutatingWebhooks
	validatingWebhooks validatingWebhooks
}

func newJudges(given *givenObjects, served servedKinds) *judges {
	return &judges{
		mutating: newMutatingPolicies(given, served), validating: newValidatingPolicies(given, served),
		mutatingWebhooks: newMutatingWebhooks(given), validatingWebhooks: newValidatingWebhooks(given),
	}
}

// mayMatch reports whether any policy may judge a request for a resource, whatever
// the object.
func (j *judges) mayMatch(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutating.mayMatch(resource, operation) || j.validating.mayMatch(resource, operation)
}

// mayCall is mayMatch of webhooks.
func (j *judges) mayCall(resource schema.GroupResource, operation admission.Operation) bool {
	return j.mutatingWebhooks.mayCall(resource, operation) || j.validatingWebhooks.mayCall(resource, operation)
}
