package clear

import (
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

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
		probe := p.dropNext(path)
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
	out = append(out, p.dropLater(chosen, drop.Before))
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

func (p prober) dropNext(path fieldpath.Path) Probe {
	less, _ := p.Without(path)
	return p.probe(DropNext, path, p.effect(path, less.To(p.live)), less.To(p.stored))
}

// dropLater takes the effect without clearing, which is the same as at once.
func (p prober) dropLater(path fieldpath.Path, before Effect) Probe {
	less, _ := p.Without(path)
	return p.probe(DropLater, path, before, less.To(p.applied))
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
