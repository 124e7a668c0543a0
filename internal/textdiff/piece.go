package textdiff

// Piece is where two texts may differ: the lines of both, behind some that are equal and
// not given.
type Piece struct {
	// Skipped is how many lines of either text are not given before these.
	Skipped  int
	Old, New []string
}

// InPieces returns hunks that turn one text into another, from some of their lines; none
// if those are equal. Pieces are compared one by one, so that another diff may come
// out than of the whole, as right. It is false where a change reaches lines that are not
// given, or so near to them that their context is not: then the texts have to be compared
// as a whole.
func InPieces(pieces []Piece, context int) ([]Hunk, bool) {
	var out []Hunk
	c := comparison{work: maxWork}
	old, new := 0, 0
	for i, p := range pieces {
		old, new = old+p.Skipped, new+p.Skipped
		before, after := old > 0, i < len(pieces)-1
		edits := c.script(p.Old, p.New)
		found := hunks(edits, context)
		if len(found) > 0 && (before && !equal(edits[:min(context, len(edits))], context) ||
			after && !equal(edits[max(0, len(edits)-context):], context)) {
			return nil, false
		}
		for _, h := range found {
			h.OldStart, h.NewStart = h.OldStart+old, h.NewStart+new
			out = append(out, h)
		}
		old, new = old+len(p.Old), new+len(p.New)
	}
	return out, true
}

// equal reports whether there are so many edits, and none of them changes anything.
func equal(edits []Edit, n int) bool {
	for _, e := range edits {
		if e.Kind != Equal {
			return false
		}
	}
	return len(edits) == n
}
