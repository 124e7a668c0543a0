package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // The style sheet.
	"encoding/base64"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/render/model"
)

//go:embed page.css
var pageStyle string

// Writer shows a document part by part. It writes at the end, as a page begins
// with the answer of the whole.
type Writer struct {
	w      io.Writer
	head   model.Head
	only   model.Text
	groups map[model.Weight][]markup
}

// New gives a writer of the HTML format.
func New(w io.Writer) *Writer { return &Writer{w: w, groups: map[model.Weight][]markup{}} }

// Begin takes what is known before the first section.
func (h *Writer) Begin(head model.Head) error {
	h.head = head
	return nil
}

// part is a section as the page shows it.
type part struct {
	weight model.Weight
	title  model.Text
	text   markup
}

// Part makes a section; several may be made at once.
func (h *Writer) Part(s model.Section) (any, error) {
	open := ""
	if s.Weight == model.Decision || h.head.Total <= 1 {
		open = " open"
	}
	w := writer{level: 4}
	text := markup(`<details class="object"`+open+`><summary>`) + element("h3", "", inline(s.Title)) +
		`</summary><div class="body">` + "\n" + w.blocks(s.Before) + w.blocks(s.Blocks) + "</div></details>\n"
	return part{s.Weight, s.Title, text}, nil
}

// Add takes the next section.
func (h *Writer) Add(made any) error {
	p := made.(part)
	h.only = p.title
	h.groups[p.weight] = append(h.groups[p.weight], p.text)
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

// End writes the page.
func (h *Writer) End(tail model.Tail) error {
	b := bufio.NewWriter(h.w)
	for _, m := range []markup{h.top(tail), h.answer(tail), problems(h.head.Problems), overview(tail.Blocks), h.objects(), "</main>\n</body>\n</html>\n"} {
		if _, err := b.WriteString(string(m)); err != nil {
			return err
		}
	}
	return b.Flush()
}

// headline is the answer of the whole; where it has none, that of the only
// section.
func (h *Writer) headline(tail model.Tail) []model.Text {
	if headline := slices.Concat(h.head.Lead, tail.Headline); len(headline) > 0 {
		return headline
	}
	return []model.Text{h.only}
}

func (h *Writer) top(tail model.Tail) markup {
	style := markup(strings.ReplaceAll(pageStyle, "\r\n", "\n"))
	policy := "default-src 'none'; style-src '" + sourceHash(string(style)) + "'; base-uri 'none'; form-action 'none'"
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		markup(`<meta http-equiv="Content-Security-Policy" content="`+policy+"\">\n") +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n" +
		`<meta name="referrer" content="no-referrer">` + "\n" + `<meta name="color-scheme" content="light dark">` + "\n" +
		element("title", "", title(h.headline(tail)[0]), " · ssactl") + "\n" +
		element("style", "", style) + "\n</head>\n"
}

// sourceHash names a source as a content security policy does.
func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// answer is the header of the page.
func (h *Writer) answer(tail model.Tail) markup {
	class, sign := "verdict yes", markup("✓")
	if tail.State != model.Accepted {
		class, sign = "verdict no", "✕"
	}
	lines := h.headline(tail)
	out := element("h1", "", escape(h.head.Title)) + "\n" +
		element("p", class, `<span aria-hidden="true">`, sign, "</span> ", inline(lines[0])) + "\n"
	for _, l := range lines[1:] {
		out += element("p", "made", inline(l)) + "\n"
	}
	out += element("p", "made", h.made()) + "\n"
	return `<body>` + "\n" + `<a class="skip" href="#objects">Skip to the answer</a>` + "\n" + element("header", "", "\n", out) + "\n<main>\n"
}

func (h *Writer) made() markup {
	text := "Simulated without a cluster"
	if h.head.Server != "" {
		text += ", as Kubernetes " + h.head.Server + " answers"
	}
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
		element("ul", "", items...) + "\n</section>\n"
}

func overview(blocks []model.Block) markup {
	if len(blocks) == 0 {
		return ""
	}
	return element("section", "overview", writer{level: 2}.blocks(blocks)) + "\n"
}

// objects are the sections, grouped by what they ask of the reader.
func (h *Writer) objects() markup {
	out := []markup{`<div id="objects" tabindex="-1">` + "\n"}
	for _, g := range groups {
		sections := h.groups[g.weight]
		if len(sections) == 0 {
			continue
		}
		id := markup("group-" + strings.ToLower(strings.Fields(g.name)[0]))
		out = append(out, `<section class="group `, markup(g.class), `" aria-labelledby="`, id, "\">\n",
			`<div class="head"><h2 id="`, id, `">`, markup(g.name), ` <span class="n">`, markup(strconv.Itoa(len(sections))), "</span></h2></div>\n")
		out = append(out, sections...)
		out = append(out, "</section>\n")
	}
	return join(append(out, "</div>\n"))
}
