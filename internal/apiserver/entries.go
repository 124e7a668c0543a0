package apiserver

import (
	"bytes"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// maxEntries bounds how many managed fields entries are compared pair by pair.
const maxEntries = 24

// owns tells whether the managed fields entries of a stored object come out of
// the field manager as they went in, when the manager applies what it owns,
// and whether what it applies is just that.
func (p *proof) owns(stored runtime.Object, e *endpoint, merge typed.ParseableType) bool {
	accessor, err := meta.Accessor(stored)
	if err != nil {
		return false
	}
	entries := accessor.GetManagedFields()
	if len(entries) == 0 || len(entries) > maxEntries {
		return false
	}
	own := -1
	for i, entry := range entries {
		if !p.plain(entry) || i > 0 && !precedes(entries[i-1], entry) || writes(entries[:i], entry) {
			return false
		}
		set := e.sets.of(entry.FieldsV1.GetRawBytes(), e, merge)
		if set == nil {
			return false
		}
		if entry.Operation == metav1.ManagedFieldsOperationApply && entry.Manager == p.call.Manager && entry.Subresource == "" {
			if own >= 0 || !p.applies(set) {
				return false
			}
			own = i
		}
	}
	return own >= 0
}

// plain tells whether an entry is at the version of the request, and has
// nothing that a round through the field manager could change.
func (p *proof) plain(entry metav1.ManagedFieldsEntry) bool {
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
func (p *proof) applies(set *knownSet) bool {
	owned := 0
	for _, path := range p.owned {
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

// maxKnownSets bounds what is remembered.
const maxKnownSets = 4096

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
	if filter := e.resets[fieldpath.APIVersion(e.scope.Kind.GroupVersion().String())]; filter != nil && !filter.Filter(fields).Equals(fields) {
		// Only of the manager's own entry would this matter.
		return &knownSet{fields: fields, size: -1}
	}
	return &knownSet{fields: fields, size: fields.Size()}
}
