// Package markdown shows the presentation model as a comment for a pull request
// or an issue, and knows no command: the headline first, then what needs a
// decision, open, then the rest, folded.
//
// A comment keeps to a limit of characters. What has no room is shortened from
// the end: long lists and differences first, then all but the titles; at last
// only the names stand in a sentence. Values cannot act as markup, see Code.
package markdown

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// Options are those of the Markdown format.
type Options struct {
	// MaxBytes bounds the comment; 0 leaves it as long as it is.
	MaxBytes int
	// Verbose shows what is left out else.
	Verbose bool
}

// Marker is the first line of a comment, which is not shown: a later run finds the
// comment by it, and writes it anew.
const Marker = "<!-- ssactl -->"

// Writer shows a document part by part. It writes at the end, as what matters
// comes first.
type Writer struct {
	w     io.Writer
	o     Options
	head  model.Head
	parts []part
	// held is how long the parts of each weight are.
	held map[held]int
}

// held is what parts are held by: how much a reader has to see them.
type held struct {
	weight   model.Weight
	severity string
}

// New gives a writer of the Markdown format.
func New(w io.Writer, o Options) *Writer { return &Writer{w: w, o: o, held: map[held]int{}} }

// part is a section in the lengths in which it can be shown, the longest first;
// the last is its title.
type part struct {
	name   string
	weight model.Weight
	forms  []string
	// dropped: the longer forms were not kept.
	dropped bool
	// severity is that of the section.
	severity string
}

// lengths are how many lines of a list are shown in what stands above the sections,
// one form after the other.
var lengths = []int{0, 800, 200, 100, 50, 25, 12, 3}

// Begin takes what is known before the first section.
func (m *Writer) Begin(h model.Head) error {
	m.head = h
	return nil
}

// Part makes a section; several may be made at once.
func (m *Writer) Part(s model.Section) (any, error) {
	alone := m.head.Total <= 1
	if s.Weight == model.Dull && !alone && !m.o.Verbose {
		return part{}, nil
	}
	return newPart(s, alone), nil
}

func newPart(s model.Section, alone bool) part {
	p := part{name: s.Title.String(), weight: s.Weight, severity: s.Severity}
	if s.Subject != nil {
		p.name = s.Subject.Name
	}
	form := func(most int) string {
		return fold(s.Title, blocks(s.Before, most)+blocks(s.Under, most)+blocks(s.Blocks, most), alone)
	}
	p.forms = []string{form(0)}
	add := func(f string) {
		if len(f) < len(p.forms[len(p.forms)-1]) {
			p.forms = append(p.forms, f)
		}
	}
	if !alone {
		// Never cut in the middle: all of it, what must not be missed, or the title.
		add(fold(s.Title, blocks(s.Before, 0)+blocks(s.Under, 0), alone))
	}
	for _, most := range steps(max(longest(s.Before), longest(s.Under), longest(s.Blocks))) {
		if !alone {
			break
		}
		add(form(most))
	}
	if short := fold(s.Title, "", alone); short != p.forms[len(p.forms)-1] {
		p.forms = append(p.forms, short)
	}
	return p
}

// fold is a section that stands alone, or is folded under its title.
func fold(title model.Text, body string, alone bool) string {
	switch {
	case alone:
		return "\n### " + inline(title) + "\n" + body
	case body == "":
		return "\n- " + inline(title) + "\n"
	}
	return "\n<details><summary>" + inline(title) + "</summary>\n" + body + "\n</details>\n"
}

// Add takes the next section. Of one that cannot have room, as several times the
// length of the comment waits already, only the title is kept.
func (m *Writer) Add(made any) error {
	const times = 4
	p := made.(part)
	if p.forms == nil {
		return nil
	}
	key := held{p.weight, p.severity}
	if m.o.MaxBytes > 0 && m.held[key] > times*m.o.MaxBytes {
		p.forms = []string{p.forms[len(p.forms)-1]}
		p.dropped = true
	}
	m.held[key] += len(p.forms[0])
	m.parts = append(m.parts, p)
	return nil
}

