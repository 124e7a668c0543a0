package cluster

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
)

var (
	pods            = schema.GroupKind{Kind: "Pod"}
	serviceAccounts = schema.GroupKind{Kind: "ServiceAccount"}
	budgets         = schema.GroupKind{Group: "policy", Kind: "PodDisruptionBudget"}
)

// Stretch is how many of the first pairs can be answered at once: up to the first
// whose write those after it may look up.
func (c *Cluster) Stretch(pairs []Pair) int {
	if c.dryRun {
		return len(pairs)
	}
	for i, p := range pairs {
		if c.oneByOne || c.looksUp(p.Key) || c.redefines(p) || c.Server.Counts(p.Key.Namespace) {
			return i + 1
		}
	}
	return len(pairs)
}

func (c *Cluster) looksUp(key live.Key) bool {
	kind := schema.GroupKind{Group: key.Group, Kind: key.Kind}
	return c.parameters[kind] || server.LooksUpFor(kind, c.kinds)
}

// keeps reports whether a live object is kept that no manifest names, since answers
// for the manifests may depend on it. Objects of applications are many, and
// are kept only for those manifests whose answers do; without manifests
// all may.
func (c *Cluster) keeps(id manifest.Identity) bool {
	switch input.KindOf(id).GroupKind() {
	case pods, serviceAccounts, budgets:
		return len(c.kinds) == 0 || server.LooksUpFor(input.KindOf(id).GroupKind(), c.kinds)
	}
	kind := input.KindOf(id).GroupKind()
	return isGiven(id) || c.parameters[kind] || writers.IsClaimant(kind)
}

// claimsOnly reports whether an object is kept for nothing but what it has written to
// others.
func (c *Cluster) claimsOnly(id manifest.Identity) bool {
	kind := input.KindOf(id).GroupKind()
	return writers.IsClaimant(kind) && !isGiven(id) && !c.parameters[kind]
}

// noteClaims collects what objects of the inputs have written to others: that is not for
// manifests to set.
func (c *Cluster) noteClaims(kept []*live.Object) {
	c.Claims = writers.Claims{}
	add := func(id manifest.Identity, namespace string, object map[string]any) {
		// All of them are in namespaces, those without a definition too.
		namespace = cmp.Or(namespace, c.Scope.namespace, "default")
		c.Claims.Add(input.KindOf(id).GroupKind(), namespace, object)
	}
	for _, o := range kept {
		if writers.IsClaimant(input.KindOf(o.Identity).GroupKind()) {
			if object, err := o.Decode(); err == nil {
				add(o.Identity, o.Key.Namespace, object)
			}
		}
	}
	for _, d := range c.Manifests {
		if writers.IsClaimant(input.KindOf(d.Identity).GroupKind()) {
			if object, err := jsontree.Decode(d.JSON()); err == nil {
				add(d.Identity, c.Scope.NamespaceOf(d.Identity), object)
			}
		}
	}
}

// KindsOf are the kinds of documents.
func KindsOf(documents []manifest.Document) kinds {
	kinds := kinds{}
	for _, d := range documents {
		kinds[input.KindOf(d.Identity).GroupKind()] = true
	}
	return kinds
}

// plan makes the objects of manifests part of the cluster where it has none of the
// same name, for commands that ask of each manifest as if the others were applied.
func (c *Cluster) plan(planned []manifest.Document) {
	for _, d := range planned {
		key := c.Scope.Key(d.Identity)
		object, err := jsontree.Decode(d.JSON())
		if has, _ := c.Live.Get(key); has != nil || err != nil {
			continue
		}
		if text := inNamespace(object, key.Namespace); text != nil {
			c.Server.Learn(text)
		}
	}
}

// redefines reports whether a manifest is of a live CustomResourceDefinition, whose
// objects other manifests are.
func (c *Cluster) redefines(p Pair) bool {
	return p.Live != nil && IsDefinition(p.Document.Identity) && c.kinds[DefinedBy(p.Document)]
}

// redefine has a definition that a write changed count for the manifests behind it. One
// that cannot be read as such leaves the former in its place.
func (c *Cluster) redefine(p Pair, r report.Result) {
	former, err := p.Live.Decode()
	if err != nil || r.Outcome.Refused() || r.Deleted || reflect.DeepEqual(former["spec"], r.Object["spec"]) {
		return
	}
	if text := inNamespace(r.Object, ""); text != nil && c.Server.Define(text) == nil {
		c.together.redefined[DefinedBy(p.Document)] = placed{p.Document.Source, p.number}
	}
}

// Learn makes what a write changed part of the cluster.
func (c *Cluster) Learn(p Pair, r report.Result) {
	if c.dryRun {
		return
	}
	if c.redefines(p) {
		c.redefine(p, r)
	}
	key := p.Key
	for _, object := range r.Others {
		c.Server.Learn(object)
	}
	if r.Outcome.Refused() && !r.Deleted {
		return
	}
	kind := schema.GroupKind{Group: key.Group, Kind: key.Kind}
	switch {
	case !server.LooksUp(kind) && !c.parameters[kind]:
	case r.Deleted:
		c.Server.Forget(kind, key.Namespace, key.Name)
	default:
		if object := inNamespace(r.Object, key.Namespace); object != nil {
			c.Server.Learn(object)
		}
	}
}

// inNamespace is an object as JSON, in its namespace though it may not say so; nil
// for none.
func inNamespace(object map[string]any, namespace string) []byte {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		return nil
	}
	if namespace != "" && metadata["namespace"] == nil {
		object, metadata = maps.Clone(object), maps.Clone(metadata)
		metadata["namespace"], object["metadata"] = namespace, metadata
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}
