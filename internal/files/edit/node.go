package edit

// A kind is what a node is.
type kind int

const (
	scalar kind = iota
	mapping
	sequence
	alias
)

// A node is a value and the bytes that it is written in.
type node struct {
	kind kind
	// start and end enclose the value with its anchor and tag. A value that
	// is left out has start and end behind the colon or dash. The end of a
	// block scalar or collection is behind its last character, its line break
	// left out.
	start, end int
	// flow is set for collections in brackets and braces.
	flow bool
	// lead is the first character of a scalar behind its anchor and tag.
	lead byte
	// anchor is the node's own anchor, refers the anchor that an alias means.
	anchor, refers string
	entries        []entry
}

// An entry is a field of a mapping or an item of a sequence.
type entry struct {
	// key is the name of a field.
	key string
	// start is where the key, the dash, or the item in brackets begins; colon
	// is behind the colon or the dash, and equal to start in brackets.
	start, colon int
	// merge is set for "<<".
	merge bool
	// odd is set where the layout was not understood.
	odd   bool
	value *node
}

// only reports whether a collection has a single entry.
func (n *node) only() bool { return len(n.entries) == 1 }

// names counts the anchors of a node and everything below, and the aliases
// there by the anchor that they mean.
func (n *node) names() (anchors, aliases map[string]int) {
	anchors, aliases = map[string]int{}, map[string]int{}
	var count func(*node)
	count = func(n *node) {
		if n.anchor != "" {
			anchors[n.anchor]++
		}
		if n.refers != "" {
			aliases[n.refers]++
		}
		for _, e := range n.entries {
			count(e.value)
		}
	}
	count(n)
	return anchors, aliases
}

// sound reports whether the spans of a collection's entries follow each other
// within its own. Where they do not, the layout was not understood.
func (n *node) sound() bool {
	end := n.start
	for _, e := range n.entries {
		if e.start < end || e.colon < e.start || e.value.start < e.colon || e.value.end < e.value.start {
			return false
		}
		end = e.value.end
	}
	return end <= n.end
}
