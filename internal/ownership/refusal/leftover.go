package refusal

import (
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
)

// leftover are the live values that the manifest lacks and without which the server has
// nothing against the apply.
func (s *search) leftover(targets []target) (report.Refusal, bool) {
	kept := s.kept(targets)
	without := func(set []unit) report.Result { return s.try(s.Write.On(s.without(pathsOf(set)))) }
	set, ok := s.smallest(kept, targets, without)
	if !ok {
		set, ok = s.defaulted(kept, targets)
	}
	if !ok {
		return report.Refusal{}, false
	}
	paths := s.collapsed(set)
	out := report.Refusal{Kind: report.Leftover, Fixes: s.removing(paths, targets)}
	if len(out.Fixes) == 0 {
		wide := s.widened(paths)
		if out.Fixes = s.removing(wide, targets); len(out.Fixes) > 0 {
			paths = wide
		}
	}
	for _, p := range paths {
		f := report.RefusedField{Field: p.String(), AppliedMissing: true, Source: s.lineNear(p), Owners: s.ownersOf(p)}
		f.Live, _ = valueAt(s.Shape, s.Live, p)
		out.Fields = append(out.Fields, f)
	}
	return out, true
}

// remaining are the live values that do not go with the manifest: a leftover, or what others need of what the
// manifest changes.
func (s *search) remaining(targets []target) (report.Refusal, bool) {
	found, ok := s.leftover(targets)
	if !ok {
		return found, false
	}
	if needed, is := s.needed(found, targets); is {
		return needed, true
	}
	return found, true
}

// needed is what the manifest drops or changes, where a leftover is whole items of lists that others own: their
// container or port would have to go for a change of the manifest that its live value does without.
func (s *search) needed(leftover report.Refusal, targets []target) (report.Refusal, bool) {
	migrates := func(f report.RefusalFix) bool { return f.Kind == report.MigrateLeftover }
	if len(leftover.Fields) == 0 || slices.ContainsFunc(leftover.Fixes, migrates) {
		return report.Refusal{}, false
	}
	other := func(f report.RefusedField) bool { return !strings.HasSuffix(f.Field, "]") || len(f.Owners) == 0 }
	if slices.ContainsFunc(leftover.Fields, other) {
		return report.Refusal{}, false
	}
	live := slices.DeleteFunc(s.changed(targets), func(u unit) bool { return !u.inLive })
	keeping := func(set []unit) report.Result { return s.trying(s.reverted(set)) }
	set, ok := s.smallest(live, targets, keeping)
	if !ok {
		return report.Refusal{}, false
	}
	body, _ := s.reverted(set).(map[string]any)
	return report.Refusal{
		Kind: report.Needed, Fields: s.fieldsOf(set), Stays: leftover.Fields,
		Fixes: []report.RefusalFix{{Kind: report.KeepLive, Body: body}},
	}, true
}

// widened are the outermost fields around some paths that the manifest lacks, as far as the apply drops what
// else is in them, or nobody but their owners owns it: removed alone, a field may come back as a default, or
// leave what is not valid.
func (s *search) widened(paths []fieldpath.Path) []fieldpath.Path {
	var owners []managedfields.Entry
	for _, path := range paths {
		owners = append(owners, s.covering(path)...)
	}
	return s.around(paths, func(leaf fieldpath.Path) bool {
		return slices.ContainsFunc(s.covering(leaf), func(e managedfields.Entry) bool {
			same := func(o managedfields.Entry) bool { return o.Writer == e.Writer }
			return !s.own(e) && !slices.ContainsFunc(owners, same)
		})
	})
}

// inRoot is how long the path of a field in the root of the spec is.
const inRoot = 2

// defaulted are the live values that come back as defaults where the live object does not
// have what the manifest has next to them, too.
func (s *search) defaulted(kept []unit, targets []target) ([]unit, bool) {
	var alone bool
	// What stands in the root of the spec is next to everything.
	kept = slices.DeleteFunc(slices.Clone(kept), func(u unit) bool { return len(u.path) <= inRoot })
	without := func(set []unit) report.Result {
		paths := s.collapsed(set)
		return s.try(s.Write.On(s.withBeside(s.without(paths), paths)))
	}
	set, ok := s.smallest(kept, targets, without)
	if ok {
		alone = solved(s.try(s.Write.On(s.withBeside(s.Live, s.collapsed(set)))), targets)
	}
	// What the manifest has may do without a removal: then that must not change.
	return set, ok && !alone
}

// withBeside is an object with what the manifest has next to some paths.
func (s *search) withBeside(object map[string]any, paths []fieldpath.Path) map[string]any {
	tree := any(object)
	for _, leaf := range s.beside(paths) {
		tree = fieldtree.With(s.Shape, tree, leaf.Path, leaf.Value)
	}
	out, _ := tree.(map[string]any)
	return out
}

