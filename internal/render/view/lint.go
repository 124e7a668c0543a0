package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// Lint shows what is wrong with manifests, rule by rule, the worst first. Findings
// from a severity on make the run fail; an empty one means that none does.
func Lint(d findings.Report, o Options) model.Document {
	by := finder{title: "Lint", class: "ssactl.lint", rules: lint.Rules(), texts: lintRules, sentence: lintSentence}
	return by.document(d, o)
}

// lintSentence is the answer in one sentence.
func lintSentence(d findings.Report) model.Text {
	if d.Summary.Manifests == 0 {
		return model.Text{model.Strong.Of("No manifest was examined")}
	}
	return headline(d, words.Count(d.Summary.Manifests, "manifest"), "Nothing is wrong with")
}

// LintDocument writes what findings say, what to do about them, and the texts of
// settings into a report.
func LintDocument(d findings.Report) findings.Report {
	return withTexts(d, lintRules, func(f *findings.Finding) {
		f.Message = f.Says.String()
		f.Fixes = slices.Clone(f.Fixes)
		for i, fix := range f.Fixes {
			f.Fixes[i].Does = program.In(fix.Says.String())
		}
		f.InClient = written(f.InClient, f.Target, f.Source.File)
	})
}
