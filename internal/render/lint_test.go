package render

import (
	"testing"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// lintOf is a run that found one fault to edit, with somebody else's text in it.
func lintOf(field, nearest string) finding.Report {
	r := lint.Rules().Of("unknown-field")
	run := runOf("v1.36.3")
	run.FailOn = &report.FailOn{Values: []string{"warning"}}
	return finding.Conclude(finding.Run{
		Run: run, Kind: lint.ReportKind, Rules: lint.Rules(), Manifests: 2, Now: now,
		Findings: []finding.Finding{r.On(
			report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
			report.Source{File: "web.yaml", Document: 1, Line: 7},
			text.New("%v does not exist; %v does", text.Path(field), text.Path(nearest)),
			finding.Fix{Does: text.New("write %v, or take the field out of the manifest", text.Path(nearest))},
		).About(field)},
	})
}

func TestLint(t *testing.T) {
	clean := finding.Conclude(finding.Run{Kind: lint.ReportKind, Rules: lint.Rules(), Manifests: 1})
	checkAnswers(t, func(d []finding.Report) Answer { return Lint(d[0]) }, []answerCase[finding.Report]{
		{"lint", "text", Options{Width: 80}, []finding.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "markdown", Options{}, []finding.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "github", Options{}, []finding.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint", "junit", Options{}, []finding.Report{lintOf(".spec.selectr", ".spec.selector")}},
		{"lint_hostile", "text", Options{Width: 80}, []finding.Report{lintOf(acting, acting)}},
		{"lint_hostile", "markdown", Options{}, []finding.Report{lintOf(acting, acting)}},
		{"lint_clean", "text", Options{Width: 80}, []finding.Report{clean}},
	})
}
