package store

import (
	"cmp"
	"slices"
)

// Preloaded is a key that is there before the first client.
type Preloaded struct {
	Key   string
	Value Value
	// Revision is the one at which it was modified last; 0 or less means any.
	Revision int64
}

// Preload stores keys that no watch sees, and compacts all that was before: a client that
// goes on from a revision of the dump reads everything again. Of a key that is there twice,
// the first counts.
func (s *Store) Preload(pairs []Preloaded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range pairs {
		s.revision = max(s.revision, p.Revision)
	}
	for _, p := range pairs {
		at := p.Revision
		if at <= 0 {
			s.revision++
			at = s.revision
		}
		vs := &versions{
			key: p.Key,
			all: []version{{modified: at, created: at, count: 1, value: p.Value}},
		}
		if s.tree.Has(vs) {
			continue
		}
		s.tree.ReplaceOrInsert(vs)
		s.bytes += p.Value.size()
	}
	s.revision++
	s.compacted = s.revision
}

// Mark has Reset bring back what there is now, and returns the revision.
func (s *Store) Mark() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = map[string]*version{}
	return s.revision
}

// note keeps the version of Mark of a key that is about to change, nil for no version. Of a key that
// changes again it is kept already.
func (s *Store) note(key string, was *version) {
	if s.start == nil {
		return
	}
	if _, known := s.start[key]; known {
		return
	}
	if was != nil {
		was = &version{modified: was.modified, lease: was.lease, value: was.value}
	}
	s.start[key] = was
}

// Reset writes what there was at Mark: clients see changes back to that, each at a revision of
// its own. It returns how many keys changed, and does nothing before Mark. It looks only at keys
// that changed since Mark, so its time is that of the changes, however many objects there are.
func (s *Store) Reset() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var added, changed []string
	for key, was := range s.start {
		now := s.now(key)
		switch {
		case was == nil && now == nil:
			// The next one that is made is noted again.
			delete(s.start, key)
		case was == nil:
			added = append(added, key)
		case now == nil || !now.value.equal(was.value):
			changed = append(changed, key)
		}
	}
	slices.Sort(added)
	slices.SortFunc(changed, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.start[a].modified, s.start[b].modified), cmp.Compare(a, b))
	})
	for _, key := range added {
		s.each(func(u *Update) { u.Delete(key) })
		delete(s.start, key)
	}
	for _, key := range changed {
		s.each(func(u *Update) { s.restore(u, key) })
	}
	s.bound()
	return len(added) + len(changed)
}

// now is the newest version of a key; nil if it does not exist.
func (s *Store) now(key string) *version {
	if vs, ok := s.tree.Get(&versions{key: key}); ok {
		return vs.at(s.revision)
	}
	return nil
}

// each writes at a revision of its own, while the store is locked.
func (s *Store) each(write func(*Update)) {
	u := &Update{View: View{s}, next: s.revision + 1}
	write(u)
	if u.wrote {
		s.revision = u.next
	}
}

// restore writes the value of Mark. A lease that ended meanwhile holds it no longer.
func (s *Store) restore(u *Update, key string) {
	was := s.start[key]
	lease := was.lease
	if s.leases[lease] == nil {
		lease = 0
	}
	// The lease exists, so there is no error.
	_, _ = u.put(key, was.value, lease)
}
