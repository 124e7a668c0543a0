package recall

import (
	"strings"
	"testing"
)

// A text is remembered from the second time on, as long as there is room.
func TestTexts(t *testing.T) {
	var texts Texts[int]
	put := func(text string, value int) { texts.Put([]byte(text), func() int { return value }) }
	if put("a", 1); texts.known != nil {
		t.Errorf("remembered at first: %v", texts.known)
	}
	put("a", 1)
	put("b", 2)
	if got, ok := texts.Get([]byte("a")); !ok || got != 1 {
		t.Errorf("a: got %v, %v", got, ok)
	}
	if _, ok := texts.Get([]byte("b")); ok {
		t.Error("b is remembered")
	}
	for range 2 {
		put(strings.Repeat("c", maxText+1), 3)
	}
	if len(texts.known) != 1 {
		t.Errorf("remembered %d texts, want that of a alone", len(texts.known))
	}
}

// It never holds more than it may.
func TestTextsBounds(t *testing.T) {
	var texts Texts[int]
	for i := range 40 {
		long := []byte(strings.Repeat(string(rune('A'+i)), maxText/2))
		for range 2 {
			texts.Put(long, func() int { return i })
		}
		if got, ok := texts.Get(long); !ok || got != i {
			t.Fatalf("text %d: got %v, %v", i, got, ok)
		}
		sum := 0
		for text := range texts.known {
			sum += len(text)
		}
		if sum != texts.bytes || sum > maxBytes {
			t.Fatalf("%d bytes are remembered, counted as %d, of %d at most", sum, texts.bytes, maxBytes)
		}
	}
}
