package objects

import (
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
	c := newComposer()
	for _, r := range c.sides(live, merged) {
		c.write(r)
	}
	if pieces, ok := c.pieces(); ok {
		return [2]Lines{pieces[0].Old, pieces[0].New}, nil
	}
	return linesOfTexts(live, merged)
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

// changedLines gives of the lines of yamlLines those that differ, and so many around them
// or more. What is far from them is not written, but its lines are counted. It is false
// where the objects have to be written as a whole.
func changedLines(live, merged map[string]any, context int) ([]textdiff.Piece, bool) {
	c := newComposer()
	for _, r := range c.near(c.sides(live, merged), context) {
		if r.shown {
			c.write(r)
		} else {
			c.skip(r)
		}
	}
	return c.pieces()
}

// composer puts the lines of two objects together from rows.
type composer struct {
	cutter
	leaves    *leaves
	stretches []stretch
}

// stretch is what is written of two objects without a gap, behind lines that are equal in
// both and only counted.
type stretch struct {
	counted int
	parts   [2][]part
}

// part is a leaf, behind the dashes of the lists of which it begins an item.
type part struct{ leaf, dashes int32 }

func newComposer() *composer { return &composer{leaves: newLeaves(), stretches: make([]stretch, 1)} }

// sides lays two objects side by side.
func (c *composer) sides(live, merged map[string]any) []row {
	s := sides{cutter: cutter{strange: live != nil && len(live) == 0 || merged != nil && len(merged) == 0}}
	s.below(0, 0, live, merged)
	c.strange = s.strange
	return s.rows
}

// write adds a row and what is below it.
func (c *composer) write(r row) {
	if r.uncut() {
		for _, below := range c.cut(r) {
			c.write(below)
		}
		return
	}
	number := int32(c.leaves.number(r.leaf))
	at := &c.stretches[len(c.stretches)-1]
	for i, in := range r.in {
		if in {
			at.parts[i] = append(at.parts[i], part{leaf: number, dashes: int32(r.dashes[i])})
		}
	}
}

// skip leaves out a row that is in both objects, and what is below it, and writes only
// what has an unknown number of lines.
func (c *composer) skip(r row) {
	n, known := countLines(r)
	switch {
	case known:
		if at := c.stretches[len(c.stretches)-1]; len(at.parts[0])+len(at.parts[1]) > 0 {
			c.stretches = append(c.stretches, stretch{})
		}
		c.stretches[len(c.stretches)-1].counted += n
	case r.uncut():
		for _, below := range c.cut(r) {
			c.skip(below)
		}
	default:
		c.write(r)
	}
}

// pieces are the lines of the stretches; false where something in the objects may be
// written in another way than line by line.
func (c *composer) pieces() ([]textdiff.Piece, bool) {
	if c.strange {
		return nil, false
	}
	written, ok := c.leaves.write()
	if !ok {
		return nil, false
	}
	out := make([]textdiff.Piece, len(c.stretches))
	for i, s := range c.stretches {
		out[i] = textdiff.Piece{Skipped: s.counted, Old: c.lines(s.parts[0], written), New: c.lines(s.parts[1], written)}
	}
	return out, true
}

func (c *composer) lines(parts []part, written []Lines) Lines {
	if len(parts) == 0 {
		return nil
	}
	out := make(Lines, 0, len(parts))
	for _, p := range parts {
		out = p.appendTo(out, c.leaves.list[p.leaf].indent, written[p.leaf])
	}
	return out
}

func (p part) appendTo(out Lines, indent int, lines Lines) Lines {
	if p.dashes == 0 {
		return append(out, lines...)
	}
	dashes := strings.Repeat("- ", int(p.dashes))
	first := lines[0][:indent-len(dashes)] + dashes + lines[0][indent:]
	return append(append(out, first), lines[1:]...)
}
