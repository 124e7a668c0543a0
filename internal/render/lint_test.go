package render

import (
	"testing"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// lintOf is a run that found one fault to edit, with somebody else's text in it.
func lintOf(field, nearest string) findings.Report {
	r := lint.Rules().Of(lint.UnknownField)
	run := runOf("v1.36.3")
	run.FailOn = &report.FailOn{Values: []string{"warning"}}
	return findings.Conclude(findings.Run{
		Run: run, Kind: lint.ReportKind, Rules: lint.Rules(), Manifests: 2, Now: now,
		Findings: []findings.Finding{findings.Finding{
			Rule: r.Name, Severity: r.Severity,
			Target: report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
			Source: report.Source{File: "web.yaml", Document: 1, Line: 7},
			Says:   text.New("%v does not exist; %v does", text.Path(field), text.Path(nearest)),
			Fixes:  []findings.Fix{{Says: text.New("write %v, or take the field out of the manifest", text.Path(nearest))}},
		}.About(field)},
	})
}

func TestLint(t *testing.T) {
	clean := findings.Conclude(findings.Run{Kind: lint.ReportKind, Rules: lint.Rules(), Manifests: 1})
	checkAnswers(t, func(d []findings.Report) Answer { return Lint(d[0]) }, []answerCase[findings.Report]{
		{"lint", "text", Options{Width: 80}, []findings.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "markdown", Options{}, []findings.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "github", Options{}, []findings.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "junit", Options{}, []findings.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint_hostile", "text", Options{Width: 80}, []findings.Report{lintOf(acting, acting)}},
		{"lint_hostile", "markdown", Options{}, []findings.Report{lintOf(acting, acting)}},
		{"lint_clean", "text", Options{Width: 80}, []findings.Report{clean}},
	})
}
