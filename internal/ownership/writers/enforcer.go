package writers

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
)

// Enforcer is the field manager of the admissions enforcer of AKS. It has each webhook leave
// the namespaces of AKS alone, but in configurations that are marked EnforcerOff (Azure/AKS#4002,
// Kong/kong-operator#239).
const (
	Enforcer    = "admissionsenforcer"
	EnforcerOff = "admissions.enforcer/disabled"
)

// AdmissionGroup is the API group of webhook configurations.
const AdmissionGroup = "admissionregistration.k8s.io"

// IsWebhookConfiguration reports whether objects of a kind configure webhooks.
func IsWebhookConfiguration(kind schema.GroupKind) bool {
	return kind.Group == AdmissionGroup &&
		(kind.Kind == "ValidatingWebhookConfiguration" || kind.Kind == "MutatingWebhookConfiguration")
}

// Enforced are the terms that the enforcer adds to the namespaceSelector of each webhook.
type Enforced struct {
	// Terms are match expressions; none where nothing says that there is an enforcer.
	Terms []any
	// Guessed: the terms are those that AKS is known to add, and were not seen.
	Guessed bool
}

// enforcedKeys are the labels of the namespaces that the enforcer excludes.
var enforcedKeys = map[any]bool{"control-plane": true, managedByAKS: true}

const managedByAKS = "kubernetes.azure.com/managedby"

// Add notes what an object says of the enforcer: a webhook configuration that it has written
// to, or a Namespace that AKS manages.
func (e *Enforced) Add(kind schema.GroupKind, object map[string]any) {
	switch {
	case len(e.Terms) > 0 && !e.Guessed:
	case IsWebhookConfiguration(kind):
		for _, role := range managedfields.Listed(object) {
			if terms := enforcedTerms(object); role.Manager == Enforcer && len(terms) > 0 {
				*e = Enforced{Terms: terms}
			}
		}
	case kind == schema.GroupKind{Kind: "Namespace"} &&
		fieldtree.Value(object, "metadata", "labels", managedByAKS) == "aks":
		*e = Enforced{Guessed: true, Terms: []any{
			map[string]any{"key": managedByAKS, "operator": "NotIn", "values": []any{"aks"}},
			map[string]any{"key": "control-plane", "operator": "NotIn", "values": []any{"true"}},
		}}
	}
}

// enforcedTerms are those of the first webhook that has some.
func enforcedTerms(object map[string]any) (terms []any) {
	hooks, _ := object["webhooks"].([]any)
	for _, hook := range hooks {
		webhook, _ := hook.(map[string]any)
		all, _ := fieldtree.Value(webhook, "namespaceSelector", "matchExpressions").([]any)
		for _, one := range all {
			if term, _ := one.(map[string]any); enforcedKeys[term["key"]] {
				terms = append(terms, term)
			}
		}
		if len(terms) > 0 {
			return terms
		}
	}
	return nil
}
