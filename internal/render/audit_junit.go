package render

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/report"
)

// AuditJUnit writes a test suite for each file with findings, with a case for
// each finding. What fails the run is a failure, the others pass with a text.
// An audit that finds nothing is one case that passes.
func AuditJUnit(w io.Writer, whole audit.Report, o AuditOptions) error {
	s := &junitStream{sink: sink{w}, byFile: map[string]*junitSuite{}}
	s.doc.Name = "Ownership (" + visible(whole.Server.Version) + ")"
	for _, p := range whole.Problems {
		s.add(p.Source.File, unreadableCase(p))
	}
	for _, f := range whole.Findings {
		s.add(f.Source.File, auditCase(f, o))
	}
	if s.doc.Tests == 0 && whole.Interrupted == nil {
		s.add("", junitCase{Name: newPrinter(Options{}).auditSentence(whole), ClassName: "ssactl.audit", Time: noTime})
	}
	return s.End(Ending{Report: report.Report{Interrupted: whole.Interrupted}})
}

func auditCase(f audit.Finding, o AuditOptions) junitCase {
	c := junitCase{Name: f.Rule + ": " + auditObject(f), ClassName: className(f.Target), Time: noTime}
	if f.Target == (report.Target{}) {
		c.ClassName = "ssactl.audit"
	}
	lines := []string{place(&f.Source), visible(f.Message), visible(f.Why)}
	for _, m := range f.Mend {
		lines = append(lines, "$ "+visible(m.Command), "  "+visible(m.Does))
	}
	text := strings.Join(lines, "\n") + "\n"
	if !o.fails(f.Severity) {
		c.Output = &junitText{text}
		return c
	}
	c.Failure = &junitResult{Type: f.Rule, Message: firstLine(f.Message), Text: text}
	return c
}
