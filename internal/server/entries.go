package server

import (
	"bytes"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// maxEntries bounds how many managed fields entries are compared pair by pair.
const maxEntries = 24

// managed are the managed fields entries after the apply; false where the
// field manager may write others. live are those of the stored object.
func (p *plainApply) managed(live []metav1.ManagedFieldsEntry, e *endpoint, merge typed.ParseableType) ([]metav1.ManagedFieldsEntry, bool) {
	if len(live) == 0 || len(live) > maxEntries {
		return nil, false
	}
	changed := e.owned(fieldpath.NewSet(p.overlay.changed...))
	var entries []metav1.ManagedFieldsEntry
	var own *metav1.ManagedFieldsEntry
	var last *knownSet
	for i, entry := range live {
		if !p.plainEntry(entry) || i > 0 && !precedes(live[i-1], entry) || writes(live[:i], entry) {
			return nil, false
		}
		set := e.sets.of(entry.FieldsV1.GetRawBytes(), e, merge)
		switch {
		case set == nil:
			return nil, false
		case entry.Operation == metav1.ManagedFieldsOperationApply && entry.Manager == p.call.Manager && entry.Subresource == "":
			own, last = &live[i], set
			continue
		}
		lost := set.fields.Intersection(changed)
		if lost.Empty() {
			entries = append(entries, entry)
			continue
		}
		kept := set.fields.Difference(lost)
		var ok bool
		if entry.FieldsV1, ok = fieldsOf(kept); !ok || !p.call.Force {
			return nil, false
		}
		if !kept.Empty() {
			entries = append(entries, entry)
		}
	}
	applied, ok := p.ownEntry(own, last, e)
	if !ok {
		return nil, false
	}
	at := len(entries)
	for at > 0 && precedes(applied, entries[at-1]) {
		at--
	}
	return slices.Insert(entries, at, applied), true
}

// ownEntry is the entry of the manager that applies; false where it would not
// own all that it applied last. own and last are nil where it never did.
func (p *plainApply) ownEntry(own *metav1.ManagedFieldsEntry, last *knownSet, e *endpoint) (metav1.ManagedFieldsEntry, bool) {
	entry := metav1.ManagedFieldsEntry{
		Manager:    p.call.Manager,
		Operation:  metav1.ManagedFieldsOperationApply,
		APIVersion: p.call.Kind.GroupVersion().String(),
		FieldsType: "FieldsV1",
	}
	if own != nil {
		entry = *own
	}
	if len(p.overlay.changed) > 0 {
		entry.Time = p.now()
	}
	if last != nil && p.applies(last) {
		p.repeats = len(p.overlay.changed) == 0
		return entry, true
	}
	set := fieldpath.NewSet()
	for _, path := range p.overlay.owned {
		if !untracked(path) {
			set.Insert(path)
		}
	}
	if set.Empty() || !e.owned(set).Equals(set) || last != nil && !last.fields.Difference(set).Empty() {
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
func (p *plainApply) now() *metav1.Time {
	if p.call.Now.IsZero() {
		return &metav1.Time{Time: time.Now().UTC()}
	}
	return &metav1.Time{Time: p.call.Now.UTC()}
}

// plainEntry tells whether an entry is at the version of the request, and has
// nothing that a round through the field manager could change.
func (p *plainApply) plainEntry(entry metav1.ManagedFieldsEntry) bool {
	known := entry.Operation == metav1.ManagedFieldsOperationApply || entry.Operation == metav1.ManagedFieldsOperationUpdate
	return known && entry.Manager != "" && entry.FieldsType == "FieldsV1" && entry.FieldsV1 != nil &&
		entry.APIVersion == p.call.Kind.GroupVersion().String()
}

// writes tells whether one of the entries is of the same writer as another.
func writes(entries []metav1.ManagedFieldsEntry, other metav1.ManagedFieldsEntry) bool {
	return slices.ContainsFunc(entries, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == other.Manager && e.Operation == other.Operation && e.Subresource == other.Subresource
	})
}

// precedes tells whether two entries are in the order in which the field
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

// applies tells whether the paths of the configuration are just the set, but
// for those that nobody owns.
func (p *plainApply) applies(set *knownSet) bool {
	owned := 0
	for _, path := range p.overlay.owned {
		if untracked(path) {
			continue
		}
		if !set.fields.Has(path) {
			return false
		}
		owned++
	}
	return owned == set.size
}

// untracked follows managedfields/internal/stripmeta.go, as far as a
// configuration of this path can ask for what it strips.
func untracked(path fieldpath.Path) bool {
	name := *path[0].FieldName
	return len(path) == 1 && (name == "apiVersion" || name == "kind") ||
		len(path) == 2 && name == "metadata" && path[1].FieldName != nil &&
			(*path[1].FieldName == "name" || *path[1].FieldName == "namespace")
}

// knownSet is a set of field paths that the field manager would write as it
// read it.
type knownSet struct {
	fields *fieldpath.Set
	size   int
}

// knownSets remembers the sets of an endpoint by their text: objects of one
// kind have the same over and over. Sets are read, never changed.
type knownSets struct {
	mu   sync.RWMutex
	sets map[string]*knownSet
}

// maxKnownSets bounds what is remembered: sets take memory, and those of large
// objects seldom come again.
const maxKnownSets = 256

// of gives the set of a text; nil where the field manager might write another
// one.
func (k *knownSets) of(text []byte, e *endpoint, merge typed.ParseableType) *knownSet {
	k.mu.RLock()
	set, ok := k.sets[string(text)]
	k.mu.RUnlock()
	if ok {
		return set
	}
	set = newKnownSet(text, e, merge)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sets == nil || len(k.sets) >= maxKnownSets {
		k.sets = map[string]*knownSet{}
	}
	k.sets[string(text)] = set
	return set
}

func newKnownSet(text []byte, e *endpoint, merge typed.ParseableType) *knownSet {
	fields := fieldpath.NewSet()
	if err := fields.FromJSON(bytes.NewReader(text)); err != nil || fields.Empty() {
		return nil
	}
	again, err := fields.ToJSON()
	if err != nil {
		return nil
	}
	tree, err := jsontree.Decode(text)
	if err != nil || !jsontree.Equal(again, tree) {
		return nil
	}
	// Which fields are atomic hangs on the schema alone, whatever the value.
	empty, err := merge.FromUnstructured(map[string]any{})
	if err != nil {
		return nil
	}
	if changed, err := typed.ReconcileFieldSetWithSchema(fields, empty); err != nil || changed != nil {
		return nil
	}
	if !e.owned(fields).Equals(fields) {
		// Only of the manager's own entry would this matter.
		return &knownSet{fields: fields, size: -1}
	}
	return &knownSet{fields: fields, size: fields.Size()}
}

// owned is a set without what the strategy lets nobody own through this path.
func (e *endpoint) owned(set *fieldpath.Set) *fieldpath.Set {
	filter := e.resets[fieldpath.APIVersion(e.scope.Kind.GroupVersion().String())]
	if filter == nil {
		return set
	}
	return filter.Filter(set)
}
