package objects

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/textdiff"
)

// piece is where two objects may differ.
type piece struct {
	textdiff.Piece
	// above are the lines of the keys that its first line is in, outermost first.
	above Lines
}

// given are the lines of pieces.
func given(pieces []piece) []textdiff.Piece {
	out := make([]textdiff.Piece, len(pieces))
	for i, p := range pieces {
		out[i] = p.Piece
	}
	return out
}

// placed tells of each hunk of pieces what it is in.
func placed(hunks []textdiff.Hunk, pieces []piece) []Hunk {
	out := make([]Hunk, len(hunks))
	old, new, n := 0, 0, 0
	for i, h := range hunks {
		for n < len(pieces)-1 && h.OldStart > old+pieces[n].Skipped+len(pieces[n].Old) {
			old, new = old+pieces[n].Skipped+len(pieces[n].Old), new+pieces[n].Skipped+len(pieces[n].New)
			n++
		}
		p := pieces[n]
		lines, at := p.Old, h.OldStart-1-old-p.Skipped
		if h.OldLines == 0 {
			lines, at = p.New, h.NewStart-1-new-p.Skipped
		}
		out[i] = Hunk{Hunk: h}
		if at >= 0 && at < len(lines) {
			out[i].Inside = enclosing(slices.Concat(p.above, lines[:at+1]))
		}
	}
	return out
}

// enclosing names the keys that the last of some lines is in, outermost first, by
// indentation. Empty lines of a text have none.
func enclosing(lines Lines) []string {
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "\n" })
	var keys []string
	inside := 0
	for i, line := range slices.Backward(lines) {
		start, column := yamlColumns(line)
		if i == len(lines)-1 {
			inside = start
		}
		if start >= inside {
			continue
		}
		key, _, isKey := strings.Cut(strings.TrimLeft(line, " -"), ":")
		if isKey && column < inside {
			keys = append(keys, key)
		}
		inside = start
	}
	slices.Reverse(keys)
	return keys
}

// yamlColumns gives the column of a line and that of its key. A dash counts as
// half an indentation, as the item is inside the key above it, and the line of
// dashes may hold the item's first key.
func yamlColumns(line string) (start, key int) {
	start = len(line) - len(strings.TrimLeft(line, " "))
	for key = start; strings.HasPrefix(line[key:], "- "); key += step {
	}
	return start + min(1, key-start), key
}
