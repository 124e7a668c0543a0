package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
)

// WhyText writes answers about a field for people.
func WhyText(w io.Writer, d explain.Answers, o Options) error {
	p := newPrinter(o)
	for i, a := range d.Answers {
		if i > 0 && !o.Quiet {
			p.line("")
		}
		p.why(a)
	}
	p.problems(d.Problems)
	p.interrupted(d.Interrupted)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// WhyJSON writes answers about a field as one JSON document.
func WhyJSON(w io.Writer, d explain.Answers, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

func (p *printer) why(a explain.Why) {
	p.caveats(report.Result{Target: a.Target, Confidence: report.Confidence{Reasons: a.Caveats}}, "")
	p.line(p.bold(objectName(a.Target)) + where(a.Target) + ": " + p.bold(visible(a.Field)))
	p.line("  value    " + p.explained(a.Value))
	if a.Inside {
		p.paragraph("  note     ", a.Typed+" is inside this field, which is owned as a whole: what is said of the field holds for all that is in it.")
	}
	p.paragraph("  why      ", a.Says)
	if p.o.Quiet {
		return
	}
	p.paragraph("  field    ", natureText(explain.Story{Nature: a.Nature}))
	for _, h := range a.Owners {
		p.paragraph("  owned by ", writer(h.Writer)+", "+since(h.Time, p.o.Now))
		p.paragraph("           ", characterText(h.Character))
	}
	p.listed("Who may set it", a.Setters)
	p.dropped(a)
	p.applied(a)
	p.listed("Why it stays when it is taken out of a manifest", a.Kept)
	p.removal(a.Removal)
	p.listed("Notices", a.Notices)
}

// listed is a section of sentences; nothing without any.
func (p *printer) listed(title string, sentences []string) {
	if len(sentences) == 0 {
		return
	}
	p.heading(title)
	for _, s := range sentences {
		p.paragraph("  - ", s)
	}
}

// dropped tells what happens if an owner drops the field.
func (p *printer) dropped(a explain.Why) {
	if len(a.Drops) == 0 {
		return
	}
	p.heading("If its owner drops it (simulated)")
	for _, d := range a.Drops {
		p.paragraph("  ", writer(d.Writer))
		p.paragraph("      ", d.Says)
		if d.Message != "" {
			p.paragraph("      ", d.Message)
		}
		p.also(d.Also)
	}
}

func (p *printer) also(changes []report.Change) {
	for i, c := range changes {
		if i == shownLines && !p.o.Verbose {
			p.line(p.faint(fmt.Sprintf("      … %d more changes; -v shows all", len(changes)-i)))
			return
		}
		p.line("      also " + signs[c.Kind] + " " + cut(visible(c.Field), p.width-13))
	}
}

// applied tells what happens if the manager applies the field.
func (p *printer) applied(a explain.Why) {
	if len(a.Applies) == 0 {
		return
	}
	p.heading("If " + visible(a.Manager) + " applies it (simulated)")
	for _, t := range a.Applies {
		what := "another value, "
		if t.Same {
			what = "the same value, "
		}
		p.paragraph("  - ", what+cut(scalar(t.Value), p.width-30)+": "+t.Says)
		if t.Message != "" && t.Outcome.Refused() && t.Outcome != report.Conflicted {
			p.paragraph("    ", t.Message)
		}
	}
}

// removal is a numbered list of steps with its end.
func (p *printer) removal(r explain.Removal) {
	p.heading("To get it removed")
	for i, s := range r.Steps {
		prefix := fmt.Sprintf("  %d. ", i+1)
		p.paragraph(prefix, s.Says)
		if s.Command != "" {
			p.line(strings.Repeat(" ", len(prefix)) + p.cyan(visible(s.Command)))
		}
		if s.Outcome.Refused() {
			p.paragraph(strings.Repeat(" ", len(prefix)), "refused: "+s.Message)
		}
	}
	p.paragraph("  ", r.Says)
}
