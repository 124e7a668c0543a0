package cluster

import (
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

// course is how the answers of a run depend on each other: what a write changes for those
// after it.
type course struct {
	served *Served
	// oneByOne: each answer depends on those before it. dryRun: none does, since nothing is
	// stored.
	oneByOne, dryRun bool
	// kinds are those of the manifests; parameters are those that admission policies take.
	kinds, parameters kinds
	together          together
}

// Stretch is how many of the first pairs can be answered at once: up to the first
// whose write those after it may look up.
func (c *course) Stretch(pairs []Pair) int {
	if c.dryRun {
		return len(pairs)
	}
	for i, p := range pairs {
		if c.oneByOne || c.looksUp(p.Key) || c.redefines(p) || c.served.Server.Counts(p.Key.Namespace) {
			return i + 1
		}
	}
	return len(pairs)
}

func (c *course) looksUp(key live.Key) bool {
	kind := groupKind(key)
	return c.parameters[kind] || server.LooksUpFor(kind, c.kinds)
}

var (
	pods            = schema.GroupKind{Kind: "Pod"}
	serviceAccounts = schema.GroupKind{Kind: "ServiceAccount"}
	budgets         = schema.GroupKind{Group: "policy", Kind: "PodDisruptionBudget"}
)

// keeps reports whether a live object is kept that no manifest names, since answers
// for the manifests may depend on it. Objects of applications are many, and
// are kept only for those manifests whose answers do; without manifests
// all may.
func (c *course) keeps(id manifest.Identity) bool {
	kind := input.KindOf(id).GroupKind()
	switch kind {
	case pods, serviceAccounts, budgets:
		return len(c.kinds) == 0 || server.LooksUpFor(kind, c.kinds)
	}
	return isGiven(id) || c.parameters[kind] || writers.IsClaimant(kind)
}

// claimsOnly reports whether an object is kept for nothing but what it has written to
// others.
func (c *course) claimsOnly(id manifest.Identity) bool {
	kind := input.KindOf(id).GroupKind()
	return writers.IsClaimant(kind) && !isGiven(id) && !c.parameters[kind]
}

// lack says of what comes in the same run that the cluster does not have it: a dry
// run brings nothing.
func (c *course) lack(t together) {
	for kind := range t.definitions {
		c.served.Server.LackKind(kind)
	}
	for name := range t.namespaces {
		c.served.Server.LackNamespace(name)
	}
}

// plan makes the objects of manifests part of the cluster where it has none of the
// same name, for commands that ask of each manifest as if the others were applied.
func (c *Cluster) plan(planned []manifest.Document) {
	for _, d := range planned {
		key := c.Key(d.Identity)
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
func (c *course) redefines(p Pair) bool {
	return p.Live != nil && IsDefinition(p.Document.Identity) && c.kinds[DefinedBy(p.Document)]
}

// redefine has a definition that a write changed count for the manifests behind it. One
// that cannot be read as such leaves the former in its place.
func (c *course) redefine(p Pair, r report.Result) {
	former, err := p.Live.Decode()
	if err != nil || r.Outcome.Refused() || r.Deleted || reflect.DeepEqual(former["spec"], r.Object["spec"]) {
		return
	}
	if text := inNamespace(r.Object, ""); text != nil && c.served.Server.Define(text) == nil {
		c.together.redefined[DefinedBy(p.Document)] = placed{p.Document.Source, p.number}
	}
}

// Learn makes what a write changed part of the cluster.
func (c *course) Learn(p Pair, r report.Result) {
	if c.dryRun {
		return
	}
	if c.redefines(p) {
		c.redefine(p, r)
	}
	for _, object := range r.Others {
		c.served.Server.Learn(object)
	}
	if r.Outcome.Refused() && !r.Deleted {
		return
	}
	kind := groupKind(p.Key)
	switch {
	case !server.LooksUp(kind) && !c.parameters[kind]:
	case r.Deleted:
		c.served.Server.Forget(kind, p.Key.Namespace, p.Key.Name)
	default:
		if object := inNamespace(r.Object, p.Key.Namespace); object != nil {
			c.served.Server.Learn(object)
		}
	}
}
