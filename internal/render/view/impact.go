package view

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/impact"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
)

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
