package refusal

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// removing are ways to have fields removed from the live object, each of which has the apply
// accepted: a migration, where client-side entries own them and nothing else goes;
// a patch of the fields, or else of the entries; a migration by which more goes.
func (s *search) removing(paths []fieldpath.Path, targets []target) []report.RefusalFix {
	migrated, can := s.migrating(paths, targets)
	var out []report.RefusalFix
	if can && len(migrated.Removes) == 0 {
		out = append(out, migrated)
	}
	type way func([]fieldpath.Path, []target) (report.RefusalFix, bool)
	for _, way := range []way{s.removed, s.replaced, s.cleared, s.handedOver} {
		if fix, ok := way(paths, targets); ok {
			out = append(out, fix)
			break
		}
	}
	if can && len(migrated.Removes) > 0 {
		out = append(out, migrated)
	}
	return out
}

// removed is a patch that removes the fields.
func (s *search) removed(paths []fieldpath.Path, targets []target) (report.RefusalFix, bool) {
	return s.patching(report.RemoveLive, s.removals(paths), paths, targets)
}

// replaced is a patch that also sets what the manifest has next to them.
func (s *search) replaced(paths []fieldpath.Path, targets []target) (report.RefusalFix, bool) {
	beside := s.besides(paths)
	if len(beside) == 0 {
		return report.RefusalFix{}, false
	}
	return s.patching(report.ReplaceLive, append(s.removals(paths), beside...), paths, targets)
}

// cleared is a patch that removes the entries of the owners, where those are updates: what
// no manager owns goes with the map that the apply drops.
func (s *search) cleared(paths []fieldpath.Path, targets []target) (report.RefusalFix, bool) {
	var owners []report.Writer
	for _, p := range paths {
		owners = append(owners, s.ownersOf(p)...)
	}
	others := func(w report.Writer) bool { return w.Operation != managedfields.Update || w.Subresource != "" }
	if len(owners) == 0 || slices.ContainsFunc(owners, others) {
		return report.RefusalFix{}, false
	}
	entries := ownership.Edit(s.Live)
	entries.Remove(func(e managedfields.Entry) bool {
		return slices.ContainsFunc(owners, func(w report.Writer) bool { return is(w, e) })
	})
	operations, err := entries.Patch()
	if err != nil {
		return report.RefusalFix{}, false
	}
	operations = append(entries.Guards(ownership.Manager, ownership.Operation), operations...)
	return s.editing(report.ClearEntry, operations, targets)
}

// is reports whether an entry is that of a writer.
func is(w report.Writer, e managedfields.Entry) bool {
	of := report.WriterOf(e)
	return w.Manager == of.Manager && w.Operation == of.Operation && w.Subresource == of.Subresource &&
		w.APIVersion == of.APIVersion
}

// handedOver is a patch that makes the applier the one owner of the fields, so that it
// removes them.
func (s *search) handedOver(paths []fieldpath.Path, targets []target) (report.RefusalFix, bool) {
	i := slices.IndexFunc(s.Owners().Readable(), s.own)
	if !s.applies || i < 0 {
		return report.RefusalFix{}, false
	}
	mine, gone := s.Owners().Readable()[i], fieldpath.NewSet()
	for _, e := range s.Owners().Readable() {
		e.Set.Iterate(func(owned fieldpath.Path) {
			if slices.ContainsFunc(paths, func(p fieldpath.Path) bool { return begins(owned, p) }) {
				gone.Insert(owned.Copy())
			}
		})
	}
	entries := ownership.Edit(s.Live)
	entries.Prune(func(e managedfields.Entry) bool { return !s.own(e) }, gone)
	mine.Set = gone
	entries.Join(mine)
	operations, err := entries.Patch()
	if err != nil || gone.Empty() {
		return report.RefusalFix{}, false
	}
	operations = append(entries.Guards(ownership.Manager, ownership.Operation), operations...)
	return s.editing(report.HandOver, operations, targets)
}

// editing is a patch of the managed fields entries.
func (s *search) editing(
	kind report.RefusalFixKind, operations []report.PatchOperation, targets []target,
) (report.RefusalFix, bool) {
	return s.patching(kind, operations, nil, targets)
}

// patchManager is that of the printed patches.
const patchManager = "kubectl-patch"

// patching is a patch of the live object, if it changes nothing else and the apply is
// accepted then.
func (s *search) patching(
	kind report.RefusalFixKind, operations []report.PatchOperation, paths []fieldpath.Path, targets []target,
) (report.RefusalFix, bool) {
	w, err := s.Patching(patchManager, "", operations)
	if err != nil || len(operations) == 0 || s.left <= 0 {
		return report.RefusalFix{}, false
	}
	s.left--
	r := engine.Simulate(s.Ctx, s.Server, w)
	if r.Outcome.Refused() || r.Object == nil || kind != report.ReplaceLive && s.changesMore(r.Changes, paths) ||
		!solved(s.try(s.Write.On(r.Object)), targets) {
		return report.RefusalFix{}, false
	}
	body, err := json.Marshal(operations)
	if err != nil {
		return report.RefusalFix{}, false
	}
	line := kubectl.Named(s.Server, s.Write.Kind, s.Write.Namespace, s.Write.Name).
		Patch(kubectl.Patch{Type: kubectl.JSONPatch, Body: body})
	return report.RefusalFix{Kind: kind, Command: line, Live: r.Object}, !line.None()
}

// changesMore reports whether changes are of other fields than those, and of what a server
// counts.
func (s *search) changesMore(changes []report.Change, paths []fieldpath.Path) bool {
	return slices.ContainsFunc(changes, func(c report.Change) bool {
		within := func(p fieldpath.Path) bool {
			return managedfields.Within(c.Field, p.String()) || managedfields.Within(p.String(), c.Field)
		}
		counted := c.Field == ".metadata.generation" || managedfields.Within(c.Field, ".status")
		return !counted && !slices.ContainsFunc(paths, within)
	})
}

