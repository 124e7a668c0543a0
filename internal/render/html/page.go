// Package html shows the presentation model as one page that needs nothing
// else: no network, no other file, no script to read it. It knows no command.
//
// Every text passes glyph.Visible and is escaped where it is written, in one
// place (blocks.go): nothing in a value can act as markup, script or style, and the
// page's policy allows its own style only.
package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // The style sheet and the script.
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/packed"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// Style and script are constant, so that their hashes in the page's policy allow
// nothing else.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// Writer shows a document part by part. It writes at the end, as a page begins
// with the answer of the whole; until then it holds the sections, with those
// after the first ones packed.
type Writer struct {
	w     io.Writer
	head  model.Head
	only  model.Text
	rows  map[model.Weight][]row
	index index
	// hold is how many more bytes are held as they are.
	hold  int
	store packed.Store
}

// held is the hold of a page.
const held = 16 << 20

// New gives a writer of the HTML format.
func New(w io.Writer) *Writer {
	return &Writer{w: w, rows: map[model.Weight][]row{}, hold: held}
}

// Begin takes what is known before the first section.
func (h *Writer) Begin(head model.Head) error {
	h.head = head
	return nil
}

// part is a section as the page shows it.
type part struct {
	model.Section
	managers []string
	text     markup
}

// Part makes a section; several may be made at once.
func (h *Writer) Part(s model.Section) (any, error) {
	w := writer{level: 4}
	p := part{Section: s, managers: managersOf(s)}
	p.text = "<summary>" + element("h3", "", inline(s.Title)) + `</summary><div class="body">` + "\n" +
		w.blocks(s.Before) + w.blocks(s.Under) + w.blocks(s.Blocks) + "</div></details>\n"
	p.Before, p.Under, p.Blocks = nil, nil, nil
	return p, nil
}

// row is a section's place on the page.
type row struct {
	tag    markup
	text   markup
	packed packed.JSON
}

// Add takes the next section.
func (h *Writer) Add(made any) error {
	p := made.(part)
	h.only = p.Title
	r := row{tag: h.index.add(p)}
	if h.hold -= len(p.text); h.hold >= 0 {
		r.text = p.text
	} else {
		place := packed.Anywhere
		if p.Confidential {
			place = packed.InMemory
		}
		r.packed = h.store.Put([]byte(p.text), place)
	}
	h.rows[p.Weight] = append(h.rows[p.Weight], r)
	return nil
}

// groups are the weights as a page shows them, what needs a decision first.
var groups = []struct {
	weight      model.Weight
	class, name string
}{
	{model.Decision, "conflicted", "Needs a decision"},
	{model.Change, "configured", "Changes"},
	{model.Detail, "unchanged", "Answers"},
	{model.Dull, "unchanged", "Nothing to do"},
}

// chunk is how much of a page is written at once.
const chunk = 64 << 10

// End writes the page.
func (h *Writer) End(tail model.Tail) error {
	b := bufio.NewWriterSize(h.w, chunk)
	for _, m := range []markup{
		h.top(tail), h.answer(tail), problems(h.head.Problems), overview(tail.First),
		h.index.form(h.head.Total, tail.Severities), h.index.byManager(h.head.Total),
		overview(tail.Blocks), overview(tail.Listed),
	} {
		b.WriteString(string(m))
	}
	h.objects(b)
	b.WriteString(
		string(
			`<p id="none" hidden>No object matches the filters.</p>` + "\n</main>\n" + element(
				"script",
				"",
				script(),
			) + "\n</body>\n</html>\n",
		),
	)
	return b.Flush()
}

// headline is the answer of the whole; where it has none, that of the only
// section.
func (h *Writer) headline(tail model.Tail) []model.Text {
	headline := slices.Concat(h.head.Lead, tail.Headline)
	if len(headline) == 0 {
		headline = []model.Text{h.only}
	}
	return model.Ruling(headline, slices.Concat(h.head.Settings, tail.Settings))
}

