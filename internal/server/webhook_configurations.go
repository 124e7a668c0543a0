package server

import (
	"context"
	"fmt"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
)

// mutatingWebhooks are asked before the object is validated.
type mutatingWebhooks struct{ *webhooks }

var _ admission.MutationInterface = mutatingWebhooks{}

func newMutatingWebhooks(given *givenObjects) mutatingWebhooks {
	return mutatingWebhooks{newWebhooks(given, "MutatingWebhookConfiguration", "change or refuse", listMutatingWebhooks)}
}

// Admit notes which of them a server would call.
func (w mutatingWebhooks) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	return w.name(ctx, a, o)
}

func listMutatingWebhooks(given *givenObjects) []webhook.WebhookAccessor {
	configurations := everything(given.informers.Admissionregistration().V1().MutatingWebhookConfigurations().Lister().List)
	var hooks []webhook.WebhookAccessor
	for _, c := range sortedByName(configurations) {
		for i := range c.Webhooks {
			hooks = append(hooks, webhook.NewMutatingWebhookAccessor(fmt.Sprintf("%s/%d", c.Name, i), c.Name, &c.Webhooks[i]))
		}
	}
	return hooks
}

// validatingWebhooks are asked behind ValidatingAdmissionPolicies.
type validatingWebhooks struct{ *webhooks }

var _ admission.ValidationInterface = validatingWebhooks{}

func newValidatingWebhooks(given *givenObjects) validatingWebhooks {
	return validatingWebhooks{newWebhooks(given, "ValidatingWebhookConfiguration", "refuse", listValidatingWebhooks)}
}

// Validate notes which of them a server would call.
func (w validatingWebhooks) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	return w.name(ctx, a, o)
}

func listValidatingWebhooks(given *givenObjects) []webhook.WebhookAccessor {
	configurations := everything(given.informers.Admissionregistration().V1().ValidatingWebhookConfigurations().Lister().List)
	var hooks []webhook.WebhookAccessor
	for _, c := range sortedByName(configurations) {
		for i := range c.Webhooks {
			hooks = append(hooks, webhook.NewValidatingWebhookAccessor(fmt.Sprintf("%s/%d", c.Name, i), c.Name, &c.Webhooks[i]))
		}
	}
	return hooks
}
