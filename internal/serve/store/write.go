package store

import "go.etcd.io/etcd/api/v3/mvccpb"

// Update is one transaction: all it writes has one revision.
type Update struct {
	View
	next  int64
	wrote bool
}

// Revision is that of the writes, or of the last one before it while there are none.
func (u *Update) Revision() int64 {
	if u.wrote {
		return u.next
	}
	return u.s.revision
}

// Put stores a value; it must not be changed afterwards. It returns the pair before, nil for
// a new key. The error is that of a lease that does not exist.
func (u *Update) Put(key string, value []byte, leaseID int64) (*mvccpb.KeyValue, error) {
	return u.put(key, Value{bytes: value}, leaseID)
}

func (u *Update) put(key string, value Value, leaseID int64) (*mvccpb.KeyValue, error) {
	if leaseID != 0 && u.s.leases[leaseID] == nil {
		return nil, errNoLease
	}
	vs, ok := u.s.tree.Get(&versions{key: key})
	if !ok {
		vs = &versions{key: key}
		u.s.tree.ReplaceOrInsert(vs)
	}
	is := version{modified: u.next, created: u.next, count: 1, lease: leaseID, value: value}
	var before *mvccpb.KeyValue
	was := vs.at(u.next)
	u.s.note(key, was)
	if was != nil {
		before = was.pair(key)
		is.created, is.count = was.created, was.count+1
		u.s.leave(key, was.lease)
		u.s.historyBytes += was.value.size()
	}
	u.s.join(key, leaseID)
	vs.all = append(vs.all, is)
	u.s.bytes += value.size()
	u.publish(Change{Revision: u.next, Type: mvccpb.PUT, Pair: is.pair(key), Before: before})
	return before, nil
}

// Delete removes a key, and returns the pair before, nil if there was none.
func (u *Update) Delete(key string) *mvccpb.KeyValue {
	vs, ok := u.s.tree.Get(&versions{key: key})
	if !ok {
		return nil
	}
	was := vs.at(u.next)
	if was == nil {
		return nil
	}
	before := was.pair(key)
	u.s.note(key, was)
	u.s.leave(key, was.lease)
	u.s.historyBytes += was.value.size()
	vs.all = append(vs.all, version{modified: u.next, deleted: true})
	gone := &mvccpb.KeyValue{Key: []byte(key), ModRevision: u.next}
	u.publish(Change{Revision: u.next, Type: mvccpb.DELETE, Pair: gone, Before: before})
	return before
}

// DeleteSpan removes all keys of a span, and returns the pairs before.
func (u *Update) DeleteSpan(sp Span) []*mvccpb.KeyValue {
	var before []*mvccpb.KeyValue
	for _, pair := range u.find(Query{Span: sp}, u.next).Pairs {
		before = append(before, u.Delete(string(pair.Key)))
	}
	return before
}

func (u *Update) publish(c Change) {
	u.wrote = true
	u.s.history = append(u.s.history, c)
	for w := range u.s.watches {
		w.offer(c)
	}
}
