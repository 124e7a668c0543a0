package text

import (
	"fmt"
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

// The bars between a margin and its line, and the rest of a line or run.
const (
	bar  = "│ "
	rest = "┊ "
)

// listing shows lines behind their margins, after an empty line. On a terminal, margins are shortened
// and lines that do not fit go on in the next.
func (p *printer) listing(l model.Listing, at string) {
	widths := p.margins(l)
	p.line("")
	room := p.width - len(at) - total(widths) - len(widths) - glyph.Columns(bar)
	for _, run := range l.Runs {
		margin := p.margin(run.Margin, widths)
		for i, line := range run.Lines {
			if left := len(run.Lines) - i; l.Shown > 0 && i == l.Shown && left > 1 && !p.o.Verbose {
				blank := strings.Repeat(" ", glyph.Columns(unpainted(margin)))
				p.line(at + blank + rest + p.Faint(fmt.Sprintf("… %d more lines; -v shows all", left)))
				break
			}
			between := bar
			for _, part := range p.chopped(line, room) {
				p.line(at + margin + between + p.styled(part))
				between = rest
			}
		}
	}
}

// margins are the widths of their columns.
func (p *printer) margins(l model.Listing) []int {
	var out []int
	for _, run := range l.Runs {
		for i, cell := range run.Margin {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], glyph.Columns(glyph.Visible(cell.String())))
			if p.o.Fit {
				out[i] = min(out[i], p.width/4)
			}
		}
	}
	return out
}

func (p *printer) margin(cells []model.Text, widths []int) string {
	var b strings.Builder
	for i, width := range widths {
		text := ""
		if i < len(cells) {
			text = p.styled(shortened(cells[i], width))
		}
		b.WriteString(text + strings.Repeat(" ", width-glyph.Columns(unpainted(text))+1))
	}
	return b.String()
}

// chopped cuts a line into pieces that fit, on a terminal.
func (p *printer) chopped(line model.Text, room int) []model.Text {
	if !p.o.Fit {
		return []model.Text{line}
	}
	room = max(room, least)
	var out []model.Text
	var piece model.Text
	used := 0
	for _, s := range line {
		for _, r := range glyph.Visible(s.Text) {
			n := glyph.RuneColumns(r)
			if used+n > room {
				out, piece, used = append(out, piece), nil, 0
			}
			piece, used = piece.With(s.Role.Of(string(r))), used+n
		}
	}
	return append(out, piece)
}
