package lint

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
)

// layOut shows what is wrong with manifests, rule by rule, the worst first. Findings
// from a severity on make the run fail; an empty one means that none does.
func layOut(d finding.Report, o page.Options) model.Document {
	by := page.Finder{Title: "Lint", Class: "ssactl.lint", Rules: Rules(), Sentence: lintSentence}
	return by.Document(d, o)
}

// lintSentence is the answer in one sentence.
func lintSentence(d finding.Report) model.Text {
	if d.Summary.Manifests == 0 {
		return model.Text{model.Strong.Of("No manifest was examined")}
	}
	return page.Headline(d, words.Count(d.Summary.Manifests, "manifest"), "Nothing is wrong with")
}
