package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// repository is where files are that the site does not have.
const repository = "https://github.com/ssactl/ssactl/blob/main/"

// linker points links of the source to where things are in the site.
type linker struct {
	files  fs.FS
	pages  map[string]*page
	assets map[string]bool
	// broken are the links that lead nowhere, in the order of the pages.
	broken []string
}

func newLinker(files fs.FS, pages []*page, assets []string) *linker {
	l := &linker{files: files, pages: map[string]*page{}, assets: map[string]bool{}}
	for _, p := range pages {
		l.pages[p.source] = p
	}
	for _, a := range assets {
		l.assets[a] = true
	}
	return l
}

// relink points the links and pictures of a page.
func (l *linker) relink(p *page) {
	_ = ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(l.target(p, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(l.target(p, string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// target is where a link of a page leads: within the page, to another one or an asset,
// to a file of the repository, or elsewhere.
func (l *linker) target(p *page, link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return l.lost(p, link, err.Error())
	case u.Scheme != "":
		return link
	case u.Path == "":
		return l.anchor(p, p, link, u.Fragment)
	}
	source := path.Join(path.Dir(p.source), u.Path)
	if to, ok := l.pages[source]; ok {
		return rootOf(p.url) + l.anchor(p, to, to.url+hash(u.Fragment), u.Fragment)
	}
	if l.assets[source] {
		return rootOf(p.url) + assetURL(source)
	}
	if _, err := fs.Stat(l.files, source); err != nil {
		return l.lost(p, link, "there is no such file")
	}
	return repository + source + hash(u.Fragment)
}

// anchor is a link to a heading, which has to be there.
func (l *linker) anchor(from, to *page, link, id string) string {
	if id != "" && !to.anchors[id] {
		l.lost(from, link, "the page has no such heading")
	}
	return link
}

func (l *linker) lost(p *page, link, why string) string {
	l.broken = append(l.broken, fmt.Sprintf("%s: %s: %s", p.source, link, why))
	return link
}

func hash(fragment string) string {
	if fragment == "" {
		return ""
	}
	return "#" + fragment
}

// rootOf leads from a page to the first folder of the site.
func rootOf(page string) string { return strings.Repeat("../", strings.Count(page, "/")) }

func assetURL(source string) string { return strings.TrimPrefix(source, "docs/") }
