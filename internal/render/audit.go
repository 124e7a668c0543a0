package render

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Audit is the answer of an audit. Findings from a severity on make the run fail; none
// do if it is empty.
func Audit(d finding.Report) Answer { return findings(d, view.Audit) }

// Lint is the answer of lint, as Audit.
func Lint(d finding.Report) Answer { return findings(d, view.Lint) }

// Impact is the answer of schema impact, as Audit.
func Impact(d finding.Report) Answer { return findings(d, view.Impact) }

func findings(d finding.Report, show func(finding.Report, view.Options) model.Document) Answer {
	d = view.WithSettings(d)
	return Answer{Report: d, View: func(o view.Options) model.Document { return show(d, o) }}
}
