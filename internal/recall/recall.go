// Package recall remembers what texts were read as that come over and over: above all
// what field managers own, of which the objects of one kind say the same.
package recall

import "hash/maphash"

// What is remembered: texts of so many bytes in sum, and none that is longer than a
// quarter of it. Then it starts anew.
const (
	maxBytes = 256 << 10
	maxText  = maxBytes / 4
)

// slots are for texts that came once.
const slots = 1 << 10

// Texts remembers values by their texts. The zero value remembers none yet. It is not
// for several goroutines at once.
type Texts[V any] struct {
	known map[string]V
	bytes int
	// once has the hashes of texts that came, most of which will not come again.
	once [slots]uint64
}

var seed = maphash.MakeSeed()

// Get gives the value of a text; false where it is not remembered.
func (t *Texts[V]) Get(text []byte) (V, bool) {
	value, ok := t.known[string(text)]
	return value, ok
}

// Put says what a text was read as. It is remembered from the second time on: value
// is called then.
func (t *Texts[V]) Put(text []byte, value func() V) {
	if len(text) > maxText {
		return
	}
	hash := maphash.Bytes(seed, text)
	if slot := &t.once[hash%slots]; *slot != hash {
		*slot = hash
		return
	}
	if t.known == nil || t.bytes+len(text) > maxBytes {
		t.known, t.bytes = map[string]V{}, 0
	}
	t.known[string(text)] = value()
	t.bytes += len(text)
}
