package clear

import (
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// next are the next applies of the Apply managers that clearing touches: those
// whose entry is cleared, and those that shared a field with a cleared entry.
func (c *clearing) next(stored map[string]any) []Next {
	var out []Next
	for _, e := range c.Owners().Readable() {
		if e.Operation != managedfields.Apply || !c.Served(e.APIVersion) {
			continue
		}
		cleared, fields := slices.ContainsFunc(c.clear, ownership.Is(e)), e.Set.Leaves()
		if !cleared {
			own := fields
			fields = fieldpath.NewSet()
			for _, o := range c.clear {
				fields = fields.Union(own.Intersection(o.Set.Leaves()))
			}
		}
		if cleared || !fields.Empty() {
			out = append(out, c.nextOf(e, cleared, fields, stored))
		}
	}
	if len(out) == 0 && c.whole() {
		out = append(out, c.first(stored))
	}
	return out
}

// first is the first apply of a manager that is made up, of all that the
// cleared entries own.
func (c *clearing) first(stored map[string]any) Next {
	apiVersion, _ := c.Write.Kind.ToAPIVersionAndKind()
	e := managedfields.Entry{}
	e.Manager, e.Operation, e.APIVersion = "another-manager", managedfields.Apply, apiVersion
	e.Set = fieldpath.NewSet()
	for _, o := range c.clear {
		if o.APIVersion == apiVersion && o.Subresource == "" {
			e.Set = e.Set.Union(o.Set)
		}
	}
	n := c.nextOf(e, false, fieldpath.NewSet(), stored)
	n.New = true
	return n
}

// nextOf is the next apply of one manager.
func (c *clearing) nextOf(e managedfields.Entry, cleared bool, fields *fieldpath.Set, stored map[string]any) Next {
	n := Next{Writer: report.WriterOf(e), Cleared: cleared}
	apply, err := c.Last(e)
	if err != nil {
		n.Unknown = err.Error()
		return n
	}
	r := apply.To(stored)
	n.Attempt, n.With = report.Attempt(r.Answer()), r.Against()
	if r.Object != nil {
		n.Shares = c.newPartners(e, r.Object)
	}
	p := prober{apply, c.Live, stored, r.Object}
	n.Probes = p.probes(fields)
	return n
}

// newPartners are the managers that own fields of an entry after an apply, and
// had no entry before.
func (c *clearing) newPartners(e managedfields.Entry, object map[string]any) []string {
	var out []string
	before := c.Owners().Roles()
	for _, o := range managedfields.Of(object).Readable() {
		if _, had := before[o.Role]; !had && o.Role != e.Role && !o.Set.Intersection(e.Set).Empty() &&
			!slices.Contains(out, o.Manager) {
			out = append(out, o.Manager)
		}
	}
	slices.Sort(out)
	return out
}

// with is the apply of a real manifest to what is live, and to what is stored
// after clearing.
func (c *clearing) with(w engine.Write, stored map[string]any) *With {
	w.Verb = api.Apply
	return &With{
		Source:  w.Source,
		Manager: w.Manager,
		Before:  answerOf(c.Simulate(w, c.Live).Result),
		After:   answerOf(c.Simulate(w, stored).Result),
	}
}

func answerOf(r report.Result) Answer {
	a := Answer{Answer: r.Answer()}
	for _, c := range r.Conflicts {
		a.Conflicts = append(a.Conflicts, Conflict{Field: c.Field, Manager: c.Manager})
	}
	for _, c := range r.Changes {
		if c.Field != ".metadata.generation" {
			a.Changes = append(a.Changes, Change{Field: c.Field, Kind: c.Kind})
		}
	}
	return a
}

// maxTried bounds how many fields are tried to find one that shows what
// clearing changes.
const maxTried = 8

// prober tries single fields of an applied configuration.
type prober struct {
	ownership.Apply
	// live is the object without clearing, stored after it, applied after the
	// next apply; nil where that is refused.
	live, stored, applied map[string]any
}

// probes drop and change one of the fields: the first for which clearing makes
// a difference, or else the first that the server lets go.
func (p prober) probes(fields *fieldpath.Set) []Probe {
	var chosen fieldpath.Path
	var drop Probe
	for _, path := range p.candidates(fields) {
		less, _ := p.Without(path)
		probe := p.probe(DropNext, path, p.effect(path, less.To(p.live)), less.To(p.stored))
		if probe.Before == Refused || probe.After == Refused {
			continue
		}
		if chosen == nil || probe.Before != probe.After {
			chosen, drop = path, probe
		}
		if probe.Before != probe.After {
			break
		}
	}
	if chosen == nil {
		return nil
	}
	out := []Probe{drop}
	if p.applied == nil {
		return out
	}
	less, _ := p.Without(chosen)
	// Without clearing, the effect is the same as at once.
	out = append(out, p.probe(DropLater, chosen, drop.Before, less.To(p.applied)))
	if probe, ok := p.changeLater(chosen); ok {
		out = append(out, probe)
	}
	return out
}

// candidates are the first of the fields that the configuration has. Keys of
// list items cannot be dropped without the item.
func (p prober) candidates(fields *fieldpath.Set) []fieldpath.Path {
	var out []fieldpath.Path
	var find managedfields.Finder
	fields.Iterate(func(path fieldpath.Path) {
		if len(out) < maxTried && find.Has(p.Shape, p.Body, path) && !managedfields.IsKey(path) {
			out = append(out, path.Copy())
		}
	})
	return out
}

// changeLater is false where no other value can be made up.
func (p prober) changeLater(path fieldpath.Path) (Probe, bool) {
	found := p.Shape.Lookup(p.Body, path)
	if len(found) != 1 {
		return Probe{}, false
	}
	other, ok := fieldtree.Other(found[0])
	if !ok {
		return Probe{}, false
	}
	changed := p.With(path, other)
	return p.probe(ChangeLater, path, p.effect(path, changed.To(p.live)), changed.To(p.applied)), true
}

func (p prober) probe(kind ProbeKind, path fieldpath.Path, before Effect, after ownership.Next) Probe {
	return Probe{Kind: kind, Field: path.String(), Before: before, After: p.effect(path, after), With: after.Against()}
}

// effect compares a field after an apply with what it is now.
func (p prober) effect(path fieldpath.Path, r ownership.Next) Effect {
	switch {
	case r.Outcome == report.Conflicted:
		return Conflicted
	case r.Outcome.Refused():
		return Refused
	}
	now, then := p.Shape.Lookup(p.Body, path), p.Shape.Lookup(r.Object, path)
	switch {
	case len(then) == 0:
		return Removed
	case !reflect.DeepEqual(now, then):
		return Changed
	}
	return Kept
}
