// Package topic makes pages of the documentation, which are Markdown, blocks of the
// presentation model, so that they are shown in a terminal as answers are.
package topic

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// page is a page that is being read.
type page struct {
	source []byte
	width  int
}

// Blocks are those of a page, one for each of its headings, paragraphs, lists, tables
// and examples. Comments and pictures are left out. A table that is wider than a width
// is a list of its rows.
func Blocks(markdown []byte, width int) []model.Block {
	p := page{source: markdown, width: width}
	tables := util.Prioritized(extension.NewTableParagraphTransformer(), 200)
	reader := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), tables)...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
	return p.blocks(reader.Parse(text.NewReader(markdown)))
}

// blocks are those below a node.
func (p page) blocks(parent ast.Node) []model.Block {
	var out []model.Block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if b := p.block(n); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// block is nil for what is not shown.
func (p page) block(n ast.Node) model.Block {
	switch n := n.(type) {
	case *ast.Heading:
		// In capitals for the page, and underlined below it, where it may be an error
		// message that somebody searches for.
		title := p.inline(n).String()
		if n.Level == 1 {
			return model.Paragraph{Text: model.Say(strings.ToUpper(title))}
		}
		return model.Quote{Text: title + "\n" + strings.Repeat("-", glyph.Columns(title))}
	case *ast.Paragraph, *ast.TextBlock:
		if t := p.inline(n); t.String() != "" {
			return model.Paragraph{Text: t}
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		// Behind the text, and never wrapped.
		code := model.Quote{Text: string(n.Lines().Value(p.source))}
		return model.List{Items: []model.Item{{Blocks: []model.Block{code}}}}
	case *ast.List:
		return p.list(n)
	case *extast.Table:
		return p.table(n)
	}
	return nil
}

func (p page) list(l *ast.List) model.Block {
	out := model.List{Marked: !l.IsOrdered(), Numbered: l.IsOrdered()}
	for n := l.FirstChild(); n != nil; n = n.NextSibling() {
		var item model.Item
		blocks := p.blocks(n)
		if first, ok := blocks[0].(model.Paragraph); ok {
			item.Text, blocks = first.Text, blocks[1:]
		}
		item.Blocks = blocks
		out.Items = append(out.Items, item)
	}
	return out
}

// inline is the text of a node.
func (p page) inline(n ast.Node) model.Text { return p.spans(n, model.Plain) }

// spans are those below a node, in a role unless they have one of their own.
func (p page) spans(parent ast.Node, role model.Role) model.Text {
	var out model.Text
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			// Without the backslashes of what would be markup.
			out = out.With(role.Of(string(util.UnescapePunctuations(n.Segment.Value(p.source)))))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out = out.With(role.Of(" "))
			}
		case *ast.CodeSpan:
			// A backslash in it is one.
			var code strings.Builder
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				code.Write(part.(*ast.Text).Segment.Value(p.source))
			}
			out = out.With(model.Code.Of(strings.ReplaceAll(code.String(), "\n", " ")))
		case *ast.Emphasis:
			inner := role
			if n.Level == 2 {
				inner = model.Strong
			}
			out = out.With(p.spans(n, inner))
		case *ast.AutoLink:
			out = out.With(role.Of(string(n.URL(p.source))))
		case *ast.Link:
			out = out.With(p.spans(n, role))
		}
	}
	return out
}

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
		out.Items = append(
			out.Items,
			model.Item{Text: model.Textf("%v %v", labels[0], row[0]), Blocks: []model.Block{pairs(cells)}},
		)
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
