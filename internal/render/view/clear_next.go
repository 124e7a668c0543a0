package view

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// nextApplies say what the next apply of each manager does.
func nextApplies(list []clear.Next) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l := model.List{}
	for _, n := range list {
		who := writerOf(n.Writer)
		if n.New {
			who = model.Say("Any manager that applies for the first time")
		}
		l.Items = append(l.Items, model.Item{Text: who, Blocks: []model.Block{sentences(nextTexts(n))}})
	}
	return []model.Block{part("What the next applies do (simulated)", l)}
}

// nextTexts are sentences on one manager's next apply.
func nextTexts(n clear.Next) []model.Text {
	if n.Unknown != "" {
		return []model.Text{model.Textf("What it applied is not known: %v.", n.Unknown)}
	}
	if n.New && len(n.Shares) > 0 {
		return []model.Text{model.Textf("If it applies the live values, the apply succeeds, and it co-owns them with %v, synthesized by the server for all that the object has: from then on other values conflict with it, and fields left out stay.", and(n.Shares))}
	}
	out := []model.Text{model.Textf("Applied again unchanged, its configuration %v", nextText(n))}
	return append(out, probeTexts(n)...)
}

// nextText is the result of applying a configuration again.
func nextText(n clear.Next) model.Text {
	switch {
	case n.Outcome == report.Conflicted:
		return model.Textf("conflicts with %v.", and(n.With))
	case n.Outcome.Refused():
		return model.Say(fmt.Sprintf("is refused (%d): %s", n.Code, n.Message))
	case len(n.Shares) > 0:
		return model.Textf("is accepted, but from then on it co-owns its fields with %v, synthesized by the server for all that the object has.", and(n.Shares))
	case n.Cleared:
		return model.Say("is accepted, and it owns its fields again.")
	}
	return model.Say("is accepted, and nothing changes.")
}

// probeTexts say what happens to an example field. What clearing does
// not alter is said of the next apply only, and not twice.
func probeTexts(n clear.Next) []model.Text {
	var out []model.Text
	for i, probe := range n.Probes {
		repeats := i > 0 && probe.Kind == clear.DropLater && probe.After == n.Probes[i-1].After
		if !repeats && (probe.Before != probe.After || probe.Kind == clear.DropNext) {
			out = append(out, probeText(probe))
		}
	}
	return out
}

// probes are what is done to a field by way of example.
var probes = map[clear.ProbeKind]string{
	clear.DropNext:    "If its next apply leaves %v out, the field %v%v",
	clear.DropLater:   "If it applies %v again first, and leaves it out later, the field %v%v",
	clear.ChangeLater: "If it applies %v again first, and another value later, the apply %v%v",
}

// probeText says what happens to the field, with clearing and without.
func probeText(b clear.Probe) model.Text {
	compared := model.Say(", as it would without clearing.")
	if b.Before != b.After {
		compared = model.Textf("; without clearing, it %v.", effectText(b.Kind, b.Before, nil))
	}
	return model.Textf(probes[b.Kind], model.Field.Of(b.Field), effectText(b.Kind, b.After, b.With), compared)
}

func effectText(kind clear.ProbeKind, f clear.Effect, with []string) model.Text {
	others := model.Say("other managers")
	if len(with) > 0 {
		others = and(with)
	}
	if kind == clear.ChangeLater {
		switch f {
		case clear.Conflicted:
			return model.Textf("conflicts with %v", others)
		case clear.Refused:
			return model.Say("is refused for another reason than a conflict")
		}
		return model.Say("is accepted")
	}
	switch f {
	case clear.Removed:
		return model.Say("is removed")
	case clear.Changed:
		return model.Say("goes back to the server's default")
	case clear.Conflicted:
		return model.Textf("stays, as the apply conflicts with %v", others)
	case clear.Refused:
		return model.Say("stays, as the apply is refused")
	}
	return model.Say("stays as it is")
}
