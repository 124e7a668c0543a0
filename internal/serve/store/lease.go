package store

import (
	"slices"
	"time"
)

// lease is a time after which its keys are deleted.
type lease struct {
	ends time.Time
	keys map[string]struct{}
}

// shortest is the least seconds of a lease, as etcd has it with its default election timeout.
const shortest = 2

// Grant makes a lease of so many seconds, two at least; an ID of 0 means any. The error is that
// of an ID that exists.
func (s *Store) Grant(id, seconds int64) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == 0 {
		s.leaseID++
		id = s.leaseID
	}
	if s.leases[id] != nil {
		return 0, errSameLease
	}
	s.leases[id] = &lease{
		ends: time.Now().Add(time.Duration(max(seconds, shortest)) * time.Second),
		keys: map[string]struct{}{},
	}
	return id, nil
}

// Revoke ends a lease, and deletes its keys.
func (s *Store) Revoke(id int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leases[id] == nil {
		return errNoLease
	}
	s.end(id)
	return nil
}

func (s *Store) expire(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, l := range s.leases {
		if now.After(l.ends) {
			s.end(id)
		}
	}
}

func (s *Store) end(id int64) {
	keys := make([]string, 0, len(s.leases[id].keys))
	for key := range s.leases[id].keys {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	u := &Update{View: View{s}, next: s.revision + 1}
	for _, key := range keys {
		u.Delete(key)
	}
	if u.wrote {
		s.revision = u.next
	}
	delete(s.leases, id)
}

// join and leave keep the keys of leases; 0 is none.
func (s *Store) join(key string, id int64) {
	if l := s.leases[id]; l != nil {
		l.keys[key] = struct{}{}
	}
}

func (s *Store) leave(key string, id int64) {
	if l := s.leases[id]; l != nil {
		delete(l.keys, key)
	}
}
