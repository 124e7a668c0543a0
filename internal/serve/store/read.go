package store

import (
	"bytes"

	"go.etcd.io/etcd/api/v3/mvccpb"
)

// Span is a range of keys, as etcd's API has it: without an End it is the one key, with an
// End of one zero byte all keys from Key on, else those from Key to before End.
type Span struct {
	Key, End []byte
}

// open reports whether the span has no last key.
func (sp Span) open() bool { return len(sp.End) == 1 && sp.End[0] == 0 }

// Has reports whether a key is in the span.
func (sp Span) Has(key []byte) bool {
	if len(sp.End) == 0 {
		return bytes.Equal(key, sp.Key)
	}
	return bytes.Compare(key, sp.Key) >= 0 && (sp.open() || bytes.Compare(key, sp.End) < 0)
}

// Query says what is read.
type Query struct {
	Span
	// Revision is when; 0 or less means now.
	Revision int64
	// Limit is how many pairs are given at most; 0 means all.
	Limit int64
	// Bytes, when not 0, ends the reading after so many bytes of values, and Count is then that of the
	// pairs.
	Bytes int64
	// KeysOnly leaves the values out, CountOnly the pairs.
	KeysOnly, CountOnly bool
}

// Found is what a query found: the pairs sorted by key, how many keys the span has, and
// whether Limit left some out.
type Found struct {
	Pairs []*mvccpb.KeyValue
	Count int64
	More  bool
}

// Range reads a span. The error is that of etcd for a revision that is compacted, or that is
// yet to come.
func (v View) Range(q Query) (Found, error) {
	revision := q.Revision
	switch {
	case revision > v.s.revision:
		return Found{}, errFuture
	case revision <= 0:
		revision = v.s.revision
	case revision < v.s.compacted:
		return Found{}, errCompacted
	}
	return v.find(q, revision), nil
}

func (v View) find(q Query, revision int64) (found Found) {
	var values reader
	var read int64
	v.each(q.Span, func(vs *versions) bool {
		at := vs.at(revision)
		switch {
		case at == nil:
			return true
		case q.CountOnly:
		case q.Limit > 0 && int64(len(found.Pairs)) >= q.Limit, q.Bytes > 0 && read >= q.Bytes:
			if found.More = true; q.Bytes > 0 {
				return false
			}
		default:
			pair := at.bare(vs.key)
			if !q.KeysOnly {
				pair.Value = values.read(at.value)
				read += at.value.size()
			}
			found.Pairs = append(found.Pairs, pair)
		}
		found.Count++
		return true
	})
	return found
}

// each visits the keys of a span in their order, until visit says no.
func (v View) each(sp Span, visit func(*versions) bool) {
	from := &versions{key: string(sp.Key)}
	switch {
	case len(sp.End) == 0:
		if vs, ok := v.s.tree.Get(from); ok {
			visit(vs)
		}
	case sp.open():
		v.s.tree.AscendGreaterOrEqual(from, visit)
	default:
		v.s.tree.AscendRange(from, &versions{key: string(sp.End)}, visit)
	}
}

// Size is how many bytes the values of a span have.
func (s *Store) Size(of Span) (bytes int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	View{s}.each(of, func(vs *versions) bool {
		if now := vs.at(s.revision); now != nil {
			bytes += now.value.size()
		}
		return true
	})
	return bytes
}

// Get is the pair of a key; nil if there is none.
func (v View) Get(key []byte) *mvccpb.KeyValue {
	if now := v.s.now(string(key)); now != nil {
		return now.pair(string(key))
	}
	return nil
}
