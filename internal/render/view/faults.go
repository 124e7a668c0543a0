package view

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

// Audit shows what is wrong with the ownership, rule by rule, the worst first.
// Findings from a severity on make the run fail; an empty one means that none
// does.
func Audit(d finding.Report, o Options) model.Document {
	by := finder{title: "Ownership audit", class: "ssactl.audit", rules: audit.Rules(), sentence: auditSentence}
	return by.document(d, o)
}

// auditSentence is the answer in one sentence.
func auditSentence(d finding.Report) model.Text {
	s := d.Summary
	switch {
	case s.Objects == 0 && d.Interrupted != nil:
		return model.Text{model.Strong.Of("No live object was examined")}
	case s.Objects == 0:
		return model.Text{model.Strong.Of("No live object could be read")}
	}
	on := words.Count(s.Objects, "object")
	if s.Manifests > 0 {
		on += " and " + words.Count(s.Manifests, "manifest")
	}
	return headline(d, on, "Nothing is wrong with the ownership of")
}

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

// Impact shows what a change of definitions does, rule by rule, the worst first.
// Findings from a severity on make the run fail; an empty one means that none does.
func Impact(d finding.Report, o Options) model.Document {
	by := finder{title: "Impact of a schema change", class: "ssactl.schema-impact", rules: impact.Rules(), sentence: impactSentence}
	return by.document(d, o)
}

// impactSentence is the answer in one sentence.
func impactSentence(d finding.Report) model.Text {
	on := words.Count(d.Summary.Kinds, "kind")
	if d.Summary.Objects > 0 {
		on += " and " + words.Count(d.Summary.Objects, "live object")
	}
	if d.Summary.Kinds == 0 {
		return model.Text{model.Strong.Of("No kind was compared")}
	}
	return headline(d, on, "Merging and ownership stay as they are on")
}
