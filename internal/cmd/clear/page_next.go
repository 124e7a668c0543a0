package clear

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// nextApplies say what the next apply of each manager does.
func nextApplies(list []Next) []model.Block {
	if len(list) == 0 {
		return nil
	}
	l := model.List{}
	for _, n := range list {
		who := page.WriterOf(n.Writer)
		if n.New {
			who = model.Say("Any manager that applies for the first time")
		}
		l.Items = append(l.Items, model.Item{Text: who, Blocks: []model.Block{page.Sentences(nextTexts(n))}})
	}
	return []model.Block{page.Part("What the next applies do (simulated)", l)}
}

// nextTexts are sentences on one manager's next apply.
func nextTexts(n Next) []model.Text {
	if n.Unknown != "" {
		return []model.Text{model.Textf("What it applied is not known: %v.", n.Unknown)}
	}
	if n.New && len(n.Shares) > 0 {
		return []model.Text{model.Textf("If it applies the live values, the apply succeeds, and it co-owns them with %v, synthesized by the server for all that the object has: from then on other values conflict with it, and fields left out stay.", page.And(n.Shares))}
	}
	out := []model.Text{model.Textf("Applied again unchanged, its configuration %v", nextText(n))}
	return append(out, probeTexts(n)...)
}

// nextText is the result of applying a configuration again.
func nextText(n Next) model.Text {
	switch {
	case n.Outcome == report.Conflicted:
		return model.Textf("conflicts with %v.", page.And(n.With))
	case n.Outcome.Refused():
		return model.Say(fmt.Sprintf("is refused (%d): %s", n.Code, n.Message))
	case len(n.Shares) > 0:
		return model.Textf("is accepted, but from then on it co-owns its fields with %v, synthesized by the server for all that the object has.", page.And(n.Shares))
	case n.Cleared:
		return model.Say("is accepted, and it owns its fields again.")
	}
	return model.Say("is accepted, and nothing changes.")
}

// probeTexts say what happens to an example field. What clearing does
// not alter is said of the next apply only, and not twice.
func probeTexts(n Next) []model.Text {
	var out []model.Text
	for i, probe := range n.Probes {
		repeats := i > 0 && probe.Kind == DropLater && probe.After == n.Probes[i-1].After
		if !repeats && (probe.Before != probe.After || probe.Kind == DropNext) {
			out = append(out, probeText(probe))
		}
	}
	return out
}

// probes are what is done to a field by way of example.
var probes = map[ProbeKind]string{
	DropNext:    "If its next apply leaves %v out, the field %v%v",
	DropLater:   "If it applies %v again first, and leaves it out later, the field %v%v",
	ChangeLater: "If it applies %v again first, and another value later, the apply %v%v",
}

// probeText says what happens to the field, with clearing and without.
func probeText(b Probe) model.Text {
	compared := model.Say(", as it would without clearing.")
	if b.Before != b.After {
		compared = model.Textf("; without clearing, it %v.", effectText(b.Kind, b.Before, nil))
	}
	return model.Textf(probes[b.Kind], model.Field.Of(b.Field), effectText(b.Kind, b.After, b.With), compared)
}

func effectText(kind ProbeKind, f Effect, with []string) model.Text {
	others := model.Say("other managers")
	if len(with) > 0 {
		others = page.And(with)
	}
	if kind == ChangeLater {
		switch f {
		case Conflicted:
			return model.Textf("conflicts with %v", others)
		case Refused:
			return model.Say("is refused for another reason than a conflict")
		}
		return model.Say("is accepted")
	}
	switch f {
	case Removed:
		return model.Say("is removed")
	case Changed:
		return model.Say("goes back to the server's default")
	case Conflicted:
		return model.Textf("stays, as the apply conflicts with %v", others)
	case Refused:
		return model.Say("stays, as the apply is refused")
	}
	return model.Say("stays as it is")
}
