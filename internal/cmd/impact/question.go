package impact

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/custom"
)

// sides are the servers that live objects are written through: old is nil if the old
// side is a release, since a process has only one.
type sides struct {
	old, new cluster.Simulated
}

// affected is the effect on one live object.
type affected struct {
	target  report.Target
	effects []impact.Effect
	// conversion is what a webhook does between two versions of the object; empty for
	// nothing.
	conversion impact.Conversion
	// unsimulated says why that is not known, and problem why the object is not.
	unsimulated error
	problem     *report.Problem
}

// readSides finds the kinds of both sides, sorted.
func (o *impactOptions) readSides(ctx context.Context, c *cluster.Cluster) (err error) {
	if o.releases != nil {
		o.sides.new, err = cluster.NewGiven(nil, nil).Server(c.Base)
		o.impacts = builtinKinds(o.releases[0], o.releases[1])
		return err
	}
	// partial are the sides in which something could not be read: beside the live objects.
	partial := struct{ old, new bool }{
		new: slices.ContainsFunc(c.Problems, func(p report.Problem) bool { return !slices.Contains(o.Live, p.Source.File) }),
	}
	known := len(c.Problems)
	before := c.Documents(o.old, cluster.Reading(ctx, c.App, &o.Flags, &c.Inputs))
	partial.old = len(c.Problems) > known
	c.CheckDefinitions(before)
	if o.sides.old, err = cluster.NewGiven(before, nil).Server(c.Base); err != nil {
		return err
	}
	if o.sides.new, err = cluster.NewGiven(c.Definitions, nil).Server(c.Base); err != nil {
		return err
	}
	was, unread := definitionsOf(o.named(c, before))
	is, unreadable := definitionsOf(o.named(c, c.Definitions))
	// Of a kind with a definition that cannot be read, the problem is all there is to say.
	for _, kind := range append(unread, unreadable...) {
		delete(was, kind)
		delete(is, kind)
	}
	// What could not be read may have the kinds that the other side has alone.
	if partial.new {
		maps.DeleteFunc(was, func(kind schema.GroupKind, _ *impact.Definition) bool { return is[kind] == nil })
	}
	if partial.old {
		maps.DeleteFunc(is, func(kind schema.GroupKind, _ *impact.Definition) bool { return was[kind] == nil })
	}
	o.impacts = o.definedKinds(ctx, was, is)
	if len(o.impacts) == 0 && len(c.Problems) == 0 {
		what := "CustomResourceDefinitions"
		if len(o.names) > 0 {
			what = o.names[0].String()
		}
		return fmt.Errorf("neither %s nor %s has %s", strings.Join(o.old, ", "), strings.Join(o.new, ", "), what)
	}
	return nil
}

// named are the documents that the arguments name; all where there are none.
func (o *impactOptions) named(c *cluster.Cluster, documents []manifest.Document) []manifest.Document {
	if len(o.names) == 0 {
		return documents
	}
	return slices.DeleteFunc(slices.Clone(documents), func(d manifest.Document) bool {
		return !slices.ContainsFunc(o.names, func(n input.ObjectName) bool { return c.Matches(n, d.Identity) })
	})
}

// builtinKinds are those of two releases.
func builtinKinds(before, after *server.Published) []impact.Kind {
	all := map[schema.GroupKind]bool{}
	for _, kind := range slices.Concat(before.Kinds(), after.Kinds()) {
		all[kind.GroupKind()] = true
	}
	var out []impact.Kind
	for _, kind := range slices.SortedFunc(maps.Keys(all), compareKinds) {
		out = append(out, impact.Kind{GroupKind: kind, Before: before, After: after})
	}
	return out
}

func compareKinds(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }

// definitionsOf are those that can be read, by kind, and the kinds of the others.
func definitionsOf(
	documents []manifest.Document,
) (read map[schema.GroupKind]*impact.Definition, unread []schema.GroupKind) {
	read = map[schema.GroupKind]*impact.Definition{}
	for _, d := range documents {
		if !cluster.IsDefinition(d.Identity) {
			continue
		}
		object, err := custom.StoredDefinition(d.JSON())
		if err != nil {
			unread = append(unread, cluster.DefinedBy(d))
			continue
		}
		read[cluster.DefinedBy(d)] = &impact.Definition{
			Source: report.Source(d.Source), Locator: cluster.Locator{Document: d}, Object: object,
		}
	}
	return read, unread
}

func (o *impactOptions) definedKinds(
	ctx context.Context,
	before, after map[schema.GroupKind]*impact.Definition,
) []impact.Kind {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []impact.Kind
	for _, group := range slices.SortedFunc(maps.Keys(all), compareKinds) {
		kind := impact.Kind{
			GroupKind: group, Old: before[group], New: after[group], Before: o.sides.old, After: o.sides.new,
		}
		if kind.Old != nil && kind.New != nil {
			result := engine.Simulate(ctx, o.sides.new, impact.Update(*kind.Old, *kind.New))
			kind.Update = &result
		}
		out = append(out, kind)
	}
	return out
}

// kindOf is the kind of a live object, of those that are compared; nil for another.
func (o *impactOptions) kindOf(object *live.Object) *impact.Kind {
	kind := input.KindOf(object.Identity).GroupKind()
	i, found := slices.BinarySearchFunc(
		o.impacts,
		kind,
		func(k impact.Kind, kind schema.GroupKind) int { return compareKinds(k.GroupKind, kind) },
	)
	if !found {
		return nil
	}
	return &o.impacts[i]
}

// ask simulates the change for an object.
func (o *impactOptions) ask(ctx context.Context, c *cluster.Cluster, object *live.Object) affected {
	if _, err := c.Live.Get(object.Key); err != nil {
		return affected{problem: &report.Problem{Message: err.Error()}}
	}
	defer object.Forget()
	decoded, err := object.Decode()
	if err != nil {
		return o.failed(c, object, err)
	}
	out := affected{target: cluster.TargetOfLive(object)}
	kind := o.kindOf(object)
	var old api.Server
	if o.sides.old != nil {
		old = o.sides.old
	}
	q, served := kind.Object(out.target, decoded, old, o.sides.new)
	if !served {
		out.effects = []impact.Effect{{Rule: impact.Unserved}}
		return out
	}
	if kind.New != nil {
		out.conversion = kind.New.Conversion(q.To.Version)
	}
	q.Now = c.Now
	out.effects, out.unsimulated = impact.Affect(ctx, q)
	return out
}

func (o *impactOptions) failed(_ *cluster.Cluster, object *live.Object, err error) affected {
	return affected{problem: &report.Problem{Source: report.Source(object.Source), Message: err.Error()}}
}

var _ fields.Server = (*server.Published)(nil)
