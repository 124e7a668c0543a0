package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/report"
)

// ClearText writes the plan to clear managed fields entries for people.
// Objects that have nothing to clear are only counted where there are others.
func ClearText(w io.Writer, d clear.Document, o Options) error {
	p := newPrinter(o)
	told := 0
	for _, c := range d.Objects {
		if c.Patch == nil && c.Outcome == report.Unchanged && len(d.Objects) > 1 && c.With == nil && len(c.Spared) == 0 && !o.Verbose {
			continue
		}
		if told > 0 && !o.Quiet {
			p.line("")
		}
		told++
		p.clearing(c)
	}
	p.problems(d.Problems)
	if n := len(d.Objects); n > 1 || n == 1 && len(d.Problems) > 0 || d.Interrupted != nil {
		if told > 0 {
			p.line("")
		}
		p.styled(p.clearSummary(d.Summary))
		p.interrupted(d.Interrupted)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// ClearReport writes everything as one JSON document.
func ClearReport(w io.Writer, d clear.Document, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// ClearPatch writes the JSON patch of a single object, and of several a list
// of those that have one, with their targets.
func ClearPatch(w io.Writer, d clear.Document, _ Options) error {
	type entry struct {
		Target report.Target     `json:"target"`
		Patch  []clear.Operation `json:"patch"`
	}
	entries := []entry{}
	for _, c := range d.Objects {
		if c.Patch != nil && !c.Outcome.Refused() {
			entries = append(entries, entry{c.Target, c.Patch})
		}
	}
	var v any = entries
	if len(d.Objects) == 1 && d.Interrupted == nil {
		v = []clear.Operation{}
		if len(entries) == 1 {
			v = entries[0].Patch
		}
	}
	s, err := encodeJSON(v, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

// ClearCommands writes the kubectl command of each object that has something
// to clear, a line each.
func ClearCommands(w io.Writer, d clear.Document, _ Options) error {
	var out strings.Builder
	for _, c := range d.Objects {
		if c.Command != "" && !c.Outcome.Refused() {
			out.WriteString(c.Command + "\n")
		}
	}
	out.WriteString(interruptedComment(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}

// ClearProblems tells what the formats for programs leave out: inputs that
// gave no object, objects without an answer, and remarks.
func ClearProblems(w io.Writer, d clear.Document, o Options) error {
	p := newPrinter(o)
	p.problems(d.Problems)
	for _, c := range d.Objects {
		name := objectName(c.Target) + where(c.Target)
		switch {
		case c.Outcome.Refused():
			p.line(p.red("error:") + " " + name + ": " + p.clearGist(c))
			p.paragraph("  ", c.Message)
		case c.Patch == nil && len(d.Objects) == 1 && len(c.Findings) == 0:
			p.line("note: " + name + ": nothing to clear")
		}
		for _, f := range c.Findings {
			p.line("note: " + name + ": " + visible(f))
		}
		for _, e := range c.Spared {
			p.line("note: " + name + ": " + visible(writer(e.Writer)) + " is left: " + visible(e.Why))
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) clearSummary(s clear.Summary) string {
	parts := []string{}
	add := func(n int, text string, paint style) {
		if n > 0 {
			parts = append(parts, paint(text))
		}
	}
	plain := func(s string) string { return s }
	add(s.Cleared, fmt.Sprintf("%d to clear (%s; %s without an owner then)", s.Cleared, entriesText(s.Entries), count(s.Ownerless, "field")), p.yellow)
	add(s.Unchanged, fmt.Sprintf("%d with nothing to clear", s.Unchanged), plain)
	add(s.Refused, fmt.Sprintf("%d refused", s.Refused), p.red)
	add(s.Failed, fmt.Sprintf("%d failed", s.Failed), p.red)
	add(s.WithRefused, fmt.Sprintf("%d refused an apply afterwards", s.WithRefused), p.red)
	return totals(p.bold(count(s.Total, "object")), parts)
}
