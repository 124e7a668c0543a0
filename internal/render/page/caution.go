package page

import (
	"slices"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// Caution is a caveat with what can be done about it.
type Caution struct {
	report.Caveat
	// Cure says what to do; empty where nothing can be done.
	Cure string
	// Command does it; empty where no line of a shell can.
	Command string
}

// Cautions are the caveats that come before anything else: what was given may
// not be what the cluster has, so that all the rest may be of something else.
func Cautions(c report.Confidence, t report.Target) []Caution {
	var out []Caution
	for _, reason := range c.Reasons {
		if reason.Rule == "" || reason.Rule == report.RuleNotGiven {
			continue
		}
		fix := fixes.Cure(reason, t)
		same := func(c Caution) bool {
			return c.Rule == reason.Rule && c.Message == reason.Message && c.Command == fix.Command.String()
		}
		if i := slices.IndexFunc(out, same); i >= 0 && reason.Field != "" {
			out[i].Field += ", " + reason.Field
			continue
		}
		out = append(out, CautionOf(reason, fix))
	}
	return out
}

// CautionOf is a caveat with a fix.
func CautionOf(c report.Caveat, fix report.Fix) Caution {
	return Caution{c, fix.Does.String(), fix.Command.String()}
}

// CautionBlocks are the same as blocks, each with the command that helps.
func CautionBlocks(c report.Confidence, t report.Target) []model.Block {
	var out []model.Block
	for _, caution := range Cautions(c, t) {
		out = append(out, BlocksOf(caution)...)
	}
	return out
}

// BlocksOf are one of them.
func BlocksOf(c Caution) []model.Block {
	text := c.Message
	if c.Field != "" {
		text = c.Field + ": " + text
	}
	if c.Cure != "" {
		text += " " + c.Cure
	}
	out := []model.Block{model.Paragraph{Label: model.Text{model.Strong.Of("Caution:")}, Text: model.Say(text)}}
	if c.Command != "" {
		out = append(out, model.Command{Line: c.Command})
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
