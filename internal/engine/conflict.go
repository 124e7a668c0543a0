package engine

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// conflicts gives every conflict of the answer, with values and source.
//
// The Status names the owner and writes the path as text, in the owner's API
// version. Its values are found through the owner's managed fields entry:
// that has the path itself, where the text may be ambiguous.
func (s *simulation) conflicts(a answer) []report.Conflict {
	out := []report.Conflict{}
	if a.outcome != report.Conflicted {
		return out
	}
	ix := index{simulation: s, entries: map[int]paths{}}
	for _, c := range causes.Conflicts(a.status) {
		out = append(out, ix.conflict(c))
	}
	slices.SortStableFunc(out, func(a, b report.Conflict) int {
		return cmp.Or(
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(a.Subresource, b.Subresource),
			cmp.Compare(a.APIVersion, b.APIVersion),
		)
	})
	return out
}

// paths are field paths by the text that the server writes for them. Of two
// with the same text the first in path order is kept.
type paths map[string]fieldpath.Path

func (p paths) add(path fieldpath.Path) {
	field := path.String()
	if _, ok := p[field]; !ok {
		p[field] = path.Copy()
	}
}

// index finds the paths of fields, each entry and object being walked once.
type index struct {
	*simulation
	// writers are the entries that causes speak of; nil until asked for.
	writers map[managedfields.Writer]managedfields.Entry
	entries map[int]paths
	// objects are the paths of the body and the live object; nil until asked for.
	objects paths
}

func (ix *index) conflict(c causes.Conflict) report.Conflict {
	writer, path := ix.owner(c)
	out := report.Conflict{Field: c.Field, Writer: writer, LiveMissing: true, AppliedMissing: true}
	if path == nil {
		path = ix.inObjects(c.Field)
	}
	if path == nil {
		return out
	}
	if v, ok := one(ix.lookupLive(path, writer.APIVersion)); ok {
		out.Live, out.LiveMissing = v, false
	}
	if v, ok := ix.intent.asks(path); ok {
		out.Applied, out.AppliedMissing = v, false
	}
	out.Source = ix.write.line(&ix.find, ix.shape, path)
	return out
}

// owner finds the managed fields entry that a cause names, and the path in it. Without an
// entry, as for before-first-apply, the owner is what the cause says.
func (ix *index) owner(c causes.Conflict) (report.Writer, fieldpath.Path) {
	if ix.writers == nil {
		ix.writers = byCause(ix.liveOwners().Readable())
	}
	if e, ok := ix.writers[causeKey(c.Writer)]; ok {
		if ix.entries[e.Index] == nil {
			ix.entries[e.Index] = paths{}
			e.Set.Iterate(ix.entries[e.Index].add)
		}
		return report.WriterOf(e), ix.entries[e.Index][c.Field]
	}
	w := report.Writer{
		Manager:     c.Manager,
		Operation:   c.Operation,
		Subresource: c.Subresource,
		APIVersion:  c.APIVersion,
		Time:        c.Time,
	}
	return w, nil
}

// byCause are the first entries of each writer that a cause can speak of.
func byCause(entries []managedfields.Entry) map[managedfields.Writer]managedfields.Entry {
	out := make(map[managedfields.Writer]managedfields.Entry, len(entries))
	for _, e := range slices.Backward(entries) {
		out[causeKey(e.Writer)] = e
	}
	return out
}

// causeKey is a writer without what causes do not say: the version of an apply.
func causeKey(w managedfields.Writer) managedfields.Writer {
	if w.Operation != managedfields.Update {
		w.APIVersion = ""
	}
	return w
}

// inObjects is the path of a field that no entry has, in the body, else in
// the live object; nil when neither has it.
func (ix *index) inObjects(field string) fieldpath.Path {
	if ix.objects == nil {
		ix.objects = paths{}
		for _, object := range []any{ix.write.Decoded, ix.live} {
			m, _ := object.(map[string]any)
			for _, p := range ix.shape.Paths(m) {
				ix.objects.add(p)
			}
		}
	}
	return ix.objects[field]
}

// lookupLive finds live values by a path in the terms of an API version: in
// the object as given where that is its version, else as converted.
func (ix *index) lookupLive(path fieldpath.Path, apiVersion string) []any {
	given := ix.write.LiveObject
	if given["apiVersion"] == apiVersion {
		if found := ix.find.Lookup(ix.shape, given, path); len(found) > 0 {
			return found
		}
	}
	return ix.find.Lookup(ix.shape, ix.live, path)
}

// one is the value of a field: that of the only match, or the list of them
// where an item is repeated.
func one(found []any) (any, bool) {
	switch len(found) {
	case 0:
		return nil, false
	case 1:
		return found[0], true
	default:
		return found, true
	}
}
