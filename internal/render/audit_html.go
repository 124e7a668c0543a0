package render

import (
	_ "embed" // The page's template is in html/.
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/ssactl/ssactl/internal/plan/audit"
)

//go:embed html/audit.html
var auditTemplate string

var auditPages = sync.OnceValue(func() *template.Template {
	return pageOf("audit", auditTemplate)
})

// AuditHTML writes one page that needs nothing else, not even a script: the
// rules with their findings, folded where they do not fail the run.
func AuditHTML(w io.Writer, report audit.Report, o AuditOptions) error {
	t, err := auditPages().Clone()
	if err != nil {
		return fmt.Errorf("copy the page's template: %w", err)
	}
	return t.Execute(w, newAuditPage(report, o))
}

// auditPage is what the template shows. Its texts are visible ones.
type auditPage struct {
	Sentence string
	Server   string
	Made     string
	Fails    bool
	// Interrupted is empty for a run that came to its end.
	Interrupted string
	Problems    []string
	Groups      []auditGroup
	Idle        []string
}

type auditGroup struct {
	Number           int
	Rule, Title, Why string
	Severity         audit.Severity
	Class            string
	Open             bool
	Findings         []auditRow
}

type auditRow struct {
	Object, Place, Message string
	Mend                   []audit.Mend
}

func newAuditPage(report audit.Report, o AuditOptions) auditPage {
	p := auditPage{
		Sentence: newPrinter(Options{}).auditSentence(report), Server: visible(report.Server.Version),
		Fails: report.Interrupted != nil || len(report.Problems) > 0 || o.FailOn != "" && report.Has(o.FailOn),
	}
	if !o.Now.IsZero() {
		p.Made = date(&o.Now)
	}
	if report.Interrupted != nil {
		p.Interrupted = interruptedSentence(*report.Interrupted)
	}
	for _, problem := range report.Problems {
		p.Problems = append(p.Problems, problemText(problem))
	}
	for _, i := range report.IdleSuppressions {
		p.Idle = append(p.Idle, visible(idleText(i)))
	}
	rest := report.Findings
	for i, r := range report.Rules {
		g := auditGroup{Number: i + 1, Rule: r.Rule, Title: r.Title, Why: rest[0].Why, Severity: r.Severity, Class: severityClass(r.Severity), Open: o.fails(r.Severity) && r.Findings <= unfolded}
		for _, f := range rest[:r.Findings] {
			g.Findings = append(g.Findings, auditRowOf(f))
		}
		rest = rest[r.Findings:]
		p.Groups = append(p.Groups, g)
	}
	return p
}

func auditRowOf(f audit.Finding) auditRow {
	row := auditRow{Object: auditObject(f), Message: visible(f.Message)}
	if f.Target.Name != "" {
		row.Place = place(&f.Source)
	}
	for _, m := range f.Mend {
		row.Mend = append(row.Mend, audit.Mend{Command: visible(m.Command), Does: visible(m.Does)})
	}
	return row
}

// severityClass is the style sheet's class of an outcome that weighs as much.
func severityClass(s audit.Severity) string {
	switch s {
	case audit.Error:
		return "invalid"
	case audit.Warning:
		return "configured"
	}
	return "unchanged"
}

// Title is the answer, short enough for a browser's tab.
func (p auditPage) Title() string { return p.Sentence + " · ssactl" }

// Style is the page's style sheet as it stands in the page.
func (p auditPage) Style() template.CSS { return template.CSS(unixLines(pageStyle)) }

// Policy allows the page its own style, and nothing else.
func (p auditPage) Policy() string {
	return "default-src 'none'; style-src '" + sourceHash(string(p.Style())) + "'; base-uri 'none'; form-action 'none'"
}
