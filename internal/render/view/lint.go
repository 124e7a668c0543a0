package view

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// Lint shows what is wrong with manifests, rule by rule, the worst first. Findings
// from a severity on make the run fail; an empty one means that none does.
func Lint(d finding.Report, o Options) model.Document {
	by := finder{title: "Lint", class: "ssactl.lint", rules: lint.Rules(), sentence: lintSentence}
	return by.document(d, o)
}

// lintSentence is the answer in one sentence.
func lintSentence(d finding.Report) model.Text {
	if d.Summary.Manifests == 0 {
		return model.Text{model.Strong.Of("No manifest was examined")}
	}
	return headline(d, words.Count(d.Summary.Manifests, "manifest"), "Nothing is wrong with")
}
