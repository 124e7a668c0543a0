package ownership

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Entries are the managed fields entries of an object under edit. Its laws:
//
//   - An entry that is not edited keeps its bytes, unreadable ones included.
//   - An entry that owns nothing is none.
//   - Patch, applied to the object, makes the entries that On gives, in the object's order;
//     joined ones, which have no place there, are ReplaceAll's.
type Entries struct {
	list []entry
	// read are those of the object.
	read []managedfields.Entry
}

type entry struct {
	managedfields.Entry
	// raw is the entry as read; nil for a new or changed one.
	raw any
}

// Edit begins with the entries of an object as they are.
func Edit(object map[string]any) *Entries {
	metadata, _ := object["metadata"].(map[string]any)
	raw, _ := metadata["managedFields"].([]any)
	es := &Entries{read: managedfields.Of(object).Entries}
	for _, e := range es.read {
		es.list = append(es.list, entry{e, raw[e.Index]})
	}
	return es
}

// Remove takes out the entries for which a predicate holds.
func (es *Entries) Remove(which func(managedfields.Entry) bool) {
	es.list = slices.DeleteFunc(es.list, func(e entry) bool { return which(e.Entry) })
}

// Join adds an entry, or its paths to the one of the same writer, which has the later time
// then.
func (es *Entries) Join(e managedfields.Entry) {
	i := slices.IndexFunc(es.list, func(have entry) bool { return have.Writer == e.Writer })
	switch {
	case i >= 0:
		have := &es.list[i]
		if union := have.Set.Union(e.Set); !union.Equals(have.Set) {
			have.Set, have.Time, have.raw = union, Latest(have.Time, e.Time), nil
		}
	case !e.Set.Empty():
		e.Index = joined
		es.list = append(es.list, entry{Entry: e})
	}
}

// joined is the index of an entry that the object does not have.
const joined = -1

// Become makes the entries for which a predicate holds those of an operation.
func (es *Entries) Become(which func(managedfields.Entry) bool, operation string) {
	for i := range es.list {
		if e := &es.list[i]; which(e.Entry) {
			e.Operation, e.raw = operation, nil
		}
	}
}

// Disown takes paths from every entry, as the server does when they are gone from the
// object.
func (es *Entries) Disown(gone *fieldpath.Set) { es.Prune(nil, gone) }

// Prune takes paths from the entries for which a predicate holds; nil is all.
func (es *Entries) Prune(which func(managedfields.Entry) bool, gone *fieldpath.Set) {
	for i := range es.list {
		e := &es.list[i]
		if which != nil && !which(e.Entry) {
			continue
		}
		if left := e.Set.Difference(gone); !left.Equals(e.Set) {
			e.Set, e.raw = left, nil
		}
	}
	es.Remove(func(e managedfields.Entry) bool { return e.Err == nil && e.Set.Empty() })
}

// Has reports whether a predicate holds for an entry.
func (es *Entries) Has(which func(managedfields.Entry) bool) bool {
	return slices.ContainsFunc(es.list, func(e entry) bool { return which(e.Entry) })
}

// On is a copy of an object with the entries, in the server's order (apimachinery,
// managedfields/internal/managedfields.go).
func (es *Entries) On(object map[string]any) map[string]any {
	slices.SortStableFunc(es.list, func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(seconds(a.Time), seconds(b.Time)),
			cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.APIVersion, b.APIVersion),
			cmp.Compare(a.Subresource, b.Subresource),
		)
	})
	var list []any
	for _, e := range es.list {
		if e.raw == nil {
			// A set that was read can be written.
			if encoded, err := e.Encode(); err == nil {
				list = append(list, encoded)
			}
			continue
		}
		list = append(list, e.raw)
	}
	out, metadata := maps.Clone(object), map[string]any{}
	if m, ok := object["metadata"].(map[string]any); ok {
		metadata = maps.Clone(m)
	}
	if delete(metadata, "managedFields"); list != nil {
		metadata["managedFields"] = list
	}
	out["metadata"] = metadata
	return out
}

func seconds(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return t.Unix()
}

// Latest is the later of two times; nil is before all.
func Latest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}

// Is is the predicate of one entry of the object.
func Is(e managedfields.Entry) func(managedfields.Entry) bool {
	return func(o managedfields.Entry) bool { return o.Index == e.Index }
}
