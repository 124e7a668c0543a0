package audit

import (
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
)

// layOut shows what is wrong with the ownership, rule by rule, the worst first.
// Findings from a severity on make the run fail; an empty one means that none
// does.
func layOut(d finding.Report, o page.Options) model.Document {
	by := page.Finder{Title: "Ownership audit", Class: "ssactl.audit", Rules: rules.Rules(), Sentence: auditSentence}
	return by.Document(d, o)
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
	return page.Headline(d, on, "Nothing is wrong with the ownership of")
}
