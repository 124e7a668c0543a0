package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/report"
)

// How much of a rule is told before the rest is counted: all, where there is
// little to tell in all.
const (
	shownOfRule   = 5
	shownUnfolded = 20
)

// AuditText writes an audit for people: the verdict, the rules with their
// counts, then the findings of each rule, the worst rules first.
func AuditText(w io.Writer, doc audit.Report, o AuditOptions) error {
	p := newPrinter(o.Options)
	p.auditVerdict(doc)
	if len(doc.Rules) > 1 || o.Quiet && len(doc.Rules) > 0 {
		p.auditCounts(doc)
	}
	if !o.Quiet {
		rest := doc.Findings
		for _, r := range doc.Rules {
			p.auditRule(r, rest[:r.Findings], len(doc.Findings) <= shownUnfolded || o.Verbose)
			rest = rest[r.Findings:]
		}
		p.suppressed(doc)
	}
	p.idle(doc)
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) auditVerdict(doc audit.Report) {
	p.styled(p.bold(p.auditSentence(doc)))
	if len(doc.Problems) > 0 {
		p.line(p.red(count(len(doc.Problems), "input") + " could not be read"))
	}
	p.interrupted(doc.Interrupted)
}

// auditSentence is the answer in one sentence.
func (p *printer) auditSentence(doc audit.Report) string {
	s := doc.Summary
	objects := count(s.Objects, "object")
	if s.Manifests > 0 {
		objects += " and " + count(s.Manifests, "manifest")
	}
	switch {
	case s.Objects == 0 && doc.Interrupted != nil:
		return "No live object was examined"
	case s.Objects == 0:
		return "No live object could be read"
	}
	answer := "Nothing is wrong with the ownership of " + objects
	if s.Findings > 0 {
		var parts []string
		for _, n := range []struct {
			count int
			noun  string
			paint style
		}{{s.Errors, "error", p.red}, {s.Warnings, "warning", p.yellow}, {s.Notes, "note", p.cyan}} {
			if n.count > 0 {
				parts = append(parts, n.paint(count(n.count, n.noun)))
			}
		}
		answer = strings.Join(parts, ", ") + " on " + objects
	}
	if s.Suppressed > 0 {
		answer += fmt.Sprintf(" (%d suppressed)", s.Suppressed)
	}
	return answer
}

// auditCounts is a table of the rules with findings.
func (p *printer) auditCounts(doc audit.Report) {
	p.line("")
	widest, lead := 0, 1
	for _, r := range doc.Rules {
		widest, lead = max(widest, len(r.Rule)), max(lead, len(strconv.Itoa(r.Findings)))
	}
	if wide := 6; 2+wide+2+widest+2+len(audit.Warning) <= p.width {
		lead = max(lead, wide)
	}
	for _, r := range doc.Rules {
		line := fmt.Sprintf("  %*d  %s  ", lead, r.Findings, pad(r.Rule, widest))
		p.line(line + p.severity(r.Severity, string(r.Severity)))
	}
}

func (p *printer) severity(s audit.Severity, text string) string {
	switch s {
	case audit.Error:
		return p.red(text)
	case audit.Warning:
		return p.yellow(text)
	}
	return p.cyan(text)
}

// auditRule tells the findings of a rule, of which the first explains itself.
func (p *printer) auditRule(r audit.RuleCount, list []audit.Finding, all bool) {
	p.line("")
	p.line(p.severity(r.Severity, ruled(fmt.Sprintf("%s %s", r.Severity, r.Rule), p.width)))
	p.paragraph("", r.Title+" "+list[0].Why)
	for i, f := range list {
		if i == shownOfRule && !all {
			p.line("")
			p.paragraph("", fmt.Sprintf("… and %s of this rule; -v shows all", count(len(list)-i, "more finding")))
			return
		}
		p.auditFinding(f, i == 0)
	}
}

func (p *printer) auditFinding(f audit.Finding, first bool) {
	p.line("")
	p.line(p.auditHead(f))
	p.paragraph("  ", f.Message)
	if p.o.Verbose && len(f.Fields) > 1 {
		for _, field := range f.Fields {
			p.line("    " + visible(field))
		}
	}
	for i, m := range f.Mend {
		if i > 0 && !first && !p.o.Verbose {
			return
		}
		p.line("  " + p.cyan("$ "+visible(m.Command)))
		if first || p.o.Verbose {
			p.paragraph("    ", m.Does)
		}
	}
}

// auditHead names the object and its place, on a line if there is room.
func (p *printer) auditHead(f audit.Finding) string {
	at := place(&f.Source)
	if f.Target == (report.Target{}) {
		return p.bold(at)
	}
	name := objectName(f.Target) + where(f.Target)
	if at == "" {
		return p.bold(name)
	}
	if columns(name)+2+columns(at) <= p.width {
		return p.bold(name) + "  " + p.faint(at)
	}
	return p.bold(name) + "\n  " + p.faint(at)
}

// suppressed lists what was not told, when everything is asked for.
func (p *printer) suppressed(doc audit.Report) {
	if !p.o.Verbose || len(doc.Suppressed) == 0 {
		return
	}
	p.heading("Suppressed")
	for _, s := range doc.Suppressed {
		text := s.Finding.Rule + " on " + auditObject(s.Finding) + ": " + s.Finding.Message + ", by " + s.By
		if s.Reason != "" {
			text += " (" + s.Reason + ")"
		}
		p.paragraph("  - ", text)
	}
}

// idle tells of suppressions that hid nothing.
func (p *printer) idle(doc audit.Report) {
	if len(doc.IdleSuppressions) == 0 {
		return
	}
	p.heading("Suppressions without effect")
	for _, i := range doc.IdleSuppressions {
		p.paragraph("  - ", idleText(i))
	}
}

func idleText(i audit.Idle) string {
	return place(&i.Suppression.Source) + ": " + suppressionText(i.Suppression) + " " + i.Why
}

func suppressionText(s audit.Suppression) string {
	words := []string{s.Rule}
	for _, w := range []struct{ key, value string }{{"kind", s.Kind}, {"namespace", s.Namespace}, {"name", s.Name}, {"field", s.Field}} {
		if w.value != "" {
			words = append(words, w.key+" "+w.value)
		}
	}
	return strings.Join(words, ", ")
}

// auditObject names what a finding is on in one text.
func auditObject(f audit.Finding) string {
	if f.Target == (report.Target{}) {
		return place(&f.Source)
	}
	return objectName(f.Target) + where(f.Target)
}
