package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/report"
)

// ExplainText writes explanations for people: a verdict an object, and each
// conflict as a story with its ways out.
func ExplainText(w io.Writer, d explain.Document, o Options) error {
	p := newPrinter(o)
	for i, e := range d.Objects {
		if i > 0 && !o.Quiet {
			p.line("")
		}
		p.explanation(e)
	}
	p.problems(d.Problems)
	if d.Summary.Total > 1 || d.Interrupted != nil {
		p.line("")
		p.styled(p.counts(d.Summary))
		p.interrupted(d.Interrupted)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// ExplainJSON writes explanations as one JSON document.
func ExplainJSON(w io.Writer, d explain.Document, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

func (p *printer) explanation(e explain.Explanation) {
	p.caveats(resultOf(e), "")
	p.line(p.verdict(resultOf(e)))
	if p.o.Quiet {
		return
	}
	for _, n := range e.Notices {
		p.paragraph("Notice: ", n)
	}
	switch {
	case e.Outcome == report.Conflicted:
		p.stories(e)
		p.together(e)
	case e.Outcome.Refused():
		p.notConflicted(e)
	default:
		p.paragraph("  ", "Nothing stands in the way of this apply: no field is held by another manager with another value.")
	}
	p.notSimulated(e.Confidence)
}

func (p *printer) stories(e explain.Explanation) {
	for i, s := range e.Stories {
		if i == shownFaults && !p.o.Verbose {
			p.line("")
			p.line(p.faint(count(len(e.Stories)-i, "more field") + "; -v shows all"))
			return
		}
		p.story(e, s)
	}
}

// resultOf is as much of a result as a verdict needs.
func resultOf(e explain.Explanation) report.Result {
	r := report.Result{Target: e.Target, Source: e.Source, LiveSource: e.LiveSource, Manager: e.Manager, Outcome: e.Outcome, Code: e.Code, Error: e.Message, Confidence: e.Confidence}
	for _, s := range e.Stories {
		for _, h := range s.Holders {
			r.Conflicts = append(r.Conflicts, report.Conflict{Field: s.Field, Writer: h.Writer})
		}
	}
	return r
}

// notConflicted is for an apply that is refused for another reason than
// ownership: there is nothing to take, give up or share.
func (p *printer) notConflicted(e explain.Explanation) {
	if e.Outcome == report.Failed {
		return
	}
	p.causes(e.Causes)
	p.heading(fmt.Sprintf("The API server would answer %d", e.Code))
	p.line(visibleLines(e.Message))
	p.line("")
	p.paragraph("", "This is no conflict of field managers: the request itself, or the object that would come of it, is refused.")
}

// story is one field from top to bottom.
func (p *printer) story(e explain.Explanation, s explain.Story) {
	p.line("")
	p.storyTitle(s)
	p.line("  yours    " + p.green(p.explained(s.Yours)))
	p.line("  live     " + p.red(p.explained(s.Live)))
	if s.AskedAs != "" {
		p.paragraph("           ", "told in the API version of its holder; your manifest asks for it as "+s.AskedAs)
	}
	p.paragraph("           ", differenceText(s))
	p.paragraph("  field    ", natureText(s))
	for _, h := range s.Holders {
		p.paragraph("  held by  ", writer(h.Writer)+", "+since(h.Time, p.o.Now))
		p.paragraph("           ", characterText(h.Character))
	}
	p.line("")
	for _, w := range s.Ways {
		p.way(w, s)
	}
	p.recommendation(e, s)
}

func (p *printer) storyTitle(s explain.Story) {
	at, field := place(s.Source), cut(visible(s.Field), p.width)
	if at != "" && columns(field)+2+columns(at) <= p.width {
		p.line(p.bold(field) + "  " + p.faint(at))
		return
	}
	p.line(p.bold(field))
	if at != "" {
		p.line("  asked in " + p.faint(at))
	}
}

func (p *printer) explained(v explain.Value) string { return p.value(v.Value, v.Missing) }

// recommendation says what to do, why, and with which command.
func (p *printer) recommendation(e explain.Explanation, s explain.Story) {
	head := "Recommended: " + strings.ToLower(wayName(s.Recommended)) + "."
	for i, l := range wrap(visible(head+" "+s.Reason), p.width-2) {
		if rest, ok := strings.CutPrefix(l, head); ok && i == 0 {
			l = p.bold(head) + rest
		}
		p.line("  " + l)
	}
	if s.Recommended == explain.None {
		return
	}
	p.line("    " + p.cyan(wayCommand(e, s, p.o)))
	if s.Recommended == explain.TakeOver && !agreed(e.Stories) {
		p.paragraph("    ", "--force-conflicts takes every conflicting field: give up or share the others first.")
	}
}

// agreed tells whether one way is recommended for all fields.
func agreed(stories []explain.Story) bool {
	for _, s := range stories {
		if s.Recommended != stories[0].Recommended {
			return false
		}
	}
	return true
}

// together tells the ways for all fields at once.
func (p *printer) together(e explain.Explanation) {
	if len(e.Together) == 0 {
		return
	}
	p.heading(fmt.Sprintf("All %d fields at once", len(e.Stories)))
	for _, w := range e.Together {
		p.wayGist(w, wayOutcome(w))
		p.wayRefusal(w)
	}
	if command := allCommand(e, p.o); command != "" {
		p.line("    " + p.cyan(command))
	}
}

func (p *printer) notSimulated(c report.Confidence) {
	p.confidence(report.Result{Confidence: c})
}
