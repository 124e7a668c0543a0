package store

import (
	"fmt"
	"testing"
	"time"
)

func put(t *testing.T, s *Store, key, value string, lease int64) {
	t.Helper()
	err := s.Update(func(u *Update) error {
		_, err := u.Put(key, []byte(value), lease)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, s *Store, key string) {
	t.Helper()
	if err := s.Update(func(u *Update) error { u.Delete(key); return nil }); err != nil {
		t.Fatal(err)
	}
}

// contents are the keys and values at a revision, as text.
func contents(t *testing.T, s *Store, revision int64) (text string) {
	t.Helper()
	err := s.View(func(v View) error {
		found, err := v.Range(Query{Span: Span{Key: []byte("/"), End: []byte{0}}, Revision: revision})
		for _, pair := range found.Pairs {
			text += fmt.Sprintf("%s=%s ", pair.Key, pair.Value)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// watched are the changes that a watch is given.
func watched(s *Store, from int64) (compacted int64, changes *[]string) {
	changes = &[]string{}
	compacted = s.Watch(&Watch{
		Span: Span{Key: []byte("/"), End: []byte{0}}, From: from, Begun: func(int64) {},
		Changed: func(c Change) {
			*changes = append(*changes, fmt.Sprintf("%d %s %s", c.Revision, c.Type, c.Pair.Key))
		},
	})
	return compacted, changes
}

// TestReset: a reset brings back every value of the mark, and watches see how.
func TestReset(t *testing.T) {
	s := New()
	if changed := s.Reset(); changed != 0 {
		t.Errorf("without a mark %d keys change", changed)
	}
	var values Packer
	one, two := values.Pack([]byte("1")), values.Pack([]byte("2"))
	s.Preload([]Preloaded{{"/b", one, 70}, {"/a", one, 0}, {"/b", two, 0}})
	put(t, s, "/c", "1", 0)
	began := s.Mark()
	before := contents(t, s, 0)
	if want := "/a=1 /b=1 /c=1 "; before != want || began <= 70 {
		t.Fatalf("preloaded %q at %d", before, began)
	}
	_, changes := watched(s, began+1)
	put(t, s, "/a", "2", 0)
	put(t, s, "/d", "1", 0)
	remove(t, s, "/b")
	put(t, s, "/c", "2", 0)
	put(t, s, "/c", "1", 0)
	if changed := s.Reset(); changed != 3 {
		t.Errorf("%d keys change", changed)
	}
	if after := contents(t, s, 0); after != before {
		t.Errorf("after the reset %q", after)
	}
	if n := len(*changes); n != 8 {
		t.Errorf("the watch saw %d changes: %v", n, *changes)
	}
	if changed := s.Reset(); changed != 0 {
		t.Errorf("a second reset changes %d keys", changed)
	}
	// One that a reset removed can come again, and one that it brought back can change again.
	put(t, s, "/d", "1", 0)
	put(t, s, "/a", "3", 0)
	if changed := s.Reset(); changed != 2 {
		t.Errorf("after new changes %d keys change", changed)
	}
	if after := contents(t, s, 0); after != before {
		t.Errorf("after a third reset %q", after)
	}
	// Keys that a compaction forgot come back too.
	remove(t, s, "/a")
	if err := s.Compact(s.revision); err != nil {
		t.Fatal(err)
	}
	s.Reset()
	if after := contents(t, s, 0); after != before {
		t.Errorf("after a compaction and a reset %q", after)
	}
}

// BenchmarkReset: a reset takes the time of what changed, however many keys there are.
func BenchmarkReset(b *testing.B) {
	s := New()
	var pairs []Preloaded
	var values Packer
	for i := range 50_000 {
		pairs = append(pairs, Preloaded{
			Key: fmt.Sprintf("/registry/pods/shop/web-%d", i), Value: values.Pack(make([]byte, 100)),
		})
	}
	s.Preload(pairs)
	s.Mark()
	for b.Loop() {
		for i := range 10 {
			_ = s.Update(func(u *Update) error { _, err := u.Put(pairs[i].Key, []byte("changed"), 0); return err })
		}
		if changed := s.Reset(); changed != 10 {
			b.Fatalf("%d keys changed", changed)
		}
	}
}

// TestHistoryIsBounded: however often a key is written, old values are forgotten in the end, and
// those who ask for them are told so.
func TestHistoryIsBounded(t *testing.T) {
	s := New()
	value := string(make([]byte, 1<<20))
	for range 3 * HistoryBytes >> 20 {
		put(t, s, "/a", value, 0)
	}
	if s.historyBytes > HistoryBytes || s.bytes > HistoryBytes+2<<20 {
		t.Errorf("the history has %d bytes, and the store %d", s.historyBytes, s.bytes)
	}
	if compacted, _ := watched(s, 2); compacted != s.compacted || compacted == 0 {
		t.Errorf("a watch from the start reports a compaction at %d, which was at %d", compacted, s.compacted)
	}
	err := s.View(func(v View) error {
		_, err := v.Range(Query{Span: Span{Key: []byte("/a")}, Revision: 2})
		return err
	})
	if err == nil {
		t.Error("the first value can be read")
	}
}

// TestLease: keys go with their lease, unless they left it.
func TestLease(t *testing.T) {
	s := New()
	id, err := s.Grant(0, 5)
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "/a", "1", id)
	put(t, s, "/b", "1", id)
	put(t, s, "/b", "2", 0)
	s.expire(time.Now())
	if got := contents(t, s, 0); got != "/a=1 /b=2 " {
		t.Errorf("before it ends: %q", got)
	}
	s.expire(time.Now().Add(6 * time.Second))
	if got := contents(t, s, 0); got != "/b=2 " {
		t.Errorf("after it ended: %q", got)
	}
	if err := s.Update(func(u *Update) error { _, err := u.Put("/c", nil, id); return err }); err == nil {
		t.Error("a key joins a lease that ended")
	}
}
