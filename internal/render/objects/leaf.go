package objects

import (
	"slices"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"

	"github.com/ssactl/ssactl/internal/textdiff"
	"github.com/ssactl/ssactl/internal/yamlout"
)

// leaf is a field or an item of a list, without what is below it. The encoder writes
// leaves that are alike with the same lines, whatever stands around them.
type leaf struct {
	indent int
	item   bool
	key    string
	value  any
}

// The values of leaves that are no scalars: of one that has fields or items below it,
// and of empty maps and lists.
type (
	opens    struct{}
	noFields struct{}
	noItems  struct{}
)

// leaves are those of several objects, each of them once.
type leaves struct {
	numbers map[leaf]int
	list    []leaf
}

func newLeaves() *leaves { return &leaves{numbers: map[leaf]int{}} }

// number is the index of a leaf in the list.
func (s *leaves) number(l leaf) int {
	n, known := s.numbers[l]
	if !known {
		n = len(s.list)
		s.numbers[l] = n
		s.list = append(s.list, l)
	}
	return n
}

// level are the leaves of one indentation: their numbers, and what the encoder writes.
type level struct {
	fields, items []int
	tree          yamlv2.MapSlice
	values        []any
}

// together is how many leaves the encoder is given at once: of all that it is given, it
// holds every event until the end.
const together = 512

// write gives the lines of each leaf. It is false where a leaf may be written in another
// way than on a line that begins with its key.
func (s *leaves) write() ([]Lines, bool) {
	out := make([]Lines, len(s.list))
	for from := 0; from < len(out); from += together {
		to := min(from+together, len(out))
		if !writeLeaves(s.list[from:to], out[from:to]) {
			return nil, false
		}
	}
	return out, true
}

// writeLeaves has the encoder write leaves as one tree, in which each is as deep as it
// is: what is deeper comes behind the rest of its level.
func writeLeaves(list []leaf, out []Lines) bool {
	levels, ok := levelsOf(list)
	if !ok {
		return false
	}
	var tree yamlv2.MapSlice
	for _, l := range slices.Backward(levels) {
		if len(l.values) > 0 {
			l.tree = append(l.tree, yamlv2.MapItem{Key: "items", Value: l.values})
		}
		if tree != nil {
			l.tree = append(l.tree, yamlv2.MapItem{Key: "deeper", Value: tree})
		}
		tree = l.tree
	}
	var text strings.Builder
	text.Grow(sizeOf(list))
	encoder := yamlv2.NewEncoder(&text)
	if encoder.Encode(tree) != nil || encoder.Close() != nil {
		return false
	}
	return readLeaves(list, levels, textdiff.Cut(unwrapped(text.String())), out)
}

// sizeOf is about how long the text of leaves is.
func sizeOf(list []leaf) int {
	size := 0
	for _, l := range list {
		text, _ := l.value.(string)
		size += l.indent + len(l.key) + len(text) + len(": ''\n")
	}
	return size
}

func levelsOf(list []leaf) ([]level, bool) {
	var out []level
	for n, l := range list {
		for len(out) <= l.indent/step {
			out = append(out, level{})
		}
		at := &out[l.indent/step]
		value, ok := encodable(l.value)
		key := wrapHiddenKey(l.key)
		if !ok || !yamlout.IsKey(key) || strings.Contains(key, "\n") {
			return nil, false
		}
		if l.item {
			at.items, at.values = append(at.items, n), append(at.values, value)
			continue
		}
		at.fields, at.tree = append(at.fields, n), append(at.tree, yamlv2.MapItem{Key: key, Value: value})
	}
	return out, true
}

// encodable is what the encoder is given for the value of a leaf.
func encodable(v any) (any, bool) {
	switch v := v.(type) {
	case opens:
		return nil, true
	case noFields:
		return map[string]any{}, true
	case noItems:
		return []any{}, true
	case string:
		return yamlout.ReadBack(wrapHidden(v))
	}
	return yamlout.ReadBack(v)
}

// readLeaves finds the lines of the leaves in what the encoder wrote.
func readLeaves(list []leaf, levels []level, lines Lines, out []Lines) bool {
	for i, l := range levels {
		for _, n := range l.fields {
			out[n], lines = cutLeaf(lines, i*step)
		}
		if len(l.items) > 0 {
			_, lines = cutLeaf(lines, i*step)
		}
		for _, n := range l.items {
			out[n], lines = cutLeaf(lines, i*step)
		}
		if i < len(levels)-1 && len(lines) > 0 {
			lines = lines[1:]
		}
	}
	for n, l := range list {
		if len(out[n]) > 0 && l.value == any(opens{}) {
			out[n] = Lines{strings.TrimSuffix(out[n][0], " null\n") + "\n"}
		}
	}
	return len(lines) == 0 && !slices.ContainsFunc(out, func(l Lines) bool { return len(l) == 0 })
}

// cutLeaf cuts the first leaf off: its line, and those that are deeper or empty.
func cutLeaf(lines Lines, indent int) (leaf, rest Lines) {
	deeper, n := strings.Repeat(" ", indent+1), min(1, len(lines))
	for n < len(lines) && (lines[n] == "\n" || strings.HasPrefix(lines[n], deeper)) {
		n++
	}
	return lines[:n], lines[n:]
}
