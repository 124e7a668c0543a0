package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// reader reads Markdown as GitHub does, which shows the same pages.
var reader = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{}, 1))),
)

// blocks renders what the site shows in its own way: tables and examples scroll by
// themselves, commands stand out from what they print, short code is not broken, and
// raw HTML, which is comments, is left out.
type blocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
	r.Register(ast.KindCodeSpan, renderSpan)
	r.Register(ast.KindFencedCodeBlock, renderExample)
	r.Register(ast.KindCodeBlock, renderExample)
	r.Register(extast.KindTable, renderTable)
}

// short is how many characters of code fit into a line of a phone: they are not broken
// at their dashes.
const short = 30

func renderSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var code strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		code.Write(c.(*ast.Text).Segment.Value(source))
	}
	text, class := strings.ReplaceAll(code.String(), "\n", " "), ""
	if len(text) <= short {
		class = ` class="short"`
	}
	_, _ = fmt.Fprintf(w, "<code%s>%s</code>", class, html.EscapeString(text))
	return ast.WalkSkipChildren, nil
}

func renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"scroll\" tabindex=\"0\">\n<table>\n")
	} else {
		_, _ = w.WriteString("</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

func renderExample(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	console := false
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		console = string(fenced.Language(source)) == "console"
	}
	_, _ = w.WriteString("<pre class=\"scroll\" tabindex=\"0\"><code>")
	for line := range bytes.Lines(n.Lines().Value(source)) {
		shown := html.EscapeString(string(line))
		if console && strings.HasPrefix(shown, "$ ") {
			shown = fmt.Sprintf("<b>%s</b>\n", strings.TrimSuffix(shown, "\n"))
		}
		_, _ = w.WriteString(shown)
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// slugs are the anchors of a page, as GitHub makes them of its headings.
type slugs struct{ taken map[string]bool }

func newSlugs() *slugs { return &slugs{taken: map[string]bool{}} }

// Generate implements parser.IDs.
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	id := slug
	for i := 1; s.taken[id]; i++ {
		id = fmt.Sprintf("%s-%d", slug, i)
	}
	s.taken[id] = true
	return []byte(id)
}

// Put implements parser.IDs.
func (s *slugs) Put(value []byte) { s.taken[string(value)] = true }
