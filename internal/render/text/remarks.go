package text

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

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
