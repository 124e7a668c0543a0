package render

import (
	"crypto/sha256"
	_ "embed" // The page's parts are in html/.
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"
)

// The parts of the page. Style and script are constant, so that their hashes
// in the page's content security policy allow nothing else.
var (
	//go:embed html/head.html
	headTemplate string
	//go:embed html/page.html
	pageTemplate string
	//go:embed html/object.html
	objectTemplate string
	//go:embed html/page.css
	pageStyle string
	//go:embed html/page.js
	pageScript string
)

// newHTML writes one page that needs nothing else: no network, no other file, no
// script. It is a page for a browser, so that only the options on what to
// leave out, LiveFile and Now concern it.
//
// Every text of the report passes visible before the template escapes it for
// its place: nothing in a value can act as markup, script or style.
func newHTML(w io.Writer, o Options) Stream {
	return &htmlStream{w: w, o: o, hold: pageHeld, people: newPeople(), kinds: map[string]int{}}
}

// htmlTemplates is never executed itself, as html/template forbids to copy a
// template afterwards. It is parsed when it is first asked for, since most runs
// start without.
var htmlTemplates = sync.OnceValue(func() *template.Template {
	return pageOf("page", pageTemplate, objectTemplate)
})

// pageOf is a page of the head that all pages have, and of its own texts, of
// which the first is executed.
func pageOf(name string, texts ...string) *template.Template {
	page := template.New(name).Funcs(template.FuncMap{"count": count})
	for _, text := range append(texts, headTemplate) {
		template.Must(page.Parse(text))
	}
	return page
}

// Style is the page's style sheet as it stands in the page.
func (p *page) Style() template.CSS { return template.CSS(unixLines(pageStyle)) }

// Script is the page's script as it stands in the page.
func (p *page) Script() template.JS { return template.JS(unixLines(pageScript)) }

// Policy allows the page its own style and script, and nothing else.
func (p *page) Policy() string {
	return "default-src 'none'; style-src '" + sourceHash(string(p.Style())) +
		"'; script-src '" + sourceHash(string(p.Script())) + "'; base-uri 'none'; form-action 'none'"
}

// sourceHash names a source as a content security policy does.
func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// unixLines undoes what a checkout may do to line ends: a browser hashes a
// source after it has read the lines.
func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
