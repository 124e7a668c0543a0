package topic

import (
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// gap is what the text format has between two columns.
const gap = 2

// table is a table where it fits the width, else a list of its rows.
func (p page) table(t *extast.Table) model.Block {
	var rows [][]model.Text
	for n := t.FirstChild(); n != nil; n = n.NextSibling() {
		var row []model.Text
		for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
			row = append(row, p.inline(cell))
		}
		rows = append(rows, row)
	}
	if wide(rows) > p.width {
		return listed(rows[0], rows[1:])
	}
	out := model.Table{Rows: rows[1:]}
	for _, title := range rows[0] {
		out.Columns = append(out.Columns, model.Column{Title: title.String()})
	}
	return out
}

// wide is how many columns of a terminal rows take.
func wide(rows [][]model.Text) int {
	sum := gap * (len(rows[0]) - 1)
	for i := range rows[0] {
		widest := 0
		for _, row := range rows {
			widest = max(widest, glyph.Columns(row[i].String()))
		}
		sum += widest
	}
	return sum
}

// maxLabel is the widest label that texts stand beside.
const maxLabel = 24

// listed has an item a row: its first cell, and the others below it by their columns.
// The cells of a table of two columns stand side by side where the first are short.
func listed(titles []model.Text, rows [][]model.Text) model.Block {
	if len(titles) == 2 {
		return pairs(rows)
	}
	labels := make([]model.Text, len(titles))
	for i, title := range titles {
		labels[i] = model.Text{model.Faint.Of(title.String())}
	}
	var out model.List
	for _, row := range rows {
		var cells [][]model.Text
		for i := range row[1:] {
			cells = append(cells, []model.Text{labels[i+1], row[i+1]})
		}
		out.Items = append(out.Items, model.Item{Text: model.Textf("%v %v", labels[0], row[0]), Blocks: []model.Block{pairs(cells)}})
	}
	return out
}

// pairs has labels and what they are of: in two columns, or where a label is too wide,
// one below the other.
func pairs(rows [][]model.Text) model.Block {
	var beside, below model.List
	short := true
	for _, row := range rows {
		beside.Items = append(beside.Items, model.Item{Label: row[0], Text: row[1]})
		below.Items = append(below.Items, model.Item{Text: row[0], Blocks: []model.Block{model.Paragraph{Text: row[1]}}})
		short = short && glyph.Columns(row[0].String()) <= maxLabel
	}
	if short {
		return beside
	}
	return below
}
