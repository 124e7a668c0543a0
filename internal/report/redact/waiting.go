package redact

import "strings"

// waiting has the texts that are not spelled yet. To write a large value in every way costs
// more than all else that is done with it, and few values are ever quoted. Encoders leave
// letters, digits, "-", "_" and "." as they are, so each spelling of a text has the anchor of
// the text in it: a run of such characters. A text is spelled once something that is
// searched has its anchor.
type waiting struct {
	// seen has a bit for each hash of an anchor.
	seen [1 << anchorBits / 64]uint64
	// anchored are the texts by their anchors, begin by what they begin with.
	anchored map[uint64][]*unspelled
	begin    map[uint32][]*unspelled
	// odd are those that begin with something that encoders write in another way.
	odd []*unspelled
}

// unspelled is a text that stands for a value.
type unspelled struct {
	of   *value
	text string
	as   fit
	// encoded: it is the base64 encoding of the text that does.
	encoded bool
	done    bool
}

const (
	// anchorLength is how many bytes an anchor has, beginLength how many tell how a text
	// begins; a text that is cut off shows more.
	anchorLength = 8
	beginLength  = 4
	anchorBits   = 16
	// anchorWithin is where an anchor is looked for first: one that many texts begin with
	// says little.
	anchorWithin = 256
)

// add has a text wait; false where it has no anchor, or has to stand in quotes.
func (w *waiting) add(u *unspelled) bool {
	begins := u.text
	if u.encoded {
		begins = encodedStartOf(u.text)
	} else if words[u.text] {
		return false
	}
	anchor, ok := anchorOf(begins)
	if !ok {
		return false
	}
	if w.anchored == nil {
		w.anchored, w.begin = map[uint64][]*unspelled{}, map[uint32][]*unspelled{}
	}
	for _, other := range w.anchored[anchor] {
		if other.of == u.of && other.encoded == u.encoded && other.text == u.text {
			return true
		}
	}
	w.anchored[anchor] = append(w.anchored[anchor], u)
	bit := hashOf(anchor)
	w.seen[bit/64] |= 1 << (bit % 64)
	if simpleRun(begins[:beginLength]) == beginLength {
		begin := beginOf(begins)
		w.begin[begin] = append(w.begin[begin], u)
	} else {
		w.odd = append(w.odd, u)
	}
	return true
}

// in gives the texts that may be in this one, and takes them out.
func (w *waiting) in(s string) []*unspelled {
	if len(w.anchored) == 0 || len(s) < leastMixed {
		return nil
	}
	var out []*unspelled
	take := func(list []*unspelled) {
		for _, u := range list {
			if !u.done {
				u.done = true
				out = append(out, u)
			}
		}
	}
	var anchor uint64
	for i := range len(s) {
		anchor = anchor>>8 | uint64(s[i])<<56
		if bit := hashOf(anchor); i+1 < anchorLength || w.seen[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		if list, ok := w.anchored[anchor]; ok {
			take(list)
			delete(w.anchored, anchor)
		}
	}
	cut := strings.LastIndex(s, ellipsis)
	if cut < leastMixed {
		return out
	}
	take(w.odd)
	w.odd = nil
	for i := range cut - beginLength + 1 {
		begin := beginOf(s[i:])
		take(w.begin[begin])
		delete(w.begin, begin)
	}
	return out
}

// await has all spellings of a text stand for a value, once one may be quoted.
func (m *Masker) await(u *unspelled) {
	if !m.waiting.add(u) {
		m.spellNow(u)
	}
}

// wake spells what may be in a text.
func (m *Masker) wake(s string) {
	for _, u := range m.waiting.in(s) {
		m.spellNow(u)
	}
}

func (m *Masker) spellNow(u *unspelled) {
	u.done = true
	if !u.encoded {
		m.spell(u.of, u.text, u.as)
		return
	}
	for _, text := range base64Of(u.text) {
		m.spell(u.of, text, u.as)
	}
}

// anchorOf is the end of the longest run of simple characters, or of the first that is long
// enough where there is none near the beginning.
func anchorOf(s string) (uint64, bool) {
	longest, end := 0, 0
	for i := 0; i < len(s) && (i < anchorWithin || longest < anchorLength); {
		run := simpleRun(s[i:min(len(s), i+anchorWithin)])
		if run > longest {
			longest, end = run, i+run
		}
		i += max(run, 1)
	}
	if longest < anchorLength {
		return 0, false
	}
	var anchor uint64
	for i := end - anchorLength; i < end; i++ {
		anchor = anchor>>8 | uint64(s[i])<<56
	}
	return anchor, true
}

func hashOf(anchor uint64) uint64 { return anchor * 0x9e3779b97f4a7c15 >> (64 - anchorBits) }

func beginOf(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// encodedStartOf is how the base64 encoding of a text begins.
func encodedStartOf(plain string) string {
	// Whole groups of three bytes, so that what follows does not change it.
	return base64Start(plain[:min(len(plain), anchorWithin/4*3)])
}
