package objects

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// Lines are those of a text, each with its newline.
type Lines []string

// String is the text.
func (l Lines) String() string { return strings.Join(l, "") }

// yamlLines gives the lines that YAML writes for each of two objects, of which most is
// alike; none for one that is nil.
//
// The encoder takes most of the time of a diff. Here it writes once what is alike
// (leaf.go): nearly all in both sides of a diff, and most in a definition. What stands
// between leaves, names, dashes and indentation, is put together here.
func yamlLines(live, merged map[string]any) ([2]Lines, error) {
	sides := newSides()
	sides.old.strange, sides.new.strange = live != nil && len(live) == 0, merged != nil && len(merged) == 0
	sides.fields(0, live, merged)
	leaves := sides.old.leaves
	if sides.strange() {
		return linesOfTexts(live, merged)
	}
	written, ok := leaves.write()
	if !ok {
		return linesOfTexts(live, merged)
	}
	var out [2]Lines
	for i, parts := range [][]part{sides.old.parts, sides.new.parts} {
		out[i] = slices.Grow(out[i], len(parts))
		for _, p := range parts {
			out[i] = p.appendTo(out[i], leaves.list[p.leaf].indent, written[p.leaf])
		}
	}
	return out, nil
}

// linesOfTexts has the encoder write each object as a whole.
func linesOfTexts(live, merged map[string]any) ([2]Lines, error) {
	var out [2]Lines
	for i, object := range [...]map[string]any{live, merged} {
		if object == nil {
			continue
		}
		text, err := YAML(object)
		if err != nil {
			return out, err
		}
		out[i] = textdiff.Cut(text)
	}
	return out, nil
}

// part is a leaf, behind the dashes of the lists of which it begins an item.
type part struct{ leaf, dashes int32 }

// step is how much deeper a field is than what it is in, and as wide as a dash.
const step = 2

func (p part) appendTo(out Lines, indent int, lines Lines) Lines {
	if p.dashes == 0 {
		return append(out, lines...)
	}
	dashes := strings.Repeat("- ", int(p.dashes))
	first := lines[0][:indent-len(dashes)] + dashes + lines[0][indent:]
	return append(append(out, first), lines[1:]...)
}

// composer cuts an object into parts, in the order of its lines.
type composer struct {
	leaves *leaves
	parts  []part
	// strange: there is something that the encoder may write in another way where it
	// does not stand alone.
	strange bool
}

func (c *composer) add(l leaf) { c.parts = append(c.parts, part{leaf: int32(c.leaves.number(l))}) }

func (c *composer) fields(indent int, fields map[string]any) {
	for _, key := range keysOf(fields) {
		c.field(indent, key, fields[key])
	}
}

func (c *composer) field(indent int, key string, v any) {
	value, alone := c.value(v)
	c.add(leaf{indent: indent, key: key, value: value})
	if alone {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.fields(indent+step, v)
	case []any:
		// A list stands below its name, and no deeper.
		c.items(indent, v)
	}
}

func (c *composer) items(indent int, items []any) {
	for _, item := range items {
		c.item(indent, item)
	}
}

func (c *composer) item(indent int, item any) {
	value, alone := c.value(item)
	if alone {
		c.add(leaf{indent: indent, item: true, value: value})
		return
	}
	first := len(c.parts)
	switch v := item.(type) {
	case map[string]any:
		c.fields(indent+step, v)
	case []any:
		c.items(indent+step, v)
	}
	c.begin(first)
}

// begin puts a dash before a part, with which an item of a list begins.
func (c *composer) begin(first int) {
	if !c.strange {
		c.parts[first].dashes++
	}
}

// value is that of a leaf, and whether nothing is below it.
func (c *composer) value(v any) (any, bool) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, true
	case map[string]any:
		c.strange = c.strange || v == nil
		if len(v) > 0 {
			return opens{}, false
		}
		return noFields{}, true
	case []any:
		c.strange = c.strange || v == nil
		if len(v) > 0 {
			return opens{}, false
		}
		return noItems{}, true
	}
	c.strange = true
	return nil, true
}
