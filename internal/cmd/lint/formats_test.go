package lint

import (
	"testing"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/formats"
	"github.com/ssactl/ssactl/test/golden"
)

// aFinding is a run that found one fault to edit, with somebody else's text in it.
func aFinding(field, nearest string) finding.Report {
	r := Rules().Of("unknown-field")
	run := golden.RunOf("v1.36.3")
	run.FailOn = &report.FailOn{Values: []string{"warning"}}
	return finding.Conclude(finding.Run{
		Run: run, Kind: ReportKind, Rules: Rules(), Manifests: 2, Now: golden.Now,
		Findings: []report.Finding{r.On(
			report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"},
			report.Source{File: "web.yaml", Document: 1, Line: 7},
			text.New("%v does not exist; %v does", text.Path(field), text.Path(nearest)),
			report.Fix{Does: text.New("write %v, or take the field out of the manifest", text.Path(nearest))},
		).About(field)},
	})
}

func TestLint(t *testing.T) {
	clean := finding.Conclude(finding.Run{Kind: ReportKind, Rules: Rules(), Manifests: 1})
	formats.CheckAnswers(
		t,
		func(d []finding.Report) show.Answer { return show.Findings(d[0], finder.Document) },
		[]formats.AnswerCase[finding.Report]{
			{"lint", "text", show.Options{Width: 80}, []finding.Report{aFinding(".spec.selectr", ".spec.selector")}},
			{"lint", "markdown", show.Options{}, []finding.Report{aFinding(".spec.selectr", ".spec.selector")}},
			{"lint", "github", show.Options{}, []finding.Report{aFinding(".spec.selectr", ".spec.selector")}},
			{"lint", "junit", show.Options{}, []finding.Report{aFinding(".spec.selectr", ".spec.selector")}},
			{"lint_hostile", "text", show.Options{Width: 80}, []finding.Report{aFinding(golden.Acting, golden.Acting)}},
			{"lint_hostile", "markdown", show.Options{}, []finding.Report{aFinding(golden.Acting, golden.Acting)}},
			{"lint_clean", "text", show.Options{Width: 80}, []finding.Report{clean}},
		},
	)
}
