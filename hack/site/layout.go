package main

import (
	"bytes"
	_ "embed"
	"html/template"
)

//go:embed page.html.tmpl
var layout string

//go:embed site.css
var css []byte

var layouts = template.Must(template.New("page").Parse(layout))

// laid is what the layout shows of a page.
type laid struct {
	Title, Description string
	// Root leads to the first folder of the site, Home to its first page.
	Root, Home string
	Source     string
	Sections   []laidSection
	Contents   []heading
	Body       template.HTML
	// Previous and Next are nil at the ends.
	Previous, Next *laidLink
}

type laidSection struct {
	Title string
	Links []laidLink
}

type laidLink struct {
	URL, Title string
	Current    bool
}

// layOut gives the HTML of a page among the others.
func layOut(pages []*page, at int) ([]byte, error) {
	p := pages[at]
	root := rootOf(p.url)
	link := func(of *page) laidLink { return laidLink{root + of.url, of.entry.title, of == p} }
	data := laid{
		Title: p.title, Description: p.description, Root: root, Home: root + pages[0].url,
		Source: repository + p.source, Contents: p.contents, Body: p.body,
	}
	next := 0
	for _, s := range nav {
		shown := laidSection{Title: s.title}
		for range s.entries {
			shown.Links = append(shown.Links, link(pages[next]))
			next++
		}
		data.Sections = append(data.Sections, shown)
	}
	if at > 0 {
		l := link(pages[at-1])
		data.Previous = &l
	}
	if at+1 < len(pages) {
		l := link(pages[at+1])
		data.Next = &l
	}
	var out bytes.Buffer
	err := layouts.Execute(&out, data)
	return out.Bytes(), err
}