// removals are the operations that remove fields, after tests that the list items at these
// positions are still the same.
func (s *search) removals(paths []fieldpath.Path) []report.PatchOperation {
	var tests, out []report.PatchOperation
	for _, p := range paths {
		for n, pe := range p {
			if pe.FieldName == nil {
				tests = append(tests, s.guards(p[:n+1], pe)...)
			}
		}
		out = append(out, ownership.RemoveField(s.Shape, s.Live, p)...)
	}
	slices.SortStableFunc(out, func(a, b report.PatchOperation) int { return comparePointers(b.Path, a.Path) })
	return append(tests, out...)
}

// guards test the keys of a list item, or the value of an item of a set.
func (s *search) guards(path fieldpath.Path, pe fieldpath.PathElement) []report.PatchOperation {
	var out []report.PatchOperation
	for _, pointer := range fieldtree.Pointers(s.Shape, s.Live, path) {
		test := func(below string, value any) {
			out = append(out, report.PatchOperation{Op: "test", Path: pointer + below, Value: value})
		}
		switch {
		case pe.Value != nil:
			test("", (*pe.Value).Unstructured())
		case pe.Key != nil:
			item, _ := valueAt(s.Shape, s.Live, path)
			m, _ := item.(map[string]any)
			for _, f := range *pe.Key {
				if _, has := m[f.Name]; has {
					test("/"+jsonpointer.Escape(f.Name), f.Value.Unstructured())
				}
			}
		}
	}
	return out
}

// comparePointers orders JSON pointers, positions in lists by number.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		i, notA := strconv.Atoi(a)
		j, notB := strconv.Atoi(b)
		if notA == nil && notB == nil {
			return cmp.Compare(i, j)
		}
		return strings.Compare(a, b)
	})
}

// besides are the operations that set what the manifest has next to removed fields.
func (s *search) besides(paths []fieldpath.Path) []report.PatchOperation {
	var out []report.PatchOperation
	added := map[string]bool{}
	for _, leaf := range s.beside(paths) {
		if at := s.missing(leaf.Path); at != nil {
			if field := at.String(); !added[field] {
				added[field] = true
				out = append(out, s.adding(at)...)
			}
			continue
		}
		for _, pointer := range fieldtree.Pointers(s.Shape, s.Live, leaf.Path) {
			out = append(out, report.PatchOperation{Op: "replace", Path: pointer, Value: leaf.Value})
		}
	}
	return out
}

// missing is the outermost part of a path that the live object lacks; nil where it has it all.
func (s *search) missing(path fieldpath.Path) fieldpath.Path {
	for n := 1; n <= len(path); n++ {
		if !s.Shape.Has(s.Live, path[:n]) {
			return path[:n]
		}
	}
	return nil
}

// adding is the operation that sets a field as the manifest has it, in a map that is there.
func (s *search) adding(path fieldpath.Path) []report.PatchOperation {
	value, ok := valueAt(s.Shape, s.body, path)
	name := path[len(path)-1].FieldName
	if !ok || name == nil {
		return nil
	}
	var out []report.PatchOperation
	for _, pointer := range fieldtree.Pointers(s.Shape, s.Live, path[:len(path)-1]) {
		out = append(out, report.PatchOperation{Op: "add", Path: pointer + "/" + jsonpointer.Escape(*name), Value: value})
	}
	return out
}

// migrating moves the client-side entries that own the fields to the applier, if each has
// such an owner: then the apply removes them, and what else the entries own and the
// manifest lacks.
func (s *search) migrating(paths []fieldpath.Path, targets []target) (report.RefusalFix, bool) {
	from := s.clientSide(paths)
	if from == nil || s.Write.Manager == "" || !s.applies || s.left <= 0 {
		return report.RefusalFix{}, false
	}
	opts := migration.Options{To: s.Write.Manager, From: from, Claim: migration.ClaimLeftover, Send: s.Object.Send}
	object := migration.Object{Target: s.Write.Target(), Live: s.Live, Manifest: s.body}
	m := migration.Run(s.Ctx, s.Server, object, opts, s.Write.Now)
	if m.Verdict != migration.Migrates || m.Object == nil {
		return report.RefusalFix{}, false
	}
	r := s.try(s.Write.On(m.Object))
	if !solved(r, targets) {
		return report.RefusalFix{}, false
	}
	fix := report.RefusalFix{Kind: report.MigrateLeftover, From: from, Live: m.Object}
	for _, c := range r.Changes {
		if c.Kind == report.Removed && s.changesMore([]report.Change{c}, paths) {
			fix.Removes = append(fix.Removes, c.Field)
		}
	}
	return fix, true
}

// clientSide are the managers of client-side entries that own the fields; nil where one of
// the fields has another owner only.
func (s *search) clientSide(paths []fieldpath.Path) []string {
	var out []string
	for _, p := range paths {
		owners := slices.DeleteFunc(s.ownersOf(p), func(w report.Writer) bool {
			kind := writers.Judge(w, s.Write.Manager, p.String(), s.Live).Kind
			tool := []writers.WriterKind{writers.ClientSide, writers.Deployer, writers.GitOps, writers.Self}
			return w.Operation != managedfields.Update || w.Subresource != "" || !slices.Contains(tool, kind)
		})
		if len(owners) == 0 {
			return nil
		}
		for _, w := range owners {
			if !slices.Contains(out, w.Manager) {
				out = append(out, w.Manager)
			}
		}
	}
	return out
}
