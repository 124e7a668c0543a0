package fastapply

import (
	"bytes"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// knownSet is a set of field paths that the field manager would write as it read it.
type knownSet struct {
	// text is the set as it is written, one string for all who own it.
	text   string
	fields *fieldpath.Set
	// size is how many there are; -1 where some of them cannot be owned.
	size int
	// claims are the set as a tree, made once it is asked for, and whether they are all of it.
	claims func() (*claims, bool)
}

// knownSets remembers the sets of a kind by their text: objects of one
// kind have the same over and over. Sets are read, never changed.
type knownSets struct {
	mu   sync.RWMutex
	sets map[string]*knownSet
}

// maxKnownSets bounds what is remembered: sets take memory, and those of large
// objects seldom come again.
const maxKnownSets = 256

// of gives the set of a text; nil where the field manager might write another one.
func (k *knownSets) of(text []byte, merge typed.ParseableType, owned func(*fieldpath.Set) *fieldpath.Set) *knownSet {
	k.mu.RLock()
	set, ok := k.sets[string(text)]
	k.mu.RUnlock()
	if ok {
		return set
	}
	set = newKnownSet(text, merge, owned)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sets == nil || len(k.sets) >= maxKnownSets {
		k.sets = map[string]*knownSet{}
	}
	k.sets[string(text)] = set
	return set
}

func newKnownSet(text []byte, merge typed.ParseableType, owned func(*fieldpath.Set) *fieldpath.Set) *knownSet {
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
	// Which fields are atomic depends only on the schema, never on the value.
	empty, err := merge.FromUnstructured(map[string]any{})
	if err != nil {
		return nil
	}
	if changed, err := typed.ReconcileFieldSetWithSchema(fields, empty); err != nil || changed != nil {
		return nil
	}
	size := fields.Size()
	if !owned(fields).Equals(fields) {
		// Only of the manager's own entry would this matter.
		size = -1
	}
	return &knownSet{
		text:   string(text),
		fields: fields,
		size:   size,
		claims: sync.OnceValues(func() (*claims, bool) { return claimsOf(fields) }),
	}
}
