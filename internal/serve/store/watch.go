package store

import (
	"slices"

	"go.etcd.io/etcd/api/v3/mvccpb"
)

// Change is a put or the deletion of one key.
type Change struct {
	Revision int64
	Type     mvccpb.Event_EventType
	// Pair is the key afterwards: of a deletion it has the key and the revision.
	Pair *mvccpb.KeyValue
	// Before is the key before; nil if it did not exist.
	Before *mvccpb.KeyValue
}

// Watch is given the changes of a span, in their order.
type Watch struct {
	Span
	// From is the revision of the first change; 0 means the next one.
	From int64
	// NoPuts and NoDeletes leave changes out.
	NoPuts, NoDeletes bool
	// Begun is called before the first change, with the revision of the store.
	Begun func(revision int64)
	// Changed is called for each change. It must not block: the store is locked.
	Changed func(Change)
	// Progress, when not nil, is called now and then with a revision up to which all changes
	// were given. It must not block.
	Progress func(revision int64)
}

func (w *Watch) offer(c Change) {
	if w.NoPuts && c.Type == mvccpb.PUT || w.NoDeletes && c.Type == mvccpb.DELETE || !w.Has(c.Pair.Key) {
		return
	}
	w.Changed(c)
}

// Watch begins a watch: with what the history has from its revision on. If that is compacted,
// it returns the revision of the compaction, and the watch is not begun. At that revision etcd
// still has the change, but not what was before, which kube-apiserver takes for an error too.
func (s *Store) Watch(w *Watch) (compacted int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Begun(s.revision)
	if w.From != 0 && w.From <= s.compacted {
		return s.compacted
	}
	if w.From != 0 {
		for _, c := range s.history[s.since(w.From):] {
			w.offer(c)
		}
	}
	s.watches[w] = struct{}{}
	return 0
}

// since is where the history has the first change at a revision, or after it.
func (s *Store) since(revision int64) int {
	at, _ := slices.BinarySearchFunc(s.history, revision, func(c Change, revision int64) int {
		if c.Revision < revision {
			return -1
		}
		return 1
	})
	return at
}

// Unwatch ends a watch: it is given nothing any more.
func (s *Store) Unwatch(w *Watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.watches, w)
}

// At calls a function with the revision of the store, while nothing is written.
func (s *Store) At(say func(revision int64)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	say(s.revision)
}

func (s *Store) progress() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.watches {
		if w.Progress != nil {
			w.Progress(s.revision)
		}
	}
}
