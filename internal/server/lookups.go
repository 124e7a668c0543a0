package server

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/given"
)

// lookedUp are the kinds that the server's code looks up while it answers for
// an object of another one.
var lookedUp = map[schema.GroupKind]bool{
	{Kind: "LimitRange"}:     true,
	{Kind: "Namespace"}:      true,
	{Kind: "Node"}:           true,
	{Kind: "Pod"}:            true,
	{Kind: "ResourceQuota"}:  true,
	{Kind: "ServiceAccount"}: true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        true,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: true,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:                                true,
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:                                      true,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                                    true,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:                               true,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                                   true,
}

// lookers are, for some kinds, all kinds whose answers may depend on them.
var lookers = map[schema.GroupKind][]schema.GroupKind{
	{Kind: "LimitRange"}:     {{Kind: "Pod"}, {Kind: "PersistentVolumeClaim"}},
	{Kind: "Node"}:           {{Kind: "Pod"}},
	{Kind: "Pod"}:            {{Kind: "Namespace"}},
	{Kind: "ServiceAccount"}: {{Kind: "Pod"}},
	{Group: "networking.k8s.io", Kind: "IngressClass"}:  {{Group: "networking.k8s.io", Kind: "Ingress"}},
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:        {{Kind: "Pod"}},
	{Group: "policy", Kind: "PodDisruptionBudget"}:      {{Kind: "Pod"}, {Group: "policy", Kind: "Eviction"}},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}: {{Kind: "Pod"}, {Group: "scheduling.k8s.io", Kind: "PriorityClass"}},
	{Group: "storage.k8s.io", Kind: "StorageClass"}:     {{Kind: "PersistentVolumeClaim"}},
}

// LooksUpFor is LooksUp where only objects of some kinds are to be answered for.
func LooksUpFor(kind schema.GroupKind, answered map[schema.GroupKind]bool) bool {
	few, ok := lookers[kind]
	if !ok {
		return LooksUp(kind)
	}
	return slices.ContainsFunc(few, func(k schema.GroupKind) bool { return answered[k] })
}

// LookedUpFor are the kinds that LooksUpFor reports, sorted.
func LookedUpFor(answered map[schema.GroupKind]bool) []schema.GroupKind {
	var out []schema.GroupKind
	for kind := range lookedUp {
		if LooksUpFor(kind, answered) {
			out = append(out, kind)
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// LooksUp reports whether answers for other objects may depend on objects of a
// kind: a server that is to answer for all needs them among Options.Objects.
func LooksUp(kind schema.GroupKind) bool { return lookedUp[kind] }

// MakesNamespace reports whether every server makes the namespace for itself.
func MakesNamespace(name string) bool { return given.OwnNamespaces.Has(name) }
