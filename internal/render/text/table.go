package text

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// gap is between two columns.
const gap = "  "

// table has its columns below each other. On a terminal that is too narrow for that, the
// columns of values give way, and those that the table names; where that is not enough,
// the cells of a row go on in lines behind the first, so that no name is cut.
func (p *printer) table(t model.Table, at string) {
	if t.Apart {
		p.line("")
	}
	rows := t.Rows
	header := slices.ContainsFunc(t.Columns, func(c model.Column) bool { return c.Title != "" })
	widths := p.widths(t, header)
	if room := p.width - len(at) - len(gap)*(len(widths)-1); p.o.Fit && total(widths) > room {
		// Columns may say themselves which of them give way.
		named := slices.ContainsFunc(t.Columns, func(c model.Column) bool { return c.Whole })
		if total(widths)*4 > room*5 && !named || !fit(t, widths, room) {
			p.stacked(t, at)
			return
		}
	}
	if header {
		titles := make([]model.Text, len(t.Columns))
		for i, c := range t.Columns {
			titles[i] = model.Text{model.Faint.Of(c.Title)}
		}
		p.row(t.Columns, titles, widths, at)
	}
	for i, row := range rows {
		if p.folds(t, header) && p.folded(i, len(rows), t.Shown, at) {
			return
		}
		p.row(t.Columns, row, widths, at)
	}
}

// folds reports whether rows may be left out: off a terminal a table with a header
// is searched.
func (p *printer) folds(t model.Table, header bool) bool { return t.Shown > 0 && (p.o.Fit || !header) }

// widths are those of the columns.
func (p *printer) widths(t model.Table, header bool) []int {
	out := make([]int, len(t.Columns))
	shown := t.Rows
	if p.folds(t, header) && !p.o.Verbose && len(shown) > t.Shown+1 {
		shown = shown[:t.Shown]
	}
	for i, c := range t.Columns {
		if header {
			out[i] = glyph.Columns(glyph.Visible(c.Title))
		}
		for _, row := range shown {
			out[i] = max(out[i], columns(row[i]))
		}
	}
	return out
}

const (
	// least is how narrow a part of a line may become.
	least = 8
	// leastValues is how narrow a column of values becomes: of two values in fewer columns, nothing is
	// left to read.
	leastValues = 24
	// leastWhole is how narrow one becomes before the others do, whose longer
	// cells have lines of their own.
	leastWhole = 12
)

// fit narrows columns: first those that lose nothing by it, then those of values. It is
// false where that is not enough.
func fit(t model.Table, widths []int, width int) bool {
	for i, c := range t.Columns {
		if over := total(widths) - width; c.Whole && over > 0 {
			widths[i] = max(min(widths[i], leastWhole), widths[i]-over)
		}
	}
	narrow(widths, width, leastValues, func(i int) bool { return !t.Columns[i].Whole && ofValues(t.Rows, i) })
	return total(widths) <= width
}

// ofValues reports whether a column has values, which may be cut, and no names.
func ofValues(rows [][]model.Text, column int) bool {
	values := false
	for _, row := range rows {
		for _, s := range row[column] {
			if s.Role == model.Field || s.Role == model.Manager {
				return false
			}
			values = values || s.Role == model.Value
		}
	}
	return values
}

// narrow takes from the widest of some columns until all fit, or one is as narrow as it may become.
func narrow(widths []int, width, least int, may func(int) bool) {
	for total(widths) > width {
		widest := -1
		for i := range widths {
			if may(i) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 || widths[widest] <= least {
			return
		}
		widths[widest]--
	}
}

func total(widths []int) int {
	sum := 0
	for _, w := range widths {
		sum += w
	}
	return sum
}

func (p *printer) row(of []model.Column, cells []model.Text, widths []int, at string) {
	var b strings.Builder
	cells = slices.Clone(cells)
	for i, cell := range cells {
		if of[i].Whole && columns(cell) > widths[i] {
			p.line(at + p.styled(cell))
			cells[i] = nil
		}
	}
	for i, cell := range cells {
		if i > 0 {
			b.WriteString(gap)
		}
		text := p.styled(shortened(cell, widths[i]))
		space := strings.Repeat(" ", max(0, widths[i]-glyph.Columns(unpainted(text))))
		if of[i].Right {
			text = space + text
		} else {
			text += space
		}
		b.WriteString(text)
	}
	p.line(at + b.String())
}

// shortened cuts a cell in the middle of its longest span.
func shortened(cell model.Text, width int) model.Text {
	over := columns(cell) - width
	if over <= 0 {
		return cell
	}
	out := slices.Clone(cell)
	longest := 0
	for i, s := range out {
		out[i].Text = glyph.Visible(s.Text)
		if glyph.Columns(out[i].Text) > glyph.Columns(out[longest].Text) {
			longest = i
		}
	}
	out[longest].Text = glyph.Cut(out[longest].Text, max(1, glyph.Columns(out[longest].Text)-over))
	return out
}

// stacked has as many cells of a row on a line as there is room for. What is
// wider than a line is wrapped, and a field path goes on where the line ends.
func (p *printer) stacked(t model.Table, at string) {
	for i, row := range t.Rows {
		if p.folded(i, len(t.Rows), t.Shown, at) {
			return
		}
		line, used, below := at, len(at), at+hang
		for _, cell := range row {
			n := columns(cell)
			switch {
			case n == 0:
				continue
			case strings.TrimSpace(line) == "":
			case used+len(gap)+n > p.width:
				p.line(line)
				line, used = below, len(below)
			default:
				line, used = line+gap, used+len(gap)
			}
			if used+n > p.width && strings.Contains(cell.String(), " ") {
				p.wrapped(line, below, cell)
				line, used = below, len(below)
				continue
			}
			line, used = line+p.styled(cell), used+n
		}
		if strings.TrimSpace(line) != "" {
			p.line(line)
		}
	}
}
