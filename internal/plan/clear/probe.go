package clear

import (
	"context"
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// maxTried bounds how many fields are tried to find one that shows what
// clearing changes.
const maxTried = 8

// prober tries single fields of an applied configuration.
type prober struct {
	ctx    context.Context
	server api.Server
	write  engine.Write
	body   map[string]any
	shape  managedfields.Shape
	// live is the object without clearing, stored after it, applied after the
	// next apply; nil where that is refused.
	live, stored, applied map[string]any
}

func (p *prober) apply(body any, object map[string]any) report.Result {
	w, err := extract.Send(extract.On(p.write, object), body)
	if err != nil {
		return engine.Failure(w, err)
	}
	return engine.Simulate(p.ctx, p.server, w)
}

// probes drop and change one of the fields: the first for which clearing makes
// a difference, or else the first that the server lets go.
func (p *prober) probes(fields *fieldpath.Set) []Probe {
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
func (p *prober) candidates(fields *fieldpath.Set) []fieldpath.Path {
	var out []fieldpath.Path
	var find managedfields.Finder
	fields.Iterate(func(path fieldpath.Path) {
		if len(out) < maxTried && find.Has(p.shape, p.body, path) && !isKey(path) {
			out = append(out, path.Copy())
		}
	})
	return out
}

func isKey(path fieldpath.Path) bool {
	n := len(path)
	if n < 2 || path[n-1].FieldName == nil || path[n-2].Key == nil {
		return false
	}
	for _, f := range *path[n-2].Key {
		if f.Name == *path[n-1].FieldName {
			return true
		}
	}
	return false
}

func (p *prober) dropNext(path fieldpath.Path) Probe {
	body, _ := fieldtree.Without(p.shape, p.body, path)
	after := p.apply(body, p.stored)
	return Probe{
		Kind: DropNext, Field: path.String(),
		Before: p.effect(path, p.apply(body, p.live)),
		After:  p.effect(path, after),
		With:   managersOf(after.Conflicts),
	}
}

// dropLater takes the effect without clearing, which is the same as at once.
func (p *prober) dropLater(path fieldpath.Path, before Effect) Probe {
	body, _ := fieldtree.Without(p.shape, p.body, path)
	after := p.apply(body, p.applied)
	return Probe{
		Kind: DropLater, Field: path.String(),
		Before: before,
		After:  p.effect(path, after),
		With:   managersOf(after.Conflicts),
	}
}

// changeLater is false where no other value can be made up.
func (p *prober) changeLater(path fieldpath.Path) (Probe, bool) {
	found := p.shape.Lookup(p.body, path)
	if len(found) != 1 {
		return Probe{}, false
	}
	other, ok := fieldtree.Other(found[0])
	if !ok {
		return Probe{}, false
	}
	body := fieldtree.With(p.shape, p.body, path, other)
	after := p.apply(body, p.applied)
	return Probe{
		Kind: ChangeLater, Field: path.String(),
		Before: p.effect(path, p.apply(body, p.live)),
		After:  p.effect(path, after),
		With:   managersOf(after.Conflicts),
	}, true
}

// effect compares a field after an apply with what it is now.
func (p *prober) effect(path fieldpath.Path, r report.Result) Effect {
	switch {
	case r.Outcome == report.Conflicted:
		return Conflicted
	case r.Outcome.Refused():
		return Refused
	}
	now, then := p.shape.Lookup(p.body, path), p.shape.Lookup(r.Object, path)
	switch {
	case len(then) == 0:
		return Removed
	case !reflect.DeepEqual(now, then):
		return Changed
	}
	return Kept
}
