package markdown

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// The bounds of a comment.
const (
	// DefaultMaxBytes is the most characters that GitHub takes in a comment.
	DefaultMaxBytes = 65536
	// MinMaxBytes is room for the counts and the sentence that names what was
	// cut.
	MinMaxBytes = 2048
	// cutReserve is room for that sentence.
	cutReserve = 1024
)

// fit puts the parts together as long as there is room: in the longest form that
// fits, or by name in the sentence at the end.
func (m *Writer) fit(heading string, parts []part) string {
	if whole, ok := m.whole(heading, parts); ok {
		return whole
	}
	var out strings.Builder
	out.WriteString(heading)
	var lost []string
	for i, form := range m.chosen(m.o.MaxBytes-cutReserve-len(heading), parts) {
		if form >= 0 {
			out.WriteString(parts[i].forms[form])
		}
		if form != 0 || parts[i].dropped {
			lost = append(lost, parts[i].name)
		}
	}
	out.WriteString(cutSentence(m.o.MaxBytes, lost))
	return out.String()
}

// chosen are the forms of the parts that fit into so many bytes; -1 for none. The worst get
// room for what must not be missed before others get any, and the details of the first come last.
func (m *Writer) chosen(room int, parts []part) []int {
	out := make([]int, len(parts))
	for i := range out {
		out[i] = -1
	}
	// longer takes the longest form of a part that fits, of those from one on.
	longer := func(i, from int) {
		now := 0
		if out[i] >= 0 {
			now = len(parts[i].forms[out[i]])
		}
		for form := from; form < len(parts[i].forms) && (out[i] < 0 || form < out[i]); form++ {
			if more := len(parts[i].forms[form]) - now; more <= room {
				out[i], room = form, room-more
				return
			}
		}
	}
	for i, p := range parts {
		if p.weight == model.Decision && len(p.forms) > 2 {
			longer(i, 1)
		} else {
			longer(i, len(p.forms)-1)
		}
	}
	for i := range parts {
		longer(i, 0)
	}
	return out
}

// whole is the comment with all parts in full, if there is room.
func (m *Writer) whole(heading string, parts []part) (string, bool) {
	var out strings.Builder
	out.WriteString(heading)
	for _, p := range parts {
		out.WriteString(p.forms[0])
		if p.dropped {
			return "", false
		}
	}
	return out.String(), m.o.MaxBytes == 0 || out.Len() <= m.o.MaxBytes
}

// cutSentence names what was cut, as far as there is room for names.
func cutSentence(limit int, lost []string) string {
	const intro = "\nThis comment was cut at %d characters. Left out, at least in part, are the details of "
	s := fmt.Sprintf(intro, limit)
	budget := cutReserve - len(s) - len(" and 1000000 more.\n")
	var names []string
	for _, name := range lost {
		code := Code(glyph.Cut(glyph.Visible(name), 60))
		if budget -= len(code) + len(", "); budget < 0 {
			break
		}
		names = append(names, code)
	}
	s += strings.Join(names, ", ")
	switch rest := len(lost) - len(names); {
	case len(names) == 0:
		return s + fmt.Sprintf("%d objects.\n", rest)
	case rest > 0:
		return s + fmt.Sprintf(" and %d more.\n", rest)
	}
	return s + ".\n"
}

const (
	// leastLines is how many lines of a list or a difference are worth showing,
	// mostLines how many are the most of a list that is shortened.
	leastLines, mostLines = 3, 800
)

// steps are the numbers of lines to which a list of so many is shortened, one after
// the other: each form has about three quarters of the one before, so that little
// room is left over.
func steps(lines int) []int {
	var out []int
	for n := min(lines*3/4, mostLines); n > leastLines; n = n * 3 / 4 {
		out = append(out, n)
	}
	if lines > leastLines {
		out = append(out, leastLines)
	}
	return out
}

// longest is how many lines the longest list, table or difference has.
func longest(list []model.Block) int {
	n := 0
	for _, b := range list {
		switch b := b.(type) {
		case model.Section:
			n = max(n, longest(b.Blocks))
		case model.List:
			n = max(n, len(b.Items))
			for _, item := range b.Items {
				n = max(n, longest(item.Blocks))
			}
		case model.Table:
			n = max(n, len(b.Rows))
		case model.Diff:
			n = max(n, len(b.Lines))
		case model.Listing:
			for _, run := range b.Runs {
				n = max(n, len(run.Lines))
			}
		}
	}
	return n
}
