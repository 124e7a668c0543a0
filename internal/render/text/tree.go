package text

import (
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// treeLine is a node behind its branch.
type treeLine struct {
	branch string
	node   model.Node
}

// columns are those of the branch and the text.
func (l treeLine) columns() int {
	return glyph.Columns(l.branch) + glyph.Columns(glyph.Visible(l.node.Text.String()))
}

// tree shows nodes behind branches, after an empty line, and their notes below each other. On a
// terminal, texts and notes are shortened until a line fits.
func (p *printer) tree(nodes []model.Node, at string) {
	p.line("")
	lines := branches(nodes, "")
	column, note := 0, 0
	for _, l := range lines {
		if len(l.node.Note) > 0 {
			column = max(column, l.columns())
			note = max(note, glyph.Columns(glyph.Visible(l.node.Note.String())))
		}
	}
	if room := p.width - len(at) - len(gap); p.o.Fit {
		note = min(note, room/2)
		column = min(column, room-note)
	}
	for _, l := range lines {
		p.treeLine(l, at, column, note)
	}
}

func (p *printer) treeLine(l treeLine, at string, column, note int) {
	text, owner := l.node.Text, l.node.Note
	if p.o.Fit {
		text = shortened(text, max(least, column-glyph.Columns(l.branch)))
		owner = shortened(owner, note)
	}
	line := at + p.Faint(l.branch) + p.styled(text)
	if len(owner) > 0 {
		l.node.Text = text
		line += strings.Repeat(" ", max(0, column-l.columns())) + gap + p.styled(owner)
	}
	p.line(line)
}

// branches are the lines of nodes and of those below them.
func branches(nodes []model.Node, indent string) []treeLine {
	var out []treeLine
	for i, n := range nodes {
		fork, stem := "├─ ", "│  "
		if i == len(nodes)-1 {
			fork, stem = "└─ ", "   "
		}
		out = append(out, treeLine{indent + fork, n})
		out = append(out, branches(n.Nodes, indent+stem)...)
	}
	return out
}