// End writes the comment.
func (m *Writer) End(tail model.Tail) error {
	text := m.fit(m.heading(tail), m.ordered(m.head.Problems))
	_, err := io.WriteString(m.w, text)
	return err
}

// open is how many of the worst sections are not folded.
const open = 10

// ordered are the parts of a comment: unreadable inputs, decisions, changes,
// details.
func (m *Writer) ordered(problems []model.Problem) []part {
	var out []part
	for _, p := range problems {
		at := cmp.Or(p.At, p.File)
		title := model.Textf("%v cannot be read", model.Code.Of(at))
		quote := Fence("", glyph.Lines(p.Message))
		out = append(
			out,
			part{name: at, weight: model.Decision, forms: []string{fold(title, quote, true), fold(title, "", true)}},
		)
	}
	rank := map[model.Weight]int{model.Decision: 0, model.Change: 1, model.Detail: 2, model.Dull: 3}
	severities := map[string]int{"error": 0, "warning": 1, "note": 2, "": 3}
	slices.SortStableFunc(m.parts, func(a, b part) int {
		return cmp.Or(rank[a.weight]-rank[b.weight], severities[a.severity]-severities[b.severity])
	})
	for i := range min(open, len(m.parts)) {
		if m.parts[i].weight == model.Decision {
			for k, form := range m.parts[i].forms {
				m.parts[i].forms[k] = strings.Replace(form, "<details>", "<details open>", 1)
			}
		}
	}
	return append(out, m.parts...)
}

// heading is what a comment begins with: the answer of the whole, and the groups
// that ask for a decision, in the longest form that leaves half of the room.
func (m *Writer) heading(tail model.Tail) string {
	settings := slices.Concat(m.head.Settings, tail.Settings)
	headline, room := model.Ruling(slices.Concat(m.head.Lead, tail.Headline), settings), (m.o.MaxBytes-cutReserve)/2
	for _, most := range lengths {
		text := m.answer(
			headline,
			tail.Exit,
		) + blocks(
			tail.First,
			most,
		) + blocks(
			tail.Blocks,
			most,
		) + blocks(
			tail.Listed,
			most,
		) + m.server()
		if m.o.MaxBytes == 0 || len(text) <= room {
			return text
		}
	}
	for _, most := range lengths {
		text := m.answer(headline, tail.Exit) + blocks(tail.First[:min(1, len(tail.First))], most) + m.server()
		if len(text) <= room {
			return text
		}
	}
	for n := len(headline); n > 0; n-- {
		if text := m.answer(headline[:n], tail.Exit) + m.server(); len(text) <= room {
			return text
		}
	}
	return m.answer(nil, tail.Exit) + m.server()
}

func (m *Writer) server() string {
	if m.head.Server == "" {
		return ""
	}
	server, at := Prose(glyph.Cut(glyph.Visible(m.head.Server), 40)), Prose(glyph.Visible(m.head.Live))
	if m.head.Sent {
		return "\nAnswered by Kubernetes " + server + " in memory" + at + ".\n"
	}
	return "\nSimulated without a cluster, as Kubernetes " + server + " answers" + at + ".\n"
}

// answer is the title, with the reason of the exit code, and the headline.
func (m *Writer) answer(headline []model.Text, exit string) string {
	var b strings.Builder
	b.WriteString(Marker + "\n## " + Prose(m.head.Title))
	if exit != "" {
		b.WriteString(", " + Prose(glyph.Visible(exit)))
	}
	for i, l := range headline {
		if i == 0 {
			b.WriteString(": " + inline(unstressed(l)) + "\n")
			continue
		}
		b.WriteString("\n" + started(inline(l)) + "\n")
	}
	if len(headline) == 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// unstressed is a text without roles that stress it, for a place that does.
func unstressed(t model.Text) model.Text {
	out := make(model.Text, len(t))
	for i, s := range t {
		if out[i] = s; s.Role != model.Field && s.Role != model.Manager && s.Role != model.Value && s.Role != model.Code {
			out[i].Role = model.Plain
		}
	}
	return out
}
