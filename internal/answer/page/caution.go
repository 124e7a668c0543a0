package page

import (
	"strings"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// CautionBlocks are the caveats that come before anything else, each with the command that
// helps: what was given may not be what the cluster has, so that all the rest may be of
// something else.
func CautionBlocks(c report.Confidence, t report.Target) []model.Block {
	var out []model.Block
	for _, f := range findings.Cautions(c, t) {
		out = append(out, BlocksOf(f)...)
	}
	return out
}

// BlocksOf are those of one of them.
func BlocksOf(f report.Finding) []model.Block {
	text := f.Message.String()
	if len(f.Fields) > 0 {
		text = strings.Join(f.Fields, ", ") + ": " + text
	}
	if len(f.Fixes) == 0 {
		return []model.Block{model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say(text)}}
	}
	fix := f.Fixes[0]
	text += " " + fix.Does.String()
	out := []model.Block{model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say(text)}}
	if !fix.Command.None() {
		out = append(out, model.Command{Line: fix.Command.String()})
	}
	return out
}

// Assumed is what a run assumes, as the first answer that depends on it says it.
type Assumed string

// Add notes what an answer assumes.
func (a *Assumed) Add(c report.Confidence) {
	for _, reason := range c.Reasons {
		if *a == "" && reason.Rule == report.RuleNotGiven {
			*a = Assumed(reason.Message)
		}
	}
}

// Tell adds a line; none where nothing is assumed.
func (a Assumed) Tell(t *model.Tail) {
	if a != "" {
		t.Assumed = string(a)
		t.Blocks = append(t.Blocks, model.Paragraph{Apart: true, Text: model.Text{model.Faint.Of(t.Assumed)}})
	}
}
