package render

import (
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/report"
)

var wayNames = map[transfer.WayKind]string{
	transfer.ShareThenDrop:     "share, then drop",
	transfer.ForceThenDrop:     "take with force, then drop",
	transfer.MigrateThenDrop:   "share, migrate to server-side apply, then drop",
	transfer.HandOverManager:   "a manager in between, then drop",
	transfer.WaitForController: "wait for the controller, then drop",
	transfer.DropOnly:          "only drop",
	transfer.Done:              "nothing to do",
	transfer.DisownOnly:        "take it out of the entry",
}

// planWay tells the first way in full: its steps with what is there after each.
func (p *printer) planWay(plan transfer.Plan, way transfer.Way) {
	p.heading("The way: " + wayNames[way.Kind])
	p.paragraph("  ", plan.Reason)
	for i, s := range way.Steps {
		p.line("")
		p.transferStep(plan, i, s)
	}
	if len(way.Steps) > 0 || way.Problem == "" {
		return
	}
	p.paragraph("  ", p.red("problem")+": "+way.Problem)
}

func (p *printer) transferStep(plan transfer.Plan, i int, s transfer.Step) {
	prefix := fmt.Sprintf("  %d. ", i+1)
	indent := strings.Repeat(" ", len(prefix))
	p.paragraph(prefix, s.Does)
	switch {
	case s.NotSimulated != "":
		p.paragraph(indent, "nothing to run: it does so by itself; not simulated, as "+s.NotSimulated)
		return
	case s.Kind == transfer.ByItself:
		p.paragraph(indent, "nothing to run: it does so by itself (simulated with another value)")
	case s.Kind == transfer.Patch || s.Source != nil || len(s.Manifest) > 0:
		file, _ := stepFile(plan, i, s)
		p.line(indent + p.cyan(visible(stepCommand(plan, s, file.Name))))
	}
	if s.NotEdited != "" {
		p.paragraph(indent, "the given manifest cannot be edited in place, so that its comments are lost: "+s.NotEdited)
	}
	p.paragraph(indent, "-> "+p.stepOutcome(s))
	if s.Outcome.Refused() {
		p.paragraph(indent+"   ", s.Message)
	}
	for _, state := range s.States {
		p.paragraph(indent+"   ", p.stateText(state))
	}
	for k, c := range s.Also {
		if p.folded(k, len(s.Also)) {
			break
		}
		p.line(indent + "   also " + signs[c.Kind] + " " + cut(visible(c.Field), p.width-len(indent)-10))
	}
}

func (p *printer) stepOutcome(s transfer.Step) string {
	switch {
	case s.Outcome.Refused():
		return fmt.Sprintf("refused (%d)", s.Code)
	case s.Outcome == report.Unchanged:
		return "accepted, nothing changes"
	}
	return "accepted"
}

// racesOf tells what goes wrong in another order, and afterwards.
func (p *printer) racesOf(plan transfer.Plan) {
	if len(plan.Races) == 0 {
		return
	}
	p.heading("What may come between (simulated)")
	for _, r := range plan.Races {
		sign := "  - "
		if r.Harm {
			sign = "  ! "
		}
		p.paragraph(sign, raceText(plan, r))
	}
}

// raceText is a race in a sentence or two.
func raceText(plan transfer.Plan, r transfer.Race) string {
	it := "it"
	if len(plan.Fields) > 1 {
		it = "them"
	}
	when := map[transfer.RaceKind]string{
		transfer.DropFirst:         "If %s drops " + it + " before step 1",
		transfer.ControllerFirst:   "If %s writes between step 1 and step 2",
		transfer.OldManifest:       "If %s applies its old manifest after the last step",
		transfer.OldManifestForced: "If %s applies its old manifest after the last step with force",
	}[r.Kind]
	if r.Kind == transfer.DeleteFirst {
		when = fmt.Sprintf("If a client-side tool of %%s deletes %s before step %d, as gone from its manifest", it, r.Before)
	}
	text := fmt.Sprintf(when, r.Manager) + ": " + raceEnd(plan, r) + "."
	if r.Likely && r.Harm && r.Kind == transfer.OldManifestForced {
		text += " It is known to force by itself: take the field out of its source first."
	}
	if r.Likely && r.Kind == transfer.DeleteFirst {
		text += " kubectl apply does so, as the last-applied annotation has " + it + "."
	}
	return text
}

func raceEnd(plan transfer.Plan, r transfer.Race) string {
	switch {
	case r.Outcome == report.Conflicted:
		return "it conflicts with " + strings.Join(r.With, " and ") + ", and nothing changes"
	case r.Outcome.Refused():
		return fmt.Sprintf("the server refuses it (%d), and nothing changes", r.Code)
	}
	var parts []string
	changed := false
	for i, s := range r.States {
		before := explain.Value{}
		if i < len(plan.Fields) {
			before = plan.Fields[i].Value
		}
		switch {
		case s.Value.Missing:
			parts = append(parts, "the server removes "+s.Field)
			changed = true
		case scalar(s.Value.Value) != scalar(before.Value) && (r.Kind == transfer.DropFirst || r.Kind == transfer.DeleteFirst):
			parts = append(parts, fmt.Sprintf("the server sets %s from %s to %s", s.Field, shortScalar(before.Value), shortScalar(s.Value.Value)))
			changed = true
		default:
			parts = append(parts, fmt.Sprintf("%s is %s then, %s", s.Field, shortScalar(s.Value.Value), stateOwners(s)))
		}
	}
	end := strings.Join(parts, ", ")
	if changed && (r.Kind == transfer.DropFirst || r.Kind == transfer.DeleteFirst) {
		end += ", until " + plan.To + " sets "
		if len(plan.Fields) > 1 {
			return end + "them"
		}
		return end + "it"
	}
	return end
}

// shortScalar is a value for a sentence.
func shortScalar(v any) string { return cut(scalar(v), 40) }

// otherWays are told in a line or two each.
func (p *printer) otherWays(plan transfer.Plan) {
	if len(plan.Ways) < 2 {
		return
	}
	p.heading("Other ways")
	for _, way := range plan.Ways[1:] {
		verdict := "safe too"
		if !way.Safe {
			verdict = "not safe: " + way.Problem
		}
		p.paragraph("  - ", wayNames[way.Kind]+" ("+verdict+")")
		if !p.o.Verbose {
			continue
		}
		for i, s := range way.Steps {
			p.line("")
			p.transferStep(plan, i, s)
		}
	}
}
