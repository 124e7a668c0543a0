package writers

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// ClaimKind is what an object of the inputs has its controller write to another one.
type ClaimKind string

// The kinds of claim.
const (
	// Scales: .spec.replicas.
	Scales ClaimKind = "Scales"
	// Generates: the whole object.
	Generates ClaimKind = "Generates"
	// Selects: .spec.selector of a Service.
	Selects ClaimKind = "Selects"
	// Weighs: the weights of routes.
	Weighs ClaimKind = "Weighs"
	// Resizes: the resources of the pods, and not those of the object.
	Resizes ClaimKind = "Resizes"
)

// Claim is one of them, by an object that By names.
type Claim struct {
	Kind ClaimKind
	By   string
}

// managers are the field managers of the controllers that write what is claimed.
var managers = map[ClaimKind]string{Scales: ControllerManager, Selects: "rollouts-controller", Weighs: "rollouts-controller"}

// Manager is the field manager that writes what is claimed; empty where that is not
// known, and where the object itself is not written.
func (c Claim) Manager() string { return managers[c.Kind] }

// Claims are those of all objects of the inputs, by whom they are on.
type Claims map[claimed][]Claim

// claimed names an object that somebody else writes to.
type claimed struct{ namespace, group, kind, name string }

// claimants are further kinds that have something written to other objects, with what
// each has, and on which kinds: none for all whose objects have replicas. References leave
// out the namespace: they are to their own.
var claimants = map[schema.GroupKind]struct {
	claim func(c claimant)
	on    []schema.GroupKind
}{
	{Group: "autoscaling.k8s.io", Kind: "VerticalPodAutoscaler"}: {claim: verticalAutoscaler},
	{Group: "external-secrets.io", Kind: "ExternalSecret"}:       {externalSecret, secrets},
	{Group: "bitnami.com", Kind: "SealedSecret"}:                 {func(c claimant) { c.add(Generates, "", "Secret", nameOf(c.object)) }, secrets},
	{Group: "cert-manager.io", Kind: "Certificate"}:              {func(c claimant) { c.add(Generates, "", "Secret", c.text("spec", "secretName")) }, secrets},
	{Group: "argoproj.io", Kind: "Rollout"}:                      {rollout, []schema.GroupKind{{Kind: "Service"}, {Group: "networking.istio.io", Kind: "VirtualService"}}},
}

var secrets = []schema.GroupKind{{Kind: "Secret"}}

func verticalAutoscaler(c claimant) {
	if c.text("spec", "updatePolicy", "updateMode") != "Off" {
		c.reference(Resizes, "spec", "targetRef")
	}
}

func externalSecret(c claimant) {
	name := c.text("spec", "target", "name")
	if name == "" {
		name = nameOf(c.object)
	}
	if c.text("spec", "target", "creationPolicy") != "None" {
		c.add(Generates, "", "Secret", name)
	}
}

func rollout(c claimant) {
	for _, path := range [][]string{{"canary", "canaryService"}, {"canary", "stableService"}, {"blueGreen", "activeService"}, {"blueGreen", "previewService"}} {
		c.add(Selects, "", "Service", c.text(append([]string{"spec", "strategy"}, path...)...))
	}
	const istio = "networking.istio.io"
	c.add(Weighs, istio, "VirtualService", c.text("spec", "strategy", "canary", "trafficRouting", "istio", "virtualService", "name"))
	several, _ := fieldtree.Value(c.object, "spec", "strategy", "canary", "trafficRouting", "istio", "virtualServices").([]any)
	for _, one := range several {
		m, _ := one.(map[string]any)
		name, _ := m["name"].(string)
		c.add(Weighs, istio, "VirtualService", name)
	}
}

// IsClaimant reports whether objects of a kind have something written to others.
func IsClaimant(kind schema.GroupKind) bool { return autoscalers[kind] || claimants[kind].claim != nil }

// Add notes what an object has written to others of its namespace.
func (c Claims) Add(kind schema.GroupKind, namespace string, object map[string]any) {
	by := claimant{to: c, by: kind.Kind + " " + nameOf(object), namespace: namespace, object: object}
	if ref, ok := Scaled(kind, object); ok {
		by.add(Scales, ref.Group, ref.Kind, ref.Name)
	}
	if claim := claimants[kind].claim; claim != nil {
		claim(by)
	}
}

// Of lists the claims on an object, in the order in which they were added.
func (c Claims) Of(t report.Target) []Claim {
	return c[claimed{t.Namespace, groupOf(t.APIVersion), t.Kind, t.Name}]
}

// Scaler names the autoscaler that scales an object; empty for none.
func (c Claims) Scaler(t report.Target) string {
	for _, claim := range c.Of(t) {
		if claim.Kind == Scales {
			return claim.By
		}
	}
	return ""
}

// claimant is an object while its claims are noted.
type claimant struct {
	to            Claims
	by, namespace string
	object        map[string]any
}

func (c claimant) add(kind ClaimKind, group, of, name string) {
	if name == "" {
		return
	}
	key := claimed{c.namespace, group, of, name}
	c.to[key] = append(c.to[key], Claim{Kind: kind, By: c.by})
}

func (c claimant) reference(kind ClaimKind, path ...string) {
	if ref, ok := ReferenceOf(c.object, path...); ok {
		c.add(kind, ref.Group, ref.Kind, ref.Name)
	}
}

func (c claimant) text(path ...string) string {
	text, _ := fieldtree.Value(c.object, path...).(string)
	return text
}

// ClaimantsOn are the kinds of objects that have something written to objects of some
// kinds, sorted; scales reports of a kind whether its objects have replicas.
func ClaimantsOn(kinds map[schema.GroupKind]bool, scales func(schema.GroupKind) bool) []schema.GroupKind {
	var out []schema.GroupKind
	some := func(of func(schema.GroupKind) bool) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(kinds)), of)
	}
	if some(scales) {
		out = slices.Collect(maps.Keys(autoscalers))
	}
	for kind, c := range claimants {
		if some(func(k schema.GroupKind) bool { return slices.Contains(c.on, k) || c.on == nil && scales(k) }) {
			out = append(out, kind)
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	return out
}
