package impact

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	fields "github.com/ssactl/ssactl/internal/cmd/schema"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
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
	effects []Effect
	// conversion is what a webhook does between two versions of the object; empty for
	// nothing.
	conversion Conversion
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
	was, unread := definitionsOf(before)
	is, unreadable := definitionsOf(c.Definitions)
	// Of a kind with a definition that cannot be read, the problem is all there is to say.
	for _, kind := range append(unread, unreadable...) {
		delete(was, kind)
		delete(is, kind)
	}
	// What could not be read may have the kinds that the other side has alone.
	if partial.new {
		maps.DeleteFunc(was, func(kind schema.GroupKind, _ manifest.Document) bool { _, both := is[kind]; return !both })
	}
	if partial.old {
		maps.DeleteFunc(is, func(kind schema.GroupKind, _ manifest.Document) bool { _, both := was[kind]; return !both })
	}
	o.impacts = o.definedKinds(ctx, was, is)
	if len(o.impacts) == 0 && len(c.Problems) == 0 {
		return fmt.Errorf(
			"neither %s nor %s has CustomResourceDefinitions",
			strings.Join(o.old, ", "),
			strings.Join(o.new, ", "),
		)
	}
	return nil
}

// builtinKinds are those of two releases.
func builtinKinds(before, after *server.Published) []Kind {
	all := map[schema.GroupKind]bool{}
	for _, kind := range slices.Concat(before.Kinds(), after.Kinds()) {
		all[kind.GroupKind()] = true
	}
	var out []Kind
	for _, kind := range slices.SortedFunc(maps.Keys(all), compareKinds) {
		out = append(out, Kind{GroupKind: kind, Before: before, After: after})
	}
	return out
}

func compareKinds(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }

// definitionsOf are those that can be read, by kind, and the kinds of the others.
func definitionsOf(
	documents []manifest.Document,
) (read map[schema.GroupKind]manifest.Document, unread []schema.GroupKind) {
	read = map[schema.GroupKind]manifest.Document{}
	for _, d := range documents {
		switch {
		case !cluster.IsDefinition(d.Identity):
		case custom.CheckDefinition(d.JSON()) != nil:
			unread = append(unread, cluster.DefinedBy(d))
		default:
			read[cluster.DefinedBy(d)] = d
		}
	}
	return read, unread
}

func (o *impactOptions) definedKinds(ctx context.Context, before, after map[schema.GroupKind]manifest.Document) []Kind {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var out []Kind
	for _, group := range slices.SortedFunc(maps.Keys(all), compareKinds) {
		kind := Kind{GroupKind: group, Before: o.sides.old, After: o.sides.new}
		old, had := before[group]
		fresh, has := after[group]
		if had {
			kind.Old = definitionOf(old)
		}
		if has {
			kind.New = definitionOf(fresh)
		}
		if had && has {
			result := engine.Simulate(ctx, o.sides.new, Update(*kind.Old, *kind.New))
			kind.Update = &result
		}
		out = append(out, kind)
	}
	return out
}

// definitionOf is a definition that can be read.
func definitionOf(d manifest.Document) *Definition {
	object, _ := custom.StoredDefinition(d.JSON())
	return &Definition{Source: report.Source(d.Source), Locator: cluster.Locator{Document: d}, Object: object}
}

// kindOf is the kind of a live object, of those that are compared; nil for another.
func (o *impactOptions) kindOf(object *live.Object) *Kind {
	kind := input.KindOf(object.Identity).GroupKind()
	i, found := slices.BinarySearchFunc(
		o.impacts,
		kind,
		func(k Kind, kind schema.GroupKind) int { return compareKinds(k.GroupKind, kind) },
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
	q := Object{
		Target: out.target, Live: decoded, New: o.sides.new, Now: c.Now,
		Was: kind.Before.Types(input.KindOf(object.Identity)),
	}
	if o.sides.old != nil {
		q.Old = o.sides.old
	}
	to, ok := o.written(*kind, object)
	if !ok {
		out.effects = []Effect{{Rule: kindUnserved}}
		return out
	}
	if kind.New != nil {
		out.conversion = kind.New.Conversion(to.Version)
	}
	q.To, q.Is = to, o.sides.new.Types(to)
	out.effects, out.unsimulated = Affect(ctx, q)
	return out
}

// written is the version at which an object is written from now on: its own, or one
// that the new side serves. It is false where that serves none.
func (o *impactOptions) written(kind Kind, object *live.Object) (schema.GroupVersionKind, bool) {
	own := input.KindOf(object.Identity)
	serves := func(kind schema.GroupVersionKind) bool { return o.sides.new.Resource(kind).Known }
	if serves(own) {
		return own, true
	}
	if kind.New != nil {
		for _, version := range append([]string{kind.New.Storage()}, kind.served(kind.After)...) {
			if to := own.GroupKind().WithVersion(version); serves(to) {
				return to, true
			}
		}
		return own, false
	}
	gv, err := schema.ParseGroupVersion(api.ServedAs(own, serves))
	return gv.WithKind(own.Kind), err == nil && gv.Version != "" && gv.Group == own.Group
}

func (o *impactOptions) failed(_ *cluster.Cluster, object *live.Object, err error) affected {
	return affected{problem: &report.Problem{Source: report.Source(object.Source), Message: err.Error()}}
}

var _ fields.Server = (*server.Published)(nil)