func (h *Writer) top(tail model.Tail) markup {
	style := unixLines(pageStyle)
	policy := "default-src 'none'; style-src '" + sourceHash(
		style,
	) + "'; script-src '" + sourceHash(
		script(),
	) + "'; base-uri 'none'; form-action 'none'"
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		markup(`<meta http-equiv="Content-Security-Policy" content="`+policy+"\">\n") +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n" +
		`<meta name="referrer" content="no-referrer">` + "\n" + `<meta name="color-scheme" content="light dark">` + "\n" +
		element("title", "", escape(glyph.Cut(glyph.Visible(h.headline(tail)[0].String()), 120)), " · ssactl") + "\n" +
		element("style", "", style) + "\n</head>\n"
}

// sourceHash names a source as a content security policy does.
func sourceHash(source markup) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func script() markup { return unixLines(pageScript) }

// unixLines undoes what a checkout may do to line ends: a browser hashes a source
// after it has read the lines.
func unixLines(s string) markup { return markup(strings.ReplaceAll(s, "\r\n", "\n")) }

// answer is the header of the page.
func (h *Writer) answer(tail model.Tail) markup {
	class, sign := "verdict yes", markup("✓")
	switch {
	case tail.State != model.Accepted:
		class, sign = "verdict no", "✕"
	case tail.Severity == "error" || tail.Severity == "warning":
		class, sign = "verdict no", "!"
	}
	lines := h.headline(tail)
	out := element("h1", "", escape(h.head.Title)) + "\n" +
		element("p", class, `<span aria-hidden="true">`, sign, "</span> ", inline(lines[0])) + "\n"
	if tail.Exit != "" {
		out += element("p", class, `<span aria-hidden="true">`, sign, "</span> ", escape(tail.Exit)) + "\n"
	}
	for _, l := range lines[1:] {
		out += element("p", "made", inline(l)) + "\n"
	}
	out += element("p", "made", h.made()) + "\n"
	return `<body>` + "\n" + `<a class="skip" href="#objects">Skip to the answer</a>` + "\n" + element(
		"header", "", "\n", out,
	) + "\n<main>\n"
}

func (h *Writer) made() markup {
	text := "Simulated without a cluster"
	switch {
	case h.head.Sent:
		text = "Answered by Kubernetes " + h.head.Server + " in memory"
	case h.head.Server != "":
		text += ", as Kubernetes " + h.head.Server + " answers"
	}
	text += h.head.Live
	if h.head.Made != "" {
		text += ", " + h.head.Made
	}
	return escape(text + ".")
}

func problems(list []model.Problem) markup {
	if len(list) == 0 {
		return ""
	}
	var items []markup
	for _, p := range list {
		message := p.Message
		if p.At != "" {
			message = p.At + ": " + message
		}
		items = append(items, element("li", "", element("pre", "", lines(message))))
	}
	return `<section class="problems" aria-labelledby="problems">` + "\n" + `<h2 id="problems">Inputs that could not be read</h2>` + "\n" +
		element(
			"ul",
			"",
			items...) + "\n</section>\n"
}

func overview(blocks []model.Block) markup {
	if len(blocks) == 0 {
		return ""
	}
	return element("section", "overview", writer{level: 2}.blocks(blocks)) + "\n"
}

// unfolded is up to how many decisions are shown in full at first; more would
// bury the list.
const unfolded = 20

// objects are the sections, grouped by what they ask of the reader.
func (h *Writer) objects(b *bufio.Writer) {
	b.WriteString(`<div id="objects" tabindex="-1">` + "\n")
	for _, g := range groups {
		rows := h.rows[g.weight]
		if len(rows) == 0 {
			continue
		}
		open := ">"
		if h.head.Total <= 1 || g.weight == model.Decision && len(rows) <= unfolded {
			open = " open>"
		}
		id := "group-" + strings.ToLower(strings.Fields(g.name)[0])
		b.WriteString(`<section class="group ` + g.class + `" aria-labelledby="` + id + "\">\n" +
			`<div class="head"><h2 id="` + id + `">` + g.name + ` <span class="n">` + strconv.Itoa(len(rows)) +
			"</span></h2></div>\n")
		for _, r := range rows {
			b.WriteString(string(r.tag) + open)
			if r.packed.Empty() {
				b.WriteString(string(r.text))
			} else {
				b.Write(r.packed.Text())
			}
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</div>\n")
}
