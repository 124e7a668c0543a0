package render

import (
	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Audit is the answer of an audit. Findings from a severity on make the run fail; none
// do if it is empty.
func Audit(d audit.Report) Answer {
	d = view.AuditDocument(d)
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Audit(d, o) },
	}
}

// Lint is the answer of lint, as Audit.
func Lint(d findings.Report) Answer {
	d = view.LintDocument(d)
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Lint(d, o) }}
}

// Impact is the answer of schema impact, as Audit.
func Impact(d findings.Report) Answer {
	d = view.ImpactDocument(d)
	return Answer{Report: d, View: func(o view.Options) model.Document { return view.Impact(d, o) }}
}
