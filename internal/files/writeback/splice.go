package writeback

import (
	"bytes"
	"cmp"
	"slices"
)

// A splice replaces the bytes of a span.
type splice struct {
	span
	text []byte
}

// apply carries out splices that do not overlap, in any order.
func apply(text []byte, splices []splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	out.Grow(len(text))
	done := 0
	for _, s := range splices {
		out.Write(text[done:s.start])
		out.Write(s.text)
		done = s.end
	}
	out.Write(text[done:])
	return out.Bytes()
}
