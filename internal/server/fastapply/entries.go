package fastapply

import (
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/server"
)

// maxEntries bounds how many managed fields entries are compared pair by pair.
const maxEntries = 24

// readEntries reads the managed fields entries of the live object; false where the
// field manager may write others.
func (a *apply) readEntries() (ok bool) {
	metadata, _ := a.live["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	a.bare = bare(a.live)
	if a.before, a.sets, ok = a.entries(list, a.owned); !ok || !inOrder(a.before) {
		return false
	}
	for i, entry := range a.before {
		if a.isOwn(entry) {
			a.own, a.last = &a.before[i], a.sets[i]
		}
	}
	return true
}

// entries reads managed fields entries and what they own; false where the field manager may
// write others, but for their order.
func (a *apply) entries(list []any, owned [][]byte) ([]metav1.ManagedFieldsEntry, []*knownSet, bool) {
	entries, ok := entriesOf(list, owned)
	sets := make([]*knownSet, len(entries))
	for i, entry := range entries {
		if !ok || !a.plainEntry(entry) || writes(entries[:i], entry) {
			return nil, nil, false
		}
		if sets[i] = a.kind.sets.of(owned[i], a.kind.merge, a.endpoint.Owned); sets[i] == nil {
			return nil, nil, false
		}
		entries[i].FieldsV1 = metav1.NewFieldsV1(sets[i].text)
	}
	return entries, sets, ok
}

// entriesOf reads entries, without what they own; false where that may not be theirs.
func entriesOf(list []any, owned [][]byte) ([]metav1.ManagedFieldsEntry, bool) {
	// Not each entry owns something, or others have a key of that name.
	if len(list) == 0 || len(list) > maxEntries || len(owned) != len(list) {
		return nil, false
	}
	entries := make([]metav1.ManagedFieldsEntry, len(list))
	for i, item := range list {
		var ok bool
		if entries[i], ok = entryOf(item); !ok {
			return nil, false
		}
	}
	return entries, true
}

// inOrder reports whether entries stand as the field manager writes them.
func inOrder(entries []metav1.ManagedFieldsEntry) bool {
	for i := 1; i < len(entries); i++ {
		if !precedes(entries[i-1], entries[i]) {
			return false
		}
	}
	return true
}

// isOwn reports whether an entry is that of what the manager applied last.
func (a *apply) isOwn(entry metav1.ManagedFieldsEntry) bool {
	return entry.Operation == metav1.ManagedFieldsOperationApply && entry.Manager == a.call.Manager &&
		entry.Subresource == ""
}

// managed are the managed fields entries after the apply, and what of others changes, which
// they lose by force; false where the field manager may write other entries.
func (a *apply) managed() ([]metav1.ManagedFieldsEntry, []taken, bool) {
	changed := a.endpoint.Owned(fieldpath.NewSet(a.overlay.changed...))
	entries := make([]metav1.ManagedFieldsEntry, 0, len(a.before)+1)
	var all []taken
	for i, entry := range a.before {
		if a.isOwn(entry) {
			continue
		}
		lost := a.sets[i].fields.Intersection(changed)
		if lost.Empty() {
			entries = append(entries, entry)
			continue
		}
		all = append(all, taken{entry, lost})
		kept := a.sets[i].fields.Difference(lost)
		var ok bool
		if entry.FieldsV1, ok = fieldsOf(kept); !ok {
			return nil, nil, false
		}
		if !kept.Empty() {
			entries = append(entries, entry)
		}
	}
	applied, ok := a.ownEntry()
	if !ok {
		return nil, nil, false
	}
	at := len(entries)
	for at > 0 && precedes(applied, entries[at-1]) {
		at--
	}
	return slices.Insert(entries, at, applied), all, true
}

// ownEntry is the entry of the manager that applies; false where it would own nothing, or
// what no manager may own.
func (a *apply) ownEntry() (metav1.ManagedFieldsEntry, bool) {
	entry := metav1.ManagedFieldsEntry{
		Manager:    a.call.Manager,
		Operation:  metav1.ManagedFieldsOperationApply,
		APIVersion: a.call.Kind.GroupVersion().String(),
		FieldsType: "FieldsV1",
	}
	if a.own != nil {
		entry = *a.own
	}
	if len(a.overlay.changed) > 0 || a.overlay.pruned {
		entry.Time = a.now()
	}
	if a.overlay.repeats {
		a.repeats = len(a.overlay.changed) == 0
		return entry, true
	}
	set := fieldpath.NewSet(a.overlay.owned...)
	if set.Empty() || !a.endpoint.Owned(set).Equals(set) {
		return entry, false
	}
	fields, ok := fieldsOf(set)
	entry.FieldsV1 = fields
	return entry, ok
}

func fieldsOf(set *fieldpath.Set) (*metav1.FieldsV1, bool) {
	text, err := set.ToJSON()
	return metav1.NewFieldsV1(string(text)), err == nil
}

// now is the time that the field manager would write.
func (a *apply) now() *metav1.Time {
	if a.call.Now.IsZero() {
		return &metav1.Time{Time: time.Now().UTC()}
	}
	return &metav1.Time{Time: a.call.Now.UTC()}
}

// plainEntry reports whether an entry is at the version of the request, and has
// nothing that a round through the field manager could change.
func (a *apply) plainEntry(entry metav1.ManagedFieldsEntry) bool {
	known := entry.Operation == metav1.ManagedFieldsOperationApply ||
		entry.Operation == metav1.ManagedFieldsOperationUpdate
	return known && entry.Manager != "" && entry.FieldsType == "FieldsV1" &&
		entry.APIVersion == a.call.Kind.GroupVersion().String()
}

// writes reports whether one of the entries is of the same writer as another.
func writes(entries []metav1.ManagedFieldsEntry, other metav1.ManagedFieldsEntry) bool {
	return slices.ContainsFunc(entries, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == other.Manager && e.Operation == other.Operation && e.Subresource == other.Subresource
	})
}

