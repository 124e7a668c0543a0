package migrate

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// entries are managed fields entries on their way: what was read keeps its
// bytes as long as it is not changed.
type entries struct {
	list []entry
}

type entry struct {
	managedfields.Entry
	// raw is the entry as read; nil for a new or changed one.
	raw any
}

// entriesOf are those of an object.
func entriesOf(live map[string]any, owners managedfields.Owners) entries {
	metadata, _ := live["metadata"].(map[string]any)
	raw, _ := metadata["managedFields"].([]any)
	var out entries
	for _, e := range owners.Entries {
		out.list = append(out.list, entry{Entry: e, raw: raw[e.Index]})
	}
	return out
}

// remove takes out the entries for which a predicate holds.
func (es *entries) remove(which func(managedfields.Entry) bool) {
	es.list = slices.DeleteFunc(es.list, func(e entry) bool { return which(e.Entry) })
}

// put adds an entry, or adds its paths to the one with the same identity. An
// entry that owns nothing is none.
func (es *entries) put(e managedfields.Entry) {
	for i := range es.list {
		have := &es.list[i]
		if have.Writer != e.Writer {
			continue
		}
		if union := have.Set.Union(e.Set); !union.Equals(have.Set) {
			have.Set, have.raw = union, nil
			have.Time = latest(have.Time, e.Time)
		}
		return
	}
	if !e.Set.Empty() {
		es.list = append(es.list, entry{Entry: e})
	}
}

// disown takes paths from every entry, as the server does when they are gone
// from the object.
func (es *entries) disown(gone *fieldpath.Set) {
	for i := range es.list {
		e := &es.list[i]
		if left := e.Set.Difference(gone); !left.Equals(e.Set) {
			e.Set, e.raw = left, nil
		}
	}
	es.remove(func(e managedfields.Entry) bool { return e.Err == nil && e.Set.Empty() })
}

// sort puts entries in the server's order (apimachinery,
// managedfields/internal/managedfields.go).
func (es *entries) sort() {
	slices.SortStableFunc(es.list, func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(seconds(a.Time), seconds(b.Time)),
			cmp.Compare(a.Manager, b.Manager),
			cmp.Compare(a.APIVersion, b.APIVersion),
			cmp.Compare(a.Subresource, b.Subresource),
		)
	})
}

func seconds(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return t.Unix()
}

// on is a copy of the object with these entries.
func (es *entries) on(object map[string]any) map[string]any {
	list := make([]any, 0, len(es.list))
	for _, e := range es.list {
		if e.raw != nil {
			list = append(list, e.raw)
			continue
		}
		// A set that was read can be written.
		encoded, err := e.Encode()
		if err != nil {
			continue
		}
		list = append(list, encoded)
	}
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	if len(list) == 0 {
		delete(metadata, "managedFields")
	} else {
		metadata["managedFields"] = list
	}
	return with(object, "metadata", metadata)
}

// summaries are the entries in short.
func summaries(o managedfields.Owners) []EntrySummary {
	out := []EntrySummary{}
	for _, e := range o.Entries {
		out = append(out, EntrySummary{Writer: report.WriterOf(e), Fields: leaves(e.Set)})
	}
	return out
}
