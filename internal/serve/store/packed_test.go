package store

import (
	"fmt"
	"strings"
	"testing"
)

// texts are as alike as objects of a kind, and one is larger than a block.
func texts(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("%d %s", i, strings.Repeat("managedFields ", 100)))
	}
	return append(all, strings.Repeat("x", 2*blockBytes), "", "the last")
}

// TestPack: each value comes back as it was, from every way to read it, in little memory.
func TestPack(t *testing.T) {
	s := New()
	var values Packer
	var pairs []Preloaded
	blocks := map[*block]bool{}
	whole := 0
	for i, text := range texts(1000) {
		value := values.Pack([]byte(text))
		blocks[value.in] = true
		whole += len(text)
		pairs = append(pairs, Preloaded{Key: fmt.Sprintf("/%04d", i), Value: value})
	}
	s.Preload(pairs)
	held := 0
	for b := range blocks {
		held += cap(b.packed) + cap(b.text)
	}
	if held > whole/5+blockBytes {
		t.Errorf("%d bytes are held in %d", whole, held)
	}
	if s.bytes != int64(whole) {
		t.Errorf("the store says that it has %d bytes, not %d", s.bytes, whole)
	}
	err := s.View(func(v View) error {
		found, err := v.Range(Query{Span: Span{Key: []byte("/"), End: []byte{0}}})
		for i, text := range texts(1000) {
			if got := string(found.Pairs[i].Value); got != text {
				t.Errorf("in a range, value %d is %.20q of %d bytes", i, got, len(got))
			}
			if got := string(v.Get(found.Pairs[i].Key).Value); got != text {
				t.Errorf("alone, value %d is %.20q of %d bytes", i, got, len(got))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPackedBefore: what a change replaces is told as it was, and keeps no other value in memory.
func TestPackedBefore(t *testing.T) {
	s := New()
	var values Packer
	s.Preload([]Preloaded{{Key: "/a", Value: values.Pack([]byte("1"))}, {Key: "/b", Value: values.Pack([]byte("2"))}})
	put(t, s, "/a", "3", 0)
	remove(t, s, "/b")
	for i, want := range []string{"1", "2"} {
		if before := s.history[i].Before.Value; string(before) != want || cap(before) > 64 {
			t.Errorf("change %d was of %q, within %d bytes", i, before, cap(before))
		}
	}
}
