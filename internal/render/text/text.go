package text

import (
	"io"
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
	// Color lets the format use colours.
	Color bool
	// Quiet leaves only titles and the headline.
	Quiet bool
	// Verbose shows what is folded else.
	Verbose bool
}

// Writer shows a document part by part.
type Writer struct {
	w    io.Writer
	o    Options
	head model.Head
	told bool
}

// New gives a writer of the text format.
func New(w io.Writer, o Options) *Writer { return &Writer{w: w, o: o} }

// Begin takes what is known before the first section.
func (t *Writer) Begin(h model.Head) error {
	t.head = h
	if len(h.Lead) == 0 {
		return nil
	}
	p := newPrinter(t.o)
	p.headline(h.Lead)
	t.told = true
	return t.write(p.String())
}

// Part makes the text of a section; several may be made at once.
func (t *Writer) Part(s model.Section) (any, error) {
	if s.Weight == model.Dull && t.head.Total > 1 && !t.o.Verbose {
		return "", nil
	}
	p := newPrinter(t.o)
	p.told = t.head.Managers
	p.blocks(s.Before, "")
	p.line(p.styled(s.Title))
	if !t.o.Quiet {
		p.blocks(s.Blocks, indent)
	}
	return p.String(), nil
}

// Add shows the next section.
func (t *Writer) Add(part any) error {
	text := part.(string)
	if text != "" && t.told && !t.o.Quiet {
		text = "\n" + text
	}
	t.told = t.told || text != ""
	return t.write(text)
}

// End shows what is known after the last section.
func (t *Writer) End(tail model.Tail) error {
	p := newPrinter(t.o)
	p.problems(t.head.Problems)
	if t.told && len(tail.Headline) > 0 {
		p.line("")
	}
	p.headline(tail.Headline)
	if !t.o.Quiet {
		p.blocks(tail.Blocks, "")
	}
	return t.write(p.String())
}

func (p *printer) headline(lines []model.Text) {
	for _, l := range lines {
		p.wrapped("", hang, l)
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
	p.blocks(s.Blocks, "")
	return p.String()
}

// Remarks says on standard error what formats for programs leave out: inputs
// that gave no object, objects without an answer or with a refusal, notes, and
// how far a run came.
func Remarks(w io.Writer, d model.Document, o Options) error {
	p := newPrinter(o)
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
