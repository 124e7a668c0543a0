package impact

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
)

// layOut shows what a change of definitions does, rule by rule, the worst first.
// Findings from a severity on make the run fail; an empty one means that none does.
func layOut(d finding.Report, o page.Options) model.Document {
	by := page.Finder{Title: "Impact of a schema change", Class: "ssactl.schema-impact", Rules: Rules(), Sentence: impactSentence}
	return by.Document(d, o)
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
	return page.Headline(d, on, "Merging and ownership stay as they are on")
}
