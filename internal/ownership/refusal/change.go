package refusal

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// immutable are the values of the manifest that the server does not let the live object
// change to: with the live ones instead, it has nothing against the apply.
func (s *search) immutable(targets []target) (report.Refusal, bool) {
	if !s.creates {
		return report.Refusal{}, false
	}
	keeping := func(set []unit) report.Result { return s.trying(s.reverted(set)) }
	set, ok := s.smallest(s.changed(targets), targets, keeping)
	if !ok {
		return report.Refusal{}, false
	}
	if inner := refined(set); len(inner) > 0 && solved(keeping(inner), targets) {
		set = shrunk(inner, func(units []unit) bool { return solved(keeping(units), targets) })
	}
	set = s.completed(set)
	out := report.Refusal{Kind: report.Immutable}
	out.Fields = s.fieldsOf(set)
	if kept := keeping(set); solved(kept, targets) {
		out.Partly = kept.Outcome.Refused()
		body, _ := s.reverted(set).(map[string]any)
		out.Fixes = append(out.Fixes, report.RefusalFix{Kind: report.KeepLive, Body: body})
	}
	out.Costs = s.cost().says
	out.Fixes = append(out.Fixes, s.recreating()...)
	return out, true
}

// fieldsOf are units as fields of a refusal, by their paths.
func (s *search) fieldsOf(set []unit) []report.RefusedField {
	var out []report.RefusedField
	for _, u := range set {
		out = append(out, report.RefusedField{
			Field: u.path.String(), Live: u.live, LiveMissing: !u.inLive, Applied: u.applied, AppliedMissing: !u.inBody,
			Source: s.lineNear(u.path), Owners: s.ownersOf(u.path),
		})
	}
	slices.SortFunc(out, func(a, b report.RefusedField) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// completed adds the live values that the server wants with those of a set: the labels of a Pod template
// with the selector. A set that is not accepted with more of them either stays as it is.
func (s *search) completed(set []unit) []unit {
	more := set
	for range maxCompleted {
		r := s.trying(s.reverted(more))
		if !r.Outcome.Refused() {
			return more
		}
		had := func(c report.Cause) bool {
			return slices.ContainsFunc(s.refused.Causes, func(o report.Cause) bool { return o.Field == c.Field })
		}
		targets := targetsOf(slices.DeleteFunc(causesOf(r), had))
		beside := func(units []unit) report.Result { return s.trying(s.reverted(slices.Concat(more, units))) }
		found, ok := s.smallest(s.changed(targets), targets, beside)
		if len(targets) == 0 || !ok {
			return set
		}
		more = slices.Concat(more, found)
	}
	return set
}

// maxCompleted is how often more values are added to a set.
const maxCompleted = 2

// changed are the fields in which the manifest differs from the live object, and those
// that this apply drops.
func (s *search) changed(targets []target) []unit {
	var out []unit
	seen := map[string]bool{}
	var inLive, inBody managedfields.Finder
	for _, leaf := range s.Shape.Leaves(s.body) {
		live := inLive.Lookup(s.Shape, s.Live, leaf.Path)
		switch {
		case skipped(leaf.Path, targets) || len(live) > 1:
		case len(live) == 0:
			path := outermost(s.Shape, s.Live, leaf.Path)
			applied, _ := valueAt(s.Shape, s.body, path)
			out = add(out, seen, unit{path: path, applied: applied, inBody: true})
		case !reflect.DeepEqual(live[0], leaf.Value):
			out = add(out, seen, unit{path: leaf.Path, live: live[0], applied: leaf.Value, inLive: true, inBody: true})
		}
	}
	for _, leaf := range s.Shape.Leaves(s.Live) {
		if skipped(leaf.Path, targets) || inBody.Has(s.Shape, s.body, leaf.Path) {
			continue
		}
		others := func(e managedfields.Entry) bool { return !s.own(e) }
		if owners := s.covering(leaf.Path); len(owners) == 0 || slices.ContainsFunc(owners, others) {
			continue
		}
		path := outermost(s.Shape, s.body, leaf.Path)
		live, _ := valueAt(s.Shape, s.Live, path)
		out = add(out, seen, unit{path: path, live: live, inLive: true})
	}
	return out
}

// reverted is the manifest with the live values of some fields.
func (s *search) reverted(set []unit) any {
	body := any(s.body)
	for _, u := range set {
		if u.inLive {
			body = fieldtree.With(s.Shape, body, u.path, u.live)
		} else {
			body, _ = fieldtree.Without(s.Shape, body, u.path)
		}
	}
	return body
}

// trying simulates the apply of another body.
func (s *search) trying(body any) report.Result {
	w, err := s.Write.Send(body)
	if err != nil {
		return report.Result{Outcome: report.Failed}
	}
	return s.try(w)
}

// refined are the fields inside of atomic values in which the manifest says something else
// than the live object: what the server filled in is none. It is nil where there are no
// such values.
func refined(set []unit) []unit {
	var out []unit
	inside := false
	for _, u := range set {
		if !u.inLive || !u.inBody || !managedfields.Composite(u.applied) {
			out = append(out, u)
			continue
		}
		inside = true
		out = append(out, differing(u)...)
	}
	if !inside {
		return nil
	}
	return out
}

// differing are the fields of a value that differ from the live one, list items by their
// positions. Lists of other lengths differ as a whole.
func differing(u unit) []unit {
	if reflect.DeepEqual(u.live, u.applied) {
		return nil
	}
	var out []unit
	switch applied := u.applied.(type) {
	case map[string]any:
		live, ok := u.live.(map[string]any)
		if !ok {
			break
		}
		if foreign(applied, live) {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(applied)) {
			value, has := live[name]
			out = append(out, differing(u.child(fieldpath.PathElement{FieldName: &name}, value, has, applied[name]))...)
		}
		return out
	case []any:
		live, ok := u.live.([]any)
		if !ok || len(live) != len(applied) {
			break
		}
		for i := range applied {
			out = append(out, differing(u.child(fieldpath.PathElement{Index: &i}, live[i], true, applied[i]))...)
		}
		return out
	}
	return []unit{u}
}

// foreign reports whether two maps that have something have no key in common: one in the place of the
// other.
func foreign(a, b map[string]any) bool {
	for key := range a {
		if _, has := b[key]; has {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

func (u unit) child(pe fieldpath.PathElement, live any, inLive bool, applied any) unit {
	return unit{path: append(u.path.Copy(), pe), live: live, inLive: inLive, applied: applied, inBody: true}
}