// beside are the fields that the manifest has next to some paths, where the live object has
// another value or none.
func (s *search) beside(paths []fieldpath.Path) []managedfields.Leaf {
	return slices.DeleteFunc(s.Shape.Leaves(s.body), func(leaf managedfields.Leaf) bool {
		next := func(p fieldpath.Path) bool { return len(p) > 1 && begins(leaf.Path, p[:len(p)-1]) }
		live, _ := valueAt(s.Shape, s.Live, leaf.Path)
		return reflect.DeepEqual(live, leaf.Value) || !slices.ContainsFunc(paths, next)
	})
}

// kept are the live values that the manifest lacks and the apply does not remove, those
// that a manager owns first: others are most often defaults.
func (s *search) kept(targets []target) []unit {
	var owned, unowned []unit
	seen := map[string]bool{}
	var find managedfields.Finder
	for _, leaf := range s.Shape.Leaves(s.Live) {
		if skipped(leaf.Path, targets) || find.Has(s.Shape, s.body, leaf.Path) {
			continue
		}
		owners := s.covering(leaf.Path)
		others := slices.ContainsFunc(owners, func(e managedfields.Entry) bool { return !s.own(e) })
		if s.applies && len(owners) > 0 && !others {
			continue
		}
		u := unit{path: outermost(s.Shape, s.body, leaf.Path), live: leaf.Value, inLive: true}
		if len(owners) > 0 {
			owned = add(owned, seen, u)
		} else {
			unowned = add(unowned, seen, u)
		}
	}
	return append(owned, unowned...)
}

// own reports whether an entry is that of the apply.
func (s *search) own(e managedfields.Entry) bool {
	return e.Manager == s.Write.Manager && e.Operation == managedfields.Apply && e.Subresource == ""
}

func pathsOf(units []unit) []fieldpath.Path {
	var out []fieldpath.Path
	for _, u := range units {
		out = append(out, u.path)
	}
	return out
}

// without is the live object without some fields, which no manager owns any more.
func (s *search) without(paths []fieldpath.Path) map[string]any {
	tree, gone := any(s.Live), fieldpath.NewSet()
	for _, p := range paths {
		tree, _ = fieldtree.Without(s.Shape, tree, p)
	}
	for _, e := range s.Owners().Readable() {
		e.Set.Iterate(func(owned fieldpath.Path) {
			if slices.ContainsFunc(paths, func(p fieldpath.Path) bool { return begins(owned, p) }) {
				gone.Insert(owned.Copy())
			}
		})
	}
	object, _ := tree.(map[string]any)
	entries := ownership.Edit(s.Live)
	entries.Disown(gone)
	return entries.On(object)
}

// begins reports whether a path begins with another one.
func begins(path, with fieldpath.Path) bool {
	return len(path) >= len(with) && path[:len(with)].Equals(with)
}

// collapsed are the outermost fields that the manifest lacks and that have nothing but
// the units.
func (s *search) collapsed(set []unit) []fieldpath.Path {
	return s.around(pathsOf(set), func(fieldpath.Path) bool { return true })
}

// around are the outermost fields around some paths that the manifest lacks, sorted: with nothing else in
// them that is to stay.
func (s *search) around(paths []fieldpath.Path, stays func(leaf fieldpath.Path) bool) []fieldpath.Path {
	leaves := s.Shape.Leaves(s.Live)
	others := func(parent fieldpath.Path) bool {
		return slices.ContainsFunc(leaves, func(l managedfields.Leaf) bool {
			within := func(p fieldpath.Path) bool { return begins(l.Path, p) }
			return begins(l.Path, parent) && !slices.ContainsFunc(paths, within) && stays(l.Path)
		})
	}
	var out []fieldpath.Path
	for _, path := range paths {
		for n := len(path) - 1; n > 1 && !s.Shape.Has(s.body, path[:n]) && !others(path[:n]); n-- {
			path = path[:n]
		}
		if !slices.ContainsFunc(out, path.Equals) {
			out = append(out, path.Copy())
		}
	}
	slices.SortFunc(out, fieldpath.Path.Compare)
	return out
}

// ownersOf are the entries that own a live field, or a part of it.
func (s *search) ownersOf(path fieldpath.Path) []report.Writer {
	var entries []managedfields.Entry
	for _, e := range s.Owners().Readable() {
		if managedfields.Covers(e.Set, path) || !managedfields.Below(e.Set, path).Empty() {
			entries = append(entries, e)
		}
	}
	return report.WritersOf(entries)
}
