package topic

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/ssactl/ssactl/internal/render/model"
)

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
