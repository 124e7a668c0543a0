package store

import (
	"sync"
	"time"

	"github.com/google/btree"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
)

// HistoryBytes is how many bytes of old values are kept at most. Older history is then
// compacted before its time, so memory stays bounded however often clients write.
const HistoryBytes = 64 << 20

// Store holds all keys. Its methods may be called from any goroutine.
type Store struct {
	mu        sync.RWMutex
	tree      *btree.BTreeG[*versions]
	revision  int64
	compacted int64
	history   []Change
	// historyBytes are those of the values that newer versions replaced.
	historyBytes int64
	// bytes are those of all values, old ones included.
	bytes   int64
	watches map[*Watch]struct{}
	leases  map[int64]*lease
	leaseID int64
	// start has the versions of Mark of the keys that changed since, nil for one that did not exist;
	// a nil map before Mark.
	start map[string]*version
}

// New is an empty store, at revision 1 as a new etcd.
func New() *Store {
	return &Store{
		tree: btree.NewG(32, byKey), revision: 1, watches: map[*Watch]struct{}{}, leases: map[int64]*lease{},
	}
}

// View reads at one revision: no write happens meanwhile.
func (s *Store) View(read func(View) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return read(View{s})
}

// Update writes at one new revision. Without a put or a deletion the revision stays. What was
// written before an error stays written: check before writing.
func (s *Store) Update(write func(*Update) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &Update{View: View{s}, next: s.revision + 1}
	err := write(u)
	if u.wrote {
		s.revision = u.next
	}
	s.bound()
	return err
}

// View is what a reader sees; it must not be used after the call that gave it.
type View struct{ s *Store }

// Revision is that of the last write.
func (v View) Revision() int64 { return v.s.revision }

// Bytes are those of all values, with those of the history.
func (v View) Bytes() int64 { return v.s.bytes }

// Keys is how many keys there are, with those deleted since the last compaction.
func (s *Store) Keys() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.Len()
}

// Tend expires leases until stop is closed, and tells watches that asked for it every progress
// interval how far they are.
func (s *Store) Tend(progress time.Duration, stop <-chan struct{}) {
	leases, idle := time.NewTicker(time.Second), time.NewTicker(progress)
	defer leases.Stop()
	defer idle.Stop()
	for {
		select {
		case now := <-leases.C:
			s.expire(now)
		case <-idle.C:
			s.progress()
		case <-stop:
			return
		}
	}
}

// errors of etcd's API, as its clients know them.
var (
	errCompacted = rpctypes.ErrGRPCCompacted
	errFuture    = rpctypes.ErrGRPCFutureRev
	errNoLease   = rpctypes.ErrGRPCLeaseNotFound
	errSameLease = rpctypes.ErrGRPCLeaseExist
)
