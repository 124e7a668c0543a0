package view

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// riskSays are what risks say. MANAGER and BY stand for managers, OTHERS for
// controllers, WHAT for what is taken, BEFORE and AFTER for values, NUMBER for how many
// fields, and POLICY for what a policy allows.
var riskSays = map[risk.FactKind]string{
	risk.WouldOwn:     "MANAGER would own the field: POLICY",
	risk.WouldTake:    "MANAGER would own the field, taken from BY: POLICY",
	risk.WouldOwnMore: "MANAGER would own NUMBER: POLICY",

	risk.ResetsReplicas: "OTHERS writes replicas, and MANAGER sets them too: each apply sets back what was scaled",
	risk.ScalesAgain:    "OTHERS writes replicas, and MANAGER sets them too: the autoscaler scales again from there",

	risk.Loses:      "WHAT",
	risk.MaySetBack: "WHAT, which sets it back if it watches the object",
	risk.SetsBack:   "WHAT, which watches the object and sets it back",
	risk.SyncsBack:  "WHAT, which takes it back with its next sync",
	risk.RunsBack:   "WHAT, which takes it back when it is run again",

	risk.GoesAlong:      "what MANAGER owns here is removed with it",
	risk.OwnsItToo:      "the manifest drops the field, and it stays: MANAGER owns it too",
	risk.InjectorWrites: "an annotation has OTHERS write this field, and MANAGER sets it too: leave it out of the manifest",

	risk.BecomesDefault:     "BEFORE becomes AFTER, the server's default: MANAGER drops the field, and nobody else owns it",
	risk.DefaultUntilScaled: "BEFORE becomes AFTER, the server's default, until OTHERS scales again: MANAGER drops the field, and nobody else owns it",
	risk.OtherSpelling:      "the server stores it as AFTER: whoever else applies the manifest's spelling conflicts with it",
}

// Risks are risks with what they say, as documents show them.
func Risks(list []report.Risk) []report.Risk {
	list = slices.Clone(list)
	for i, r := range list {
		if r.Fact.Kind != "" {
			list[i].Message = riskMessage(r)
		}
	}
	return list
}

// riskMessage is what a risk says, in a clause.
func riskMessage(r report.Risk) string {
	f := r.Fact
	what := "the field is taken from " + f.Manager
	if r.Rule == risk.AtomicReplaced {
		what = "the whole value of " + f.Manager + " is replaced"
	}
	return strings.NewReplacer(
		"MANAGER", f.Manager, "BY", words.And(managersOf(f.By)), "OTHERS", words.And(f.Others), "WHAT", what,
		"BEFORE", jsonText(f.Before, "nothing"), "AFTER", jsonText(f.After, "nothing"),
		"NUMBER", words.Count(f.Count, "more field"), "POLICY", policyText(r.Policy, f),
	).Replace(riskSays[f.Kind])
}

func managersOf(list []report.Writer) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Manager)
	}
	return out
}
