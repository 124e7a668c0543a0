package view

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/audit"
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
