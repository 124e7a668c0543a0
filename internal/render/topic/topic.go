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
	return p.blocks(newParser().Parse(text.NewReader(markdown)))
}

// newParser reads Markdown with tables.
func newParser() parser.Parser {
	paragraphs := append(parser.DefaultParagraphTransformers(), util.Prioritized(extension.NewTableParagraphTransformer(), 200))
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(paragraphs...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
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
		return heading(n.Level, p.inline(n).String())
	case *ast.Paragraph, *ast.TextBlock:
		if t := p.inline(n); t.String() != "" {
			return model.Paragraph{Text: t}
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return example(string(n.Lines().Value(p.source)))
	case *ast.List:
		return p.list(n)
	case *extast.Table:
		return p.table(n)
	}
	return nil
}

// heading is in capitals for the page, and underlined below it, where it may be an
// error message that somebody searches for.
func heading(level int, title string) model.Block {
	if level == 1 {
		return model.Paragraph{Text: model.Say(strings.ToUpper(title))}
	}
	return model.Quote{Text: title + "\n" + strings.Repeat("-", glyph.Columns(title))}
}

// example stands behind the text, and is never wrapped.
func example(code string) model.Block {
	return model.List{Items: []model.Item{{Blocks: []model.Block{model.Quote{Text: code}}}}}
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
			out = out.With(role.Of(p.said(n)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out = out.With(role.Of(" "))
			}
		case *ast.CodeSpan:
			out = out.With(model.Code.Of(p.code(n)))
		case *ast.Emphasis:
			out = out.With(p.spans(n, emphasis(n, role)))
		case *ast.AutoLink:
			out = out.With(role.Of(string(n.URL(p.source))))
		case *ast.Link:
			out = out.With(p.spans(n, role))
		}
	}
	return out
}

// said is a text without the backslashes of what would be markup.
func (p page) said(n *ast.Text) string {
	return string(util.UnescapePunctuations(n.Segment.Value(p.source)))
}

// code is a code span, in which a backslash is one.
func (p page) code(span *ast.CodeSpan) string {
	var out strings.Builder
	for n := span.FirstChild(); n != nil; n = n.NextSibling() {
		out.Write(n.(*ast.Text).Segment.Value(p.source))
	}
	return strings.ReplaceAll(out.String(), "\n", " ")
}

// emphasis is Strong for what is bold.
func emphasis(n *ast.Emphasis, role model.Role) model.Role {
	if n.Level == 2 {
		return model.Strong
	}
	return role
}
