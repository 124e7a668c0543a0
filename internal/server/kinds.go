package server

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/given"
	"github.com/ssactl/ssactl/internal/suggest"
)

// Kinds are the kinds that are served, by group, version and kind.
func (s *Server) Kinds() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for _, kind := range s.types.Schemas.Kinds() {
		if r, err := s.catalog.find(kind); err == nil && r != nil && s.types.Served(kind.GroupVersion()) {
			out = append(out, kind)
		}
	}
	for kind, crd := range s.custom.All() {
		for _, v := range crd.Spec.Versions {
			if v.Served {
				out = append(out, kind.WithVersion(v.Name))
			}
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(out)
}

// mostAlike is how many kinds are offered for one that is not served.
const mostAlike = 2

// Alike gives the built-in kinds that an unknown one may mean, the likeliest first, at the
// version that clients prefer: similar names, best in a similar group.
func (s *Server) Alike(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	type candidate struct {
		kind     schema.GroupVersionKind
		distance int
	}
	typed := strings.ToLower(kind.Kind)
	var list []candidate
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		for name := range legacyscheme.Scheme.KnownTypes(gv) {
			known := gv.WithKind(name)
			d := suggest.Distance(typed, strings.ToLower(name))
			if d > max(1, len(typed)/4) ||
				slices.ContainsFunc(list, func(c candidate) bool { return c.kind.GroupKind() == known.GroupKind() }) {
				continue
			}
			if s.Resource(known).Known {
				list = append(list, candidate{known, 100*d + suggest.Distance(kind.Group, gv.Group)})
			}
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(a.distance, b.distance),
			cmp.Compare(a.kind.Group, b.kind.Group),
			cmp.Compare(a.kind.Kind, b.kind.Kind),
		)
	})
	var out []schema.GroupVersionKind
	for _, c := range list[:min(len(list), mostAlike)] {
		out = append(out, c.kind)
	}
	return out
}

// removable is what the types of prerelease versions say of themselves (k8s.io/api,
// zz_generated.prerelease-lifecycle.go).
type removable interface {
	APILifecycleRemoved() (major, minor int)
}

// forgotten are the releases that removed what k8s.io/api has no type of any more,
// by the Deprecated API Migration Guide of Kubernetes.
var forgotten = map[schema.GroupVersionKind]int{
	{Group: "autoscaling", Version: "v2beta1", Kind: "HorizontalPodAutoscaler"}:           25,
	{Group: "autoscaling", Version: "v2beta2", Kind: "HorizontalPodAutoscaler"}:           26,
	{Group: "policy", Version: "v1beta1", Kind: "PodSecurityPolicy"}:                      25,
	{Group: "extensions", Version: "v1beta1", Kind: "PodSecurityPolicy"}:                  16,
	{Group: "apiextensions.k8s.io", Version: "v1beta1", Kind: "CustomResourceDefinition"}: 22,
	{Group: "apiregistration.k8s.io", Version: "v1beta1", Kind: "APIService"}:             22,
	{Group: "batch", Version: "v2alpha1", Kind: "CronJob"}:                                21,
}

// RemovedIn is the Kubernetes release that removed a kind at a version, such as
// "1.25"; empty where it is served, was never there, or where nothing says it.
func (s *Server) RemovedIn(kind schema.GroupVersionKind) string {
	if s.Resource(kind).Known {
		return ""
	}
	minor, ok := removedIn(kind)
	if !ok || minor > s.release.Minor {
		return ""
	}
	return fmt.Sprintf("1.%d", minor)
}

// removedIn is the minor release, as far as types or the guide say it.
func removedIn(kind schema.GroupVersionKind) (minor int, ok bool) {
	if minor, ok := forgotten[kind]; ok {
		return minor, true
	}
	object, err := clientscheme.Scheme.New(kind)
	if err != nil {
		return 0, false
	}
	l, ok := object.(removable)
	if !ok {
		return 0, false
	}
	major, minor := l.APILifecycleRemoved()
	return minor, major == 1
}

// lookers are the kinds that the server's code looks up while it answers for an object of
// another one, each with all kinds whose answers may depend on it; nil for any kind.
var lookers = map[schema.GroupKind][]schema.GroupKind{
	{Kind: "LimitRange"}:     {{Kind: "Pod"}, {Kind: "PersistentVolumeClaim"}},
	{Kind: "Namespace"}:      nil,
	{Kind: "Node"}:           {{Kind: "Pod"}},
	{Kind: "Pod"}:            {{Kind: "Namespace"}},
	{Kind: "ResourceQuota"}:  nil,
	{Kind: "ServiceAccount"}: {{Kind: "Pod"}},
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          nil,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   nil,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     nil,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   nil,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        nil,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: nil,
	{Group: "networking.k8s.io", Kind: "IngressClass"}: {
		{Group: "networking.k8s.io", Kind: "Ingress"},
	},
	{Group: "node.k8s.io", Kind: "RuntimeClass"}: {{Kind: "Pod"}},
	{Group: "policy", Kind: "PodDisruptionBudget"}: {
		{Kind: "Pod"},
		{Group: "policy", Kind: "Eviction"},
	},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}: {
		{Kind: "Pod"},
		{Group: "scheduling.k8s.io", Kind: "PriorityClass"},
	},
	{Group: "storage.k8s.io", Kind: "StorageClass"}: {{Kind: "PersistentVolumeClaim"}},
}

// LooksUp reports whether answers for other objects may depend on objects of a
// kind: a server that is to answer for all needs them among Options.Objects.
func LooksUp(kind schema.GroupKind) bool {
	_, ok := lookers[kind]
	return ok
}

// LooksUpFor is LooksUp where only objects of some kinds are to be answered for.
func LooksUpFor(kind schema.GroupKind, answered map[schema.GroupKind]bool) bool {
	few, ok := lookers[kind]
	return ok && (few == nil || slices.ContainsFunc(few, func(k schema.GroupKind) bool { return answered[k] }))
}

// LookedUpFor are the kinds that LooksUpFor reports, sorted.
func LookedUpFor(answered map[schema.GroupKind]bool) []schema.GroupKind {
	var out []schema.GroupKind
	for kind := range lookers {
		if LooksUpFor(kind, answered) {
			out = append(out, kind)
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// MakesNamespace reports whether every server makes the namespace for itself.
func MakesNamespace(name string) bool { return given.OwnNamespaces.Has(name) }
