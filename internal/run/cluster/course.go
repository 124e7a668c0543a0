package cluster

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
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
	world   *World
	writing *Writing
	// oneByOne: each answer depends on those before it.
	oneByOne bool
	together together
	// twice are the objects with several manifests that are applied; left is what an apply
	// has left of them, nil for none.
	twice map[live.Key]bool
	left  map[live.Key]map[string]any
}

// Stretch is how many of the first pairs can be answered at once: up to the first
// whose write those after it may look up.
func (c *course) Stretch(pairs []Pair) int {
	if c.world.dryRun {
		return len(pairs)
	}
	if i := slices.IndexFunc(pairs, c.decides); i >= 0 {
		return i + 1
	}
	return len(pairs)
}

// decides reports whether answers to pairs after this one may depend on its write.
func (c *course) decides(p Pair) bool {
	kind := groupKind(p.Key)
	return c.oneByOne || c.twice[p.Key] || c.world.parameters[kind] || server.LooksUpFor(kind, c.world.kinds) ||
		c.redefines(p) ||
		c.world.Server.Counts(p.Key.Namespace)
}

// InRun are pairs in the order in which they are sent, as far as their answers depend on
// it. Those that nobody asks about are among them where others depend on them, since
// arguments choose what is shown of a run and not what the run does.
func (c *course) InRun(pairs []Pair) []Pair {
	if !c.world.flags.InOrder || c.world.dryRun {
		return pairs
	}
	if len(c.world.flags.Wanted) > 0 {
		pairs = slices.Clone(pairs)
		for _, p := range c.world.allPairs() {
			if !c.world.isWanted(p.Document.Identity) && p.Err == nil && c.decides(p) {
				p.Unasked = true
				pairs = append(pairs, p)
			}
		}
	}
	if !slices.ContainsFunc(pairs, c.decides) {
		return pairs
	}
	return slices.SortedStableFunc(slices.Values(pairs), func(a, b Pair) int {
		return cmp.Compare(c.together.place(a.Number), c.together.place(b.Number))
	})
}

// goBy takes the order in which the client sends its manifests. Those that it does not send
// come last.
func (c *course) goBy(sent []engine.Write, pairs []Pair) {
	type document struct {
		client.Key
		at report.Source
	}
	places := map[document]int{}
	for i, w := range sent {
		places[document{client.KeyOf(w), w.Source}] = i
	}
	c.together.places = make([]int, len(pairs))
	for _, p := range pairs {
		key := client.Key{Group: p.Key.Group, Kind: p.Key.Kind, Namespace: p.Key.Namespace, Name: p.Key.Name}
		place, is := places[document{key, report.Source(p.Document.Source)}]
		if !is {
			place = len(sent)
		}
		c.together.places[p.Number] = place
	}
}

// ofApplications are the kinds that admission looks up and that are part of applications.
var ofApplications = kinds{
	{Kind: "Pod"}:            true,
	{Kind: "ServiceAccount"}: true,
	{Group: "policy", Kind: "PodDisruptionBudget"}: true,
}

// keeps reports whether a live object is kept that no manifest names, since answers
// for the manifests may depend on it. Objects of applications are many, and
// are kept only for those manifests whose answers do; without manifests
// all may.
func (w *World) keeps(id manifest.Identity) bool {
	kind := input.KindOf(id).GroupKind()
	if ofApplications[kind] {
		return len(w.kinds) == 0 || server.LooksUpFor(kind, w.kinds)
	}
	return isGiven(id) || w.parameters[kind] || writers.IsClaimant(kind) ||
		kind == writers.ClusterRoles && w.aggregates
}

// isAggregated reports whether a document is a ClusterRole that is made of others.
func isAggregated(d manifest.Document) bool {
	return input.KindOf(d.Identity).GroupKind() == writers.ClusterRoles &&
		bytes.Contains(d.JSON(), []byte(`"aggregationRule"`))
}

