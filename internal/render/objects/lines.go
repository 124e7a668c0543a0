package objects

import (
	"strings"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// Lines are those of a text, each with its newline.
type Lines []string

// String is the text.
func (l Lines) String() string { return strings.Join(l, "") }

// yamlLines gives the lines that YAML writes for each of two objects that are mostly
// alike; none for one that is nil.
//
// The encoder takes longer than all else here. It writes once what is alike (leaf.go):
// nearly all of two sides, and most in a definition. What stands between leaves, dashes
// and indentation, is put together here.
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

// piecesOf gives of the lines of yamlLines those that differ, and so many around them
// or more. What is far from them is not written, but its lines are counted. It is false
// where the objects have to be written as a whole.
func piecesOf(live, merged map[string]any, context int) ([]piece, bool) {
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
	counter   counter
	leaves    *leaves
	stretches []stretch
	// above are the leaves that the next one may be in, outermost first.
	above []row
}

// stretch is what is written of two objects without a gap, behind lines that are equal in
// both and only counted.
type stretch struct {
	counted int
	parts   [2][]part
	// above are the leaves that the first line is in, outermost first.
	above []part
}

// part is a leaf, after the dashes of the lists whose items it begins.
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
	c.enter(r)
	at := &c.stretches[len(c.stretches)-1]
	if at.empty() {
		for _, above := range c.above[:len(c.above)-1] {
			at.above = append(at.above, c.part(above, 0))
		}
	}
	for i, in := range r.in {
		if in {
			at.parts[i] = append(at.parts[i], c.part(r, i))
		}
	}
}

func (s stretch) empty() bool { return len(s.parts[0])+len(s.parts[1]) == 0 }

func (c *composer) part(r row, side int) part {
	return part{leaf: int32(c.leaves.number(r.leaf)), dashes: int32(r.dashes[side])}
}

// enter goes on to a row, and out of the leaves that it is not in.
func (c *composer) enter(r row) {
	// An item that has fields or items itself begins left of them, where its dash is.
	dashes := max(r.dashes[0], r.dashes[1])
	indent, item := r.indent-step*dashes, r.item || dashes > 0
	for n := len(c.above); n > 0; n-- {
		// The items of a list stand below its name, and no deeper.
		if at := c.above[n-1]; at.indent < indent || at.indent == indent && item && !at.item {
			break
		}
		c.above = c.above[:n-1]
	}
	if !r.uncut() {
		c.above = append(c.above, r)
	}
}

// skip leaves out a row that is in both objects, and what is below it, and writes only
// what has an unknown number of lines.
func (c *composer) skip(r row) {
	n, known := c.counter.lines(r)
	switch {
	case known:
		c.enter(r)
		if !c.stretches[len(c.stretches)-1].empty() {
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
func (c *composer) pieces() ([]piece, bool) {
	if c.strange {
		return nil, false
	}
	written, ok := c.leaves.write()
	if !ok {
		return nil, false
	}
	out := make([]piece, len(c.stretches))
	for i, s := range c.stretches {
		out[i] = piece{above: c.lines(s.above, written), Piece: textdiff.Piece{
			Skipped: s.counted, Old: c.lines(s.parts[0], written), New: c.lines(s.parts[1], written),
		}}
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
