package jsontree

import "hash/maphash"

// words are the keys and strings that were read last. Objects of one kind repeat them;
// each is in memory once for many trees.
type words [1 << 11]word

// word is a text, as a string and as a leaf of a tree.
type word struct {
	text string
	leaf any
}

// maxWord is how long the texts are that are kept. Longer ones seldom come again.
const maxWord = 64

var seed = maphash.MakeSeed()

// of gives the word of a text. It is not to be held: the next text may take its place.
func (w *words) of(text []byte) *word {
	slot := &w[maphash.Bytes(seed, text)%uint64(len(w))]
	if slot.text != string(text) || slot.leaf == nil {
		slot.text = string(text)
		slot.leaf = slot.text
	}
	return slot
}
