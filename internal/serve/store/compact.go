package store

// Compact forgets what was before a revision: reading there, or watching from there, is an
// error afterwards. The error is that of a revision that is compacted already, or that is yet
// to come.
func (s *Store) Compact(revision int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case revision > s.revision:
		return errFuture
	case revision <= s.compacted:
		return errCompacted
	}
	s.compact(revision)
	return nil
}

// Compacted is the revision before which there is no history.
func (s *Store) Compacted() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.compacted
}

// compact visits only the keys that changed: the others have one version.
func (s *Store) compact(revision int64) {
	s.compacted = revision
	end := s.since(revision + 1)
	for _, c := range s.history[:end] {
		vs, ok := s.tree.Get(&versions{key: string(c.Pair.Key)})
		if !ok {
			continue
		}
		freed, gone := vs.trim(revision)
		s.bytes -= freed
		s.historyBytes -= freed
		if gone {
			s.tree.Delete(vs)
		}
	}
	s.history = append([]Change(nil), s.history[end:]...)
}

// bound compacts the older half of the history when it is larger than HistoryBytes.
func (s *Store) bound() {
	if s.historyBytes <= HistoryBytes || len(s.history) < 2 {
		return
	}
	if middle := s.history[len(s.history)/2].Revision; middle > s.compacted {
		s.compact(middle)
	}
}
