package objects

import "slices"

// near finds what a diff shows of two objects: the rows that differ, and at least so many
// around them, which are cut as far as that. The others stay as they are.
func (c *cutter) near(rows []row, context int) []row {
	rows = behind(rows, context, c.cut)
	slices.Reverse(rows)
	rows = behind(rows, context, func(r row) []row {
		below := c.cut(r)
		slices.Reverse(below)
		return below
	})
	slices.Reverse(rows)
	return rows
}

// behind finds the rows that differ, and so many behind each.
func behind(rows []row, context int, cut func(row) []row) []row {
	out := make([]row, 0, len(rows))
	left := 0
	var take func(row)
	take = func(r row) {
		switch {
		case r.differs():
			left, r.shown = context, true
		case left > 0 && r.uncut():
			for _, below := range cut(r) {
				take(below)
			}
			return
		case left > 0:
			left--
			r.shown = true
		}
		out = append(out, r)
	}
	for _, r := range rows {
		take(r)
	}
	return out
}
