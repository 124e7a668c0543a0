package manifest

import "bytes"

// quoteFinder finds the quotes of a text, which is asked about from its start to its
// end. Most lines have none, and most texts no single one.
type quoteFinder struct {
	text           []byte
	double, single int // the next one of each; the end of the text without
	first          int // of the two
}

func newQuoteFinder(text []byte) quoteFinder {
	return quoteFinder{text: text, double: -1, single: -1, first: -1}
}

// in reports whether there is a quote in a part of the text.
func (f *quoteFinder) in(from, to int) bool {
	if f.first < from {
		f.find(from)
	}
	return f.first < to
}

// find finds the next quotes from a place on.
func (f *quoteFinder) find(from int) {
	f.double = f.next(f.double, from, '"')
	f.single = f.next(f.single, from, '\'')
	f.first = min(f.double, f.single)
}

// next is the first of a byte from a place on, where found was the one before.
func (f *quoteFinder) next(found, from int, c byte) int {
	if found >= from {
		return found
	}
	if i := bytes.IndexByte(f.text[from:], c); i >= 0 {
		return from + i
	}
	return len(f.text)
}
