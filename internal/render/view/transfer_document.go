package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/words"
)

// actions say what the steps of a transfer are for; MANAGER stands for who writes,
// FIELDS for what is handed over.
var actions = map[transfer.Action]string{
	transfer.SharesLive:               "MANAGER applies FIELDS with the live value, and shares the ownership",
	transfer.HoldsLive:                "MANAGER, a manager made for this, applies FIELDS alone with the live value",
	transfer.AppliesOwn:               "MANAGER applies its own value of FIELDS",
	transfer.ForcesOwn:                "MANAGER applies its own value of FIELDS with force",
	transfer.Drops:                    "MANAGER applies its manifest without FIELDS",
	transfer.SetsOther:                "MANAGER sets FIELDS to another value when it has reason to, and owns it",
	transfer.LeavesEntry:              "FIELDS leaves the Update entry of MANAGER",
	transfer.LeavesEntryAndAnnotation: "FIELDS leaves the Update entry of MANAGER, and the last-applied annotation",
	transfer.MovesEntry:               "the client-side entry of OTHERS becomes the Apply entry of MANAGER, with the values unchanged",
	transfer.BecomesApplier:           "the Update entry of MANAGER becomes an Apply entry, so that its applies can drop fields",
}

// choices say why an option is chosen; FORMER and NEXT stand for the owners,
// BETWEEN for the manager between them, FAULT for what is wrong with it.
var choices = map[transfer.Reason]string{
	transfer.Waits:         "BETWEEN keeps it until NEXT changes it for the first time: there is nothing left to do.",
	transfer.HandedOver:    "NEXT owns it, and FORMER does not: there is nothing to hand over. If it is in the manifest of FORMER still, take it out; --from-manifest checks that.",
	transfer.Unsafe:        "No plan is safe: of the first, FAULT.",
	transfer.OwnsAlready:   "NEXT owns it already, together with FORMER: it stays when FORMER drops it.",
	transfer.LostAlready:   "FORMER has lost it already; it only has to leave its manifest, which conflicts as long as it is there.",
	transfer.Shares:        "NEXT shares the live value before FORMER drops it: it has an owner all the time, and nothing is forced.",
	transfer.SharesUpdates: "FORMER owns it by updates only, and no apply drops what an Update entry owns: once NEXT shares it, it leaves the entry by a patch. It has an owner all the time.",
	transfer.SharesFirst:   "NEXT asks for another value, but shares the live one first: nothing is forced, and the value changes only when NEXT is the one owner.",
	transfer.BetweenKeeps:  "NEXT writes by updates and owns nothing before it changes the value, so that BETWEEN keeps the value in between; its entry goes by itself with the first change by NEXT.",
	transfer.TakesNext:     "NEXT takes it with its next change; until FORMER drops it, its applies conflict.",
	transfer.LeftUnowned:   "FORMER owns it by updates only: once it has left the entry, nobody owns it until NEXT writes it, and no apply removes what nobody owns.",
	transfer.Forces:        "NEXT takes it with force, as it cannot be shared.",
	transfer.Migrates:      "FORMER becomes an applier, and drops it.",

	transfer.MigrationIsAll: "NEXT is the name under which the same tool applies server-side: a migration moves the fields.",
}

// TransferDocument writes what steps are for, what is wrong with options, why one is
// chosen, or none can be, which steps were not simulated, and what is to be known.
func TransferDocument(d transfer.Document) transfer.Document {
	d.Plans = slices.Clone(d.Plans)
	for i := range d.Plans {
		d.Plans[i] = worded(d.Plans[i])
	}
	return d
}

func worded(p transfer.Plan) transfer.Plan {
	fields := fieldsOf(p)
	p.Options = slices.Clone(p.Options)
	for i := range p.Options {
		o := &p.Options[i]
		o.Problem, o.Steps = unsafety(o.Fault), slices.Clone(o.Steps)
		for k, s := range o.Steps {
			o.Steps[k].Does = strings.NewReplacer("MANAGER", s.Manager, "OTHERS", words.And(s.Others), "FIELDS", fields).Replace(actions[s.Action])
			o.Steps[k].NotSimulated = unsimulatedStep(s.Gap)
		}
	}
	fault := ""
	if len(p.Options) > 0 {
		fault = p.Options[0].Problem
	}
	if p.Obstacle.Kind != "" {
		p.Message = transferRemark(p, p.Obstacle)
	}
	p.Findings = nil
	for _, r := range p.Remarks {
		p.Findings = append(p.Findings, transferRemark(p, r))
	}
	p.Reason = strings.NewReplacer("FORMER", cmp.Or(p.FromThen, p.From), "NEXT", p.To, "BETWEEN", p.Between, "FAULT", fault).Replace(choices[p.Because])
	return p
}

// unsimulatedStep is why a controller's step was not simulated; empty where it was.
func unsimulatedStep(gap *transfer.Fault) string {
	switch {
	case gap == nil:
		return ""
	case gap.Kind == transfer.StepRefused:
		return fmt.Sprintf("the server refuses the value that was made up for it (%d)", gap.Code)
	}
	return gap.Message
}

// fieldsOf names the fields of a plan in a sentence.
func fieldsOf(p transfer.Plan) string {
	var out []string
	for _, s := range p.Fields {
		out = append(out, s.Field)
	}
	return strings.Join(out, ", ")
}

// kubectlRemoves is what kubectl removes after it moved entries.
func kubectlRemoves(fields []string) string {
	if len(fields) == 0 {
		return "which this plan does not hand over"
	}
	return "and removes or resets " + words.And(fields)
}

// unsafety is why an option is not safe; empty for a safe one.
func unsafety(f *transfer.Fault) string {
	if f == nil {
		return ""
	}
	switch f.Kind {
	case transfer.NotMade:
		return fmt.Sprintf("step %d cannot be made: %s", f.Step, f.Message)
	case transfer.NotTried:
		return fmt.Sprintf("step %d cannot be simulated", f.Step)
	case transfer.StepRefused:
		return fmt.Sprintf("the server refuses step %d (%d)", f.Step, f.Code)
	case transfer.ValueChanges:
		return fmt.Sprintf("step %d changes %s", f.Step, f.Field)
	case transfer.StillOwned:
		return f.Manager + " still owns it in the end"
	case transfer.KubectlMoves:
		return fmt.Sprintf("in step %d kubectl moves all fields of %s to %s, %s", f.Step, words.And(f.Moved), f.Manager, kubectlRemoves(f.Fields))
	case transfer.NotOwned:
		return f.Manager + " does not own it in the end"
	}
	return "there is nothing to do"
}