// precedes reports whether two entries are in the order in which the field
// manager writes them (managedfields/internal/managedfields.go).
func precedes(a, b metav1.ManagedFieldsEntry) bool {
	switch {
	case a.Operation != b.Operation:
		return a.Operation < b.Operation
	case seconds(a) != seconds(b):
		return seconds(a) < seconds(b)
	case a.Manager != b.Manager:
		return a.Manager < b.Manager
	}
	return a.Subresource < b.Subresource
}

func seconds(entry metav1.ManagedFieldsEntry) int64 {
	if entry.Time == nil {
		return 0
	}
	return entry.Time.Unix()
}

func bare(object map[string]any) map[string]any {
	object = maps.Clone(object)
	metadata := maps.Clone(object["metadata"].(map[string]any))
	delete(metadata, "managedFields")
	object["metadata"] = metadata
	return object
}

// internal is an object in its internal form, with entries, and the tree without entries
// that it was made of.
func (a *apply) internal(
	tree map[string]any,
	entries []metav1.ManagedFieldsEntry,
	beside server.Form,
) (server.Form, runtime.Object, error) {
	form, err := a.endpoint.Read(tree, beside)
	if err != nil {
		return form, nil, err
	}
	object, err := a.endpoint.Internal(&form)
	if err != nil {
		return form, nil, err
	}
	return form, object, setEntries(object, entries)
}

func setEntries(object runtime.Object, entries []metav1.ManagedFieldsEntry) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	accessor.SetManagedFields(entries)
	return nil
}

// entryOf reads an entry that owns something, without that; false for what would be stored
// as anything but what it says.
func entryOf(item any) (metav1.ManagedFieldsEntry, bool) {
	var entry metav1.ManagedFieldsEntry
	attributes, _ := item.(map[string]any)
	owns := false
	for key, value := range attributes {
		text, ok := value.(string)
		ok = ok && text != ""
		switch key {
		case "fieldsV1":
			_, ok = value.(map[string]any)
			owns = true
		case "manager":
			entry.Manager = text
		case "operation":
			entry.Operation = metav1.ManagedFieldsOperationType(text)
		case "apiVersion":
			entry.APIVersion = text
		case "fieldsType":
			entry.FieldsType = text
		case "subresource":
			entry.Subresource = text
		case "time":
			at, err := time.Parse(time.RFC3339, text)
			entry.Time, ok = &metav1.Time{Time: at.Local()}, err == nil && at.UTC().Format(time.RFC3339) == text
		default:
			return entry, false
		}
		if !ok {
			return entry, false
		}
	}
	return entry, owns
}
