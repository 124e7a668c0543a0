// Package document reads the text of one document, YAML or JSON, with the places of what
// it says: for messages, which name lines; for edits, which change bytes and nothing
// around them; and for writing back.
//
//	document.go          a value with the bytes that it is written in, and changes of these
//	json.go              what a text says, as the API server reads it; nodes of JSON, and
//	                     of YAML that can be read in one way only
//	yaml.go, scalars.go  nodes of any other YAML
//	split.go             the documents of a text
//	lines.go             lines of a text, and steps from one place of it to another
//
// Below it, scan reads JSON and lines of any length, and plainyaml is the fast reader of
// YAML: what it is not sure of is left to the libraries.
package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Kind is what a node is.
type Kind int

// The kinds of a node.
const (
	Scalar Kind = iota
	Mapping
	Sequence
	Alias
)

// Node is a value and the bytes that it is written in.
type Node struct {
	Kind Kind
	// Start and End enclose the value with its anchor and tag. A value that
	// is left out has both behind the colon or dash. The end of a
	// block scalar or collection is behind its last character, its line break
	// left out.
	Start, End int
	// Flow is set for collections in brackets and braces.
	Flow bool
	// Lead is the first character of a scalar behind its anchor and tag.
	Lead byte
	// Value is that of a scalar; Plain is set where it has neither quotes nor a tag.
	Value string
	Plain bool
	// Target is what an alias means.
	Target  *Node
	Entries []Entry
}

// Entry is a field of a mapping or an item of a sequence.
type Entry struct {
	// Key is the name of a field; PlainKey is set where it has no quotes.
	Key      string
	PlainKey bool
	// KeyNode is a key with an anchor, or one that is no scalar; nil for all others.
	KeyNode *Node
	// Line is that of a key, or of the value of an item, counted from 1; 0 for none.
	Line int
	// Start is where the key, the dash, or the item in brackets begins; Colon
	// is behind the colon or the dash, and equal to Start in brackets.
	Start, Colon int
	// Merge is set for "<<".
	Merge bool
	// Odd is set where the layout was not understood.
	Odd   bool
	Value *Node
}

// End is where an entry ends.
func (e Entry) End() int { return max(e.Value.End, e.Colon) }

// Walk visits a node and what it holds. It does not follow aliases, so it ends.
func (n *Node) Walk(visit func(*Node)) {
	visit(n)
	for _, e := range n.Entries {
		if e.KeyNode != nil {
			e.KeyNode.Walk(visit)
		}
		e.Value.Walk(visit)
	}
}

// Resolved is what an alias stands for, or the node itself.
func (n *Node) Resolved() *Node {
	for n.Kind == Alias && n.Target != nil {
		n = n.Target
	}
	return n
}

// Aliases counts the aliases at and below a node by the node that they mean.
func (n *Node) Aliases() map[*Node]int {
	aliases := map[*Node]int{}
	n.Walk(func(n *Node) {
		if n.Target != nil {
			aliases[n.Target]++
		}
	})
	return aliases
}

// IsShared reports whether an alias outside of a node refers to it or to what it holds,
// given the aliases of the document.
func (n *Node) IsShared(aliases map[*Node]int) bool {
	if len(aliases) == 0 {
		return false
	}
	within, shared := n.Aliases(), false
	n.Walk(func(n *Node) { shared = shared || aliases[n] > within[n] })
	return shared
}

// Sound reports whether the spans of a collection's entries follow each other
// within its own. Where they do not, the layout was not understood.
func (n *Node) Sound() bool {
	end := n.Start
	for _, e := range n.Entries {
		if e.Start < end || e.Colon < e.Start || e.Value.Start < e.Colon || e.Value.End < e.Value.Start {
			return false
		}
		end = e.Value.End
	}
	return end <= n.End
}

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
	splices = slices.SortedStableFunc(
		slices.Values(splices),
		func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) },
	)
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
