package store

import (
	"bytes"
	"cmp"
	"slices"
)

// Preloaded is a key that is there before the first client.
type Preloaded struct {
	Key   string
	Value []byte
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
		s.bytes += int64(len(p.Value))
	}
	s.revision++
	s.compacted = s.revision
}

// Mark notes what there is now, for Reset, and returns the revision.
func (s *Store) Mark() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = make(map[string]version, s.tree.Len())
	s.tree.Ascend(func(vs *versions) bool {
		if now := vs.at(s.revision); now != nil {
			s.start[vs.key] = *now
		}
		return true
	})
	return s.revision
}

// Reset writes what there was at Mark: clients see changes back to that, each at a revision of
// its own. It returns how many keys changed, and does nothing before Mark.
func (s *Store) Reset() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start == nil {
		return 0
	}
	var added, changed []string
	s.tree.Ascend(func(vs *versions) bool {
		now := vs.at(s.revision)
		was, there := s.start[vs.key]
		switch {
		case now != nil && !there:
			added = append(added, vs.key)
		case now != nil && now.modified != was.modified && !bytes.Equal(now.value, was.value), now == nil && there:
			changed = append(changed, vs.key)
		}
		return true
	})
	for key := range s.start {
		if !s.tree.Has(&versions{key: key}) {
			changed = append(changed, key)
		}
	}
	slices.SortFunc(changed, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.start[a].modified, s.start[b].modified), cmp.Compare(a, b))
	})
	for _, key := range added {
		s.each(func(u *Update) { u.Delete(key) })
	}
	for _, key := range changed {
		s.each(func(u *Update) { s.restore(u, key) })
	}
	s.bound()
	return len(added) + len(changed)
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
	_, _ = u.Put(key, was.value, lease)
}