// bringTogether finds out what the manifests bring that others of them need. planned are
// the objects that commands ask about as if all manifests were applied: they become part of
// the cluster where it has none of the same name.
func (c *course) bringTogether(ctx context.Context, planned []manifest.Document) {
	switch {
	case c.world.dryRun:
		// A dry run brings nothing of what comes in the same run.
		t := findTogether(c.world)
		for kind := range t.definitions {
			c.world.Server.LackKind(kind)
		}
		for name := range t.namespaces {
			c.world.Server.LackNamespace(name)
		}
		return
	case c.world.flags.InOrder:
		c.together = findTogether(c.world)
		// What this run creates is absent until then.
		for name := range c.together.namespaces {
			if c.world.absent == nil || !c.world.absent.namespaces[name] {
				c.world.Server.LackNamespace(name)
			}
		}
		return
	}
	for _, d := range planned {
		key := c.world.Key(d.Identity)
		object, err := jsontree.Decode(d.JSON())
		if has, _ := c.world.Live.Get(key); has != nil || err != nil {
			continue
		}
		if text := inNamespace(object, key.Namespace); text != nil {
			c.world.Server.Learn(text)
		}
	}
	for _, d := range c.world.Manifests {
		if IsDefinition(d.Identity) {
			c.redefine(ctx, d)
		}
	}
}

// redefine has the server go by the definition of a manifest instead of the live one, where
// it would take it.
func (c *course) redefine(ctx context.Context, d manifest.Document) {
	p := Pair{Document: d, Key: c.world.Key(d.Identity)}
	if p.Live, p.Err = c.world.Live.Get(p.Key); p.Live == nil || p.Err != nil {
		return
	}
	w := c.writing.Apply(p)
	w.Manager, w.Force = input.DefaultManager, true
	if engine.Simulate(ctx, c.world.Server, w).Outcome.Refused() {
		return
	}
	// What the manifest leaves out is no longer served, no matter who wrote it.
	former, err := p.Live.Decode()
	object, _ := jsontree.Decode(d.JSON())
	if err != nil || object == nil || reflect.DeepEqual(former["spec"], object["spec"]) {
		return
	}
	// One that cannot be read as a definition leaves the former in its place.
	_ = c.world.Server.Define(d.JSON())
}

// redefines reports whether a manifest is of a live CustomResourceDefinition, whose
// objects other manifests are.
func (c *course) redefines(p Pair) bool {
	return p.Live != nil && IsDefinition(p.Document.Identity) && c.world.kinds[DefinedBy(p.Document)]
}

// Learn makes what a write changed part of the cluster.
func (c *course) Learn(p Pair, r report.Result) {
	if c.world.dryRun {
		return
	}
	if c.redefines(p) && !r.Outcome.Refused() && !r.Deleted {
		c.learnDefinition(p, r)
	}
	if c.twice[p.Key] && (r.Deleted || !r.Outcome.Refused()) {
		c.left[p.Key] = r.Object
	}
	for _, object := range r.Others {
		c.world.Server.Learn(object)
	}
	if r.Outcome.Refused() && !r.Deleted {
		return
	}
	kind := groupKind(p.Key)
	switch {
	case !server.LooksUp(kind) && !c.world.parameters[kind]:
	case r.Deleted:
		c.world.Server.Forget(kind, p.Key.Namespace, p.Key.Name)
	default:
		if object := inNamespace(r.Object, p.Key.Namespace); object != nil {
			c.world.Server.Learn(object)
		}
	}
}

// learnDefinition has the server go by the definition that a write changed. One that cannot
// be read as a definition leaves the former in its place.
func (c *course) learnDefinition(p Pair, r report.Result) {
	former, err := p.Live.Decode()
	text := inNamespace(r.Object, "")
	if err == nil && text != nil && !reflect.DeepEqual(former["spec"], r.Object["spec"]) &&
		c.world.Server.Define(text) == nil {
		c.together.redefined[DefinedBy(p.Document)] = placed{p.Document.Source, p.Number}
	}
}
