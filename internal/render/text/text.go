// Package text shows the presentation model for people, on a terminal or in a
// file: it wraps, colors and folds, and knows no command.
//
// Every text passes glyph.Visible, and no line is one that the runner of a CI
// system takes for a command. Color carries nothing that the text lacks. Titles,
// commands and quotes are never wrapped; nothing is shortened but the cells of a
// table that is to fit a terminal.
package text

import (
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// Options are those of the text format.
type Options struct {
	// Width is that of the terminal in columns; 0 means 80.
	Width int
	// Fit makes tables fit the width. Off a terminal a row is one line, however
	// long, so that it can be searched.
	Fit bool
	// Color lets the format use colors.
	Color bool
	// Quiet leaves only titles and the headline.
	Quiet bool
	// Verbose shows what is folded else; Whole shows sections too that Verbose does not.
	Verbose, Whole bool
}

// Writer shows a document part by part. Where the headline is known at the end
// only, it waits for it with the sections, as long as they are few; what asks for
// a decision comes first then. Else the first sections are shown as they come, and the
// headline is at the end. Where blocks are left out, the tail says what sections would.
type Writer struct {
	w    io.Writer
	o    Options
	head model.Head
	told bool
	// waits: the sections in held have not been written yet. size is how long they are.
	waits bool
	held  []part
	size  int
}

// New gives a writer of the text format.
func New(w io.Writer, o Options) *Writer { return &Writer{w: w, o: o} }

// maxHeld is how many bytes of sections wait for the headline. Settings stand on the first
// line, whatever waits for it.
const maxHeld = 1 << 20

// part is the text of a section. Those of the lowest rank come first.
type part struct {
	text string
	rank int
}

// rankOf is the place of a section among others: what is refused, what else asks for
// a decision, changes, the rest.
func rankOf(s model.Section) int {
	switch {
	case s.Weight == model.Decision && s.Subject != nil && s.Subject.State != model.Accepted:
		return 0
	case s.Weight == model.Decision:
		return 1
	case s.Weight == model.Change:
		return 2
	}
	return 3
}

// Begin takes what is known before the first section.
func (t *Writer) Begin(h model.Head) error {
	t.head = h
	t.waits = len(h.Lead) == 0 && h.Total > 1 || h.Ruled
	p := newPrinter(t.o)
	p.headline(model.Ruling(h.Lead, h.Settings))
	t.told = p.Len() > 0
	return t.write(p.String())
}

// brief reports whether blocks are left out.
func (t *Writer) brief() bool {
	return t.head.Brief && t.head.Total > 1 && !t.o.Whole && (t.head.Unfolds || !t.o.Verbose)
}

// Part makes the text of a section; several may be made at once.
func (t *Writer) Part(s model.Section) (any, error) {
	if s.Weight == model.Dull && t.head.Total > 1 && !t.o.Verbose || t.brief() && !t.o.Quiet {
		return part{}, nil
	}
	p := newPrinter(t.o)
	p.told = t.head.Managers
	if !t.brief() {
		p.blocks(s.Before, "")
	}
	p.title(s.Title)
	if !t.o.Quiet {
		p.under(s.Under, indent)
		p.blocks(s.Blocks, indent)
	}
	return part{p.String(), rankOf(s)}, nil
}

// title is one line; on a terminal that is narrower, words stay whole.
func (p *printer) title(t model.Text) {
	if p.o.Fit {
		p.wrapped("", hang, t)
		return
	}
	p.line(p.styled(t))
}

// Add shows the next section, or keeps it.
func (t *Writer) Add(made any) error {
	p := made.(part)
	switch {
	case p.text == "":
		return nil
	case !t.waits:
		return t.section(p)
	}
	t.held = append(t.held, p)
	if t.size += len(p.text); t.size <= maxHeld || t.head.Ruled {
		return nil
	}
	t.waits = false
	return t.release()
}

// release writes the sections that wait.
func (t *Writer) release() error {
	for _, p := range t.held {
		if err := t.section(p); err != nil {
			return err
		}
	}
	t.held = nil
	return nil
}

// section writes one, behind an empty line where it has lines of its own.
func (t *Writer) section(p part) error {
	text := p.text
	if t.told && !t.o.Quiet && !t.brief() {
		text = "\n" + text
	}
	t.told = true
	return t.write(text)
}

// End shows what is known after the last section.
func (t *Writer) End(tail model.Tail) error {
	p := newPrinter(t.o)
	if !t.waits {
		p.problems(t.head.Problems)
		p.summary(tail, t.told)
		p.tail(tail)
		return t.write(p.String())
	}
	p.summary(tail, false)
	t.told = p.Len() > 0
	if err := t.write(p.String()); err != nil {
		return err
	}
	slices.SortStableFunc(t.held, func(a, b part) int { return a.rank - b.rank })
	if err := t.release(); err != nil {
		return err
	}
	p = newPrinter(t.o)
	p.problems(t.head.Problems)
	p.tail(tail)
	return t.write(p.String())
}

// Lead writes the headline of a tail, with the groups that ask for a decision.
func (t *Writer) Lead(tail model.Tail) error {
	p := newPrinter(t.o)
	p.summary(tail, false)
	return t.write(p.String())
}

// summary is the headline, with the groups that ask for a decision.
func (p *printer) summary(tail model.Tail, told bool) {
	if told && len(tail.Headline) > 0 {
		p.line("")
	}
	p.headline(model.Ruling(tail.Headline, tail.Settings))
	if !p.o.Quiet {
		p.under(tail.First, "")
	}
}

// under are blocks below a title; a list stands apart from it.
func (p *printer) under(blocks []model.Block, at string) {
	if len(blocks) == 0 {
		return
	}
	if _, ok := blocks[0].(model.List); ok {
		p.line("")
	}
	p.blocks(blocks, at)
}

func (p *printer) tail(tail model.Tail) {
	if !p.o.Quiet {
		p.blocks(tail.Blocks, "")
	}
	p.blocks(tail.Listed, "")
	if tail.Exit != "" {
		p.line(p.Red(glyph.Visible(tail.Exit)))
	}
}

func (p *printer) headline(lines []model.Text) {
	for _, l := range lines {
		p.title(l)
	}
}

func (t *Writer) write(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(t.w, text)
	return err
}

// Section is the text of a section's blocks, unwrapped as far as the format
// allows, for formats that quote it.
func Section(s model.Section) string {
	p := newPrinter(Options{Verbose: true})
	p.blocks(s.Before, "")
	p.blocks(s.Under, "")
	p.blocks(s.Blocks, "")
	return p.String()
}

// Blocks are the lines of blocks.
func Blocks(blocks []model.Block, o Options) string {
	p := newPrinter(o)
	p.blocks(blocks, "")
	return p.String()
}

// Line is a text on one line.
func Line(t model.Text, o Options) string { return newPrinter(o).styled(t) }

// Remarks says on standard error what formats for programs leave out: inputs
// that gave no object, objects without an answer or with a refusal, notes, and
// how far a run came.
func Remarks(w io.Writer, d model.Document, o Options) error {
	p := newPrinter(o)
	p.headline(model.Ruling(nil, d.Head.Settings))
	p.problems(d.Problems)
	for _, s := range d.Sections {
		p.remarks(s)
	}
	if !o.Quiet {
		p.headline(d.Headline)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *printer) remarks(s model.Section) {
	name := ""
	if s.Subject != nil {
		name = s.Subject.Name + ": "
		if s.Subject.State != model.Accepted {
			p.line(p.Red("error:") + " " + p.styled(s.Title))
			for _, b := range s.Blocks {
				if quote, ok := b.(model.Quote); ok {
					p.block(quote, indent)
				}
			}
		}
	}
	for _, n := range s.Notes {
		p.line("note: " + glyph.Visible(name) + p.styled(n))
	}
}

// Problems says on standard error which inputs gave no object.
func Problems(w io.Writer, problems []model.Problem, o Options) error {
	p := newPrinter(o)
	p.problems(problems)
	_, err := io.WriteString(w, p.String())
	return err
}

// problems are inputs that gave no object.
func (p *printer) problems(problems []model.Problem) {
	for _, problem := range problems {
		message := problem.Message
		if problem.At != "" {
			message = problem.At + ": " + message
		}
		p.line(p.Red("error:") + " " + glyph.Lines(strings.TrimRight(message, "\n")))
	}
}
