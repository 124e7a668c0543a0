package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// riskSays are what risks say. MANAGER and BY stand for managers, OTHERS for
// controllers, WHAT for what is taken, BEFORE and AFTER for values, NUMBER for how many
// more fields, FIELDS for how many, THEM for these, and POLICY for what a policy allows.
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

	risk.KubectlRemoves: "kubectl removes it: kubectl apply moves all fields of OTHERS to MANAGER and applies again, and the manifest lacks this one",
	risk.KubectlResets:  "kubectl resets it from BEFORE to AFTER: kubectl apply moves all fields of OTHERS to MANAGER and applies again, and the manifest lacks this one",
	risk.KubectlStuck:   "kubectl apply moves all fields of OTHERS to MANAGER and applies again, which the server refuses (COUNT): kubectl only warns, and every later apply of this manifest is refused",

	risk.TakesObject: "MANAGER loses FIELDS to OTHERS, a takeover: when it writes next, it takes THEM back",

	risk.GoesAlong:      "what MANAGER owns here is removed with it",
	risk.OwnsItToo:      "the manifest drops the field, and it stays: MANAGER owns it too",
	risk.InjectorWrites: "an annotation has OTHERS write this field, and MANAGER sets it too",
	risk.InjectorLoses:  "the empty value removes the CA bundle that OTHERS injected: calls to the webhook fail; delete the line",

	risk.BecomesDefault:     "BEFORE becomes AFTER, the server's default: MANAGER drops the field, and nobody else owns it",
	risk.DefaultUntilScaled: "BEFORE becomes AFTER, the server's default, until OTHERS scales again: MANAGER drops the field, and nobody else owns it",
	risk.DropsEmpty:         "the server drops the empty value; setting it still claims the field",
	risk.OtherSpelling:      "the server stores it as AFTER: another manager that applies the manifest's spelling conflicts with it",
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
	return fill(riskSays[f.Kind], func(word string) string {
		switch word {
		case "BY":
			return words.And(managersOf(f.By))
		case "WHAT":
			return lossText(r)
		case "BEFORE":
			return jsonText(f.Before, "nothing")
		case "AFTER":
			return jsonText(f.After, "nothing")
		case "NUMBER":
			return words.Count(f.Count, "more field")
		case "FIELDS":
			return words.Count(f.Count, "field")
		case "THEM":
			return words.Them(f.Count)
		case "POLICY":
			return policyText(r.Policy, f)
		}
		return ofFact(f, word)
	})
}

// lossText is what force takes from a manager.
func lossText(r report.Risk) string {
	if r.Rule == risk.AtomicReplaced {
		return "the whole value of " + r.Fact.Manager + " is replaced"
	}
	return "the field is taken from " + r.Fact.Manager
}

func managersOf(list []report.Writer) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Manager)
	}
	return out
}
