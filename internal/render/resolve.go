package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/resolve"
	"github.com/ssactl/ssactl/internal/report"
)

// ResolveDiff writes how the manifest files change, as patch reads it.
func ResolveDiff(w io.Writer, d resolve.Document, o Options) error {
	p := newPrinter(o)
	for _, f := range d.Files {
		if !o.Color {
			p.out.WriteString(f.Diff)
			continue
		}
		for _, line := range strings.SplitAfter(f.Diff, "\n") {
			p.out.WriteString(p.diffLine(line))
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// diffLine colours a line of a unified diff.
func (p *printer) diffLine(line string) string {
	text := strings.TrimRight(line, "\r\n")
	if text == "" {
		return line
	}
	paint := style(func(s string) string { return s })
	switch {
	case strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "):
		paint = p.bold
	case strings.HasPrefix(text, "@@"):
		paint = p.cyan
	case text[0] == '-':
		paint = p.red
	case text[0] == '+':
		paint = p.green
	}
	return paint(visible(text)) + "\n"
}

// ResolveText writes what was done about each conflict, an object after the
// other.
func ResolveText(w io.Writer, d resolve.Document, o Options) error {
	p := newPrinter(o)
	for _, r := range d.Objects {
		p.resolution(r)
	}
	p.problems(d.Problems)
	for _, n := range d.Notices {
		p.paragraph("note: ", n)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// ResolveJSON writes the document.
func ResolveJSON(w io.Writer, d resolve.Document, _ Options) error {
	s, err := encodeJSON(d, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s+"\n")
	return err
}

func (p *printer) resolution(r resolve.Resolution) {
	p.caveats(report.Result{Target: r.Target, Confidence: r.Confidence}, "")
	p.line(p.bold(objectName(r.Target)) + " " + p.resolved(r))
	if p.o.Quiet {
		return
	}
	for _, s := range r.Steps {
		p.step(s, r)
	}
	switch {
	case r.After.Refused() && r.After != report.Conflicted:
		p.paragraph("  ", r.Message)
	case r.Confidence.Has(report.RuleNoManagedFields):
	case slices.ContainsFunc(r.Steps, func(s resolve.Step) bool { return s.Outcome == resolve.NotAsked }):
		p.paragraph("  ", "Decide with --give-up FIELD, --share FIELD, --all-give-up or --all-share; 'ssactl explain' tells what each would do.")
	}
}

// resolved is the verdict on a manifest.
func (p *printer) resolved(r resolve.Resolution) string {
	gone := fmt.Sprintf("%d of %s resolved", r.Resolved(), count(len(r.Steps), "conflict"))
	switch {
	case r.After == report.Conflicted && r.Resolved() == 0:
		return p.red(count(len(r.Steps), "conflict") + " left")
	case r.After == report.Conflicted:
		return p.red(gone)
	case r.After == report.Failed:
		return p.red("failed")
	case r.After.Refused():
		return p.red("refused by the server")
	case r.Before == report.Conflicted:
		return p.green(gone) + ", would be " + strings.ToLower(string(r.After))
	}
	return p.green("no conflicts")
}

func (p *printer) step(s resolve.Step, r resolve.Resolution) {
	at := ""
	if where := place(s.Source); where != "" {
		at = "  " + p.faint(where)
	}
	p.line("  " + visible(s.Field) + at)
	p.paragraph("    ", stepText(s, r.Source.File))
	for _, c := range s.Consequences {
		p.paragraph("    ", p.consequence(c))
	}
}

func stepText(s resolve.Step, file string) string {
	holders := holderNames(s.Holders)
	at := ""
	if s.At != "" {
		at = " as " + s.At
	}
	switch {
	case s.Outcome == resolve.Refused:
		why := s.Reason
		if s.Line > 0 {
			why = fmt.Sprintf("%s (%s:%d)", why, fileOrStdin(file), s.Line)
		}
		return "not resolved: " + why
	case s.Outcome == resolve.NotAsked:
		return "left to be decided; held by " + holders
	case s.Action == resolve.Leave:
		return "gone with another field"
	case s.Action == resolve.Share:
		return fmt.Sprintf("shared%s with %s: %s", at, holders, scalar(s.Written))
	case s.Removed != "":
		return fmt.Sprintf("given up%s to %s, with the list item %s, which had nothing else", at, holders, s.Removed)
	}
	return fmt.Sprintf("given up%s to %s", at, holders)
}

func (p *printer) consequence(c resolve.Consequence) string {
	switch c.Kind {
	case resolve.Overwrites:
		return fmt.Sprintf("%s writes by updates: once it changes the value, this apply conflicts again.", c.Manager)
	case resolve.Conflicts:
		return fmt.Sprintf("If %s's manifest says %s as this one did, its next apply conflicts: the stored spelling has to be written in both.", c.Manager, scalar(c.Spelling))
	}
	return fmt.Sprintf("%s can go on applying this value; whoever changes it first gets the conflict.", c.Manager)
}
