package text

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

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
