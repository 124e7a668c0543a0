package main

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// page is one of the site.
type page struct {
	entry
	url         string
	title       string
	description string
	contents    []heading
	anchors     map[string]bool
	body        template.HTML

	markdown []byte
	document ast.Node
}

// heading is one that the page's contents list.
type heading struct{ ID, Text string }

// readPage parses a page of the repository. Its links are still those of the source.
func readPage(files fs.FS, e entry) (*page, error) {
	markdown, err := fs.ReadFile(files, e.source)
	if err != nil {
		return nil, err
	}
	ids := newSlugs()
	p := &page{entry: e, url: urlOf(e.source), markdown: markdown, anchors: ids.taken}
	p.document = reader.Parser().
		Parse(text.NewReader(markdown), parser.WithContext(parser.NewContext(parser.WithIDs(ids))))
	p.outline()
	if p.title == "" {
		return nil, fmt.Errorf("%s: the page has no title", e.source)
	}
	return p, nil
}

// outline takes the title, the first paragraph and the headings of the second level.
func (p *page) outline() {
	for n := p.document.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && p.title == "" {
				p.title = p.textOf(n)
			}
			if n.Level == 2 {
				id, _ := n.AttributeString("id")
				p.contents = append(p.contents, heading{string(id.([]byte)), p.textOf(n)})
			}
		case *ast.Paragraph:
			if p.description == "" {
				p.description = p.textOf(n)
			}
		}
	}
}

// textOf is the text of a node without markup.
func (p *page) textOf(n ast.Node) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(p.markdown))
			if t.SoftLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// render makes the page's HTML, once its links are those of the site.
func (p *page) render() error {
	var out bytes.Buffer
	if err := reader.Renderer().Render(&out, p.markdown, p.document); err != nil {
		return fmt.Errorf("%s: %w", p.source, err)
	}
	// Raw HTML of the source is left out, and all text escaped.
	p.body = template.HTML(out.String())
	return nil
}
