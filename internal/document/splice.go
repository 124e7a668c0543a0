package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Span encloses bytes of a text.
type Span struct{ Start, End int }

// Between is the span from one place to another.
func Between(start, end int) Span { return Span{start, end} }

// Of is what a span has of a text.
func (s Span) Of(text []byte) []byte { return text[s.Start:s.End] }

// Within is what brackets enclose.
func (s Span) Within() Span { return Span{s.Start + 1, s.End - 1} }

// Replaced is the one splice that replaces a span with a text.
func (s Span) Replaced(text []byte) []Splice { return Replace(s.Start, s.End, string(text)) }

// Splice replaces the bytes of a span.
type Splice struct {
	Start, End int
	Text       string
}

// Replace is the one splice that replaces a span with a text.
func Replace(start, end int, text string) []Splice { return []Splice{{start, end, text}} }

// Apply carries out splices that do not overlap, in any order.
func Apply(text []byte, splices []Splice) []byte {
	splices = slices.SortedStableFunc(slices.Values(splices), func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) })
	out := make([]byte, 0, len(text))
	done := 0
	for _, s := range splices {
		out = append(append(out, text[done:s.Start]...), s.Text...)
		done = s.End
	}
	return append(out, text[done:]...)
}

// Newline is how the lines of a text end, as far as the first one shows.
func Newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Indented puts blanks in front of every line that is not empty, and ends each as given.
func Indented(text, blanks, newline string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = blanks + line
		}
	}
	return strings.Join(lines, newline)
}
