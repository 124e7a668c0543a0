package view

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/transfer"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// hazards say what goes wrong in another order, and afterwards.
func hazards(p transfer.Plan) []model.Block {
	if len(p.Hazards) == 0 {
		return nil
	}
	l := model.List{}
	for _, r := range p.Hazards {
		sign := model.Text{model.Plain.Of("-")}
		if r.Harm {
			sign = model.Text{model.Bad.Of("!")}
		}
		l.Items = append(l.Items, model.Item{Label: sign, Text: hazardText(p, r)})
	}
	return []model.Block{part("What may come in between (simulated)", l)}
}

// hazardText is a hazard in a sentence or two.
func hazardText(p transfer.Plan, r transfer.Hazard) model.Text {
	it := words.Them(len(p.Fields))
	when := map[transfer.HazardKind]string{
		transfer.DropFirst:         fmt.Sprintf("If %%v drops %s before step %d", it, r.Before),
		transfer.DeleteFirst:       fmt.Sprintf("If a client-side tool of %%v deletes %s before step %d, as gone from its manifest", it, r.Before),
		transfer.ControllerFirst:   fmt.Sprintf("If %%v writes between step %d and step %d", r.Before-1, r.Before),
		transfer.OldManifest:       "If %v applies its old manifest after the last step",
		transfer.OldManifestForced: "If %v applies its old manifest after the last step with force",
	}[r.Kind]
	then := ""
	switch {
	case r.Likely && r.Harm && r.Kind == transfer.OldManifestForced:
		then = " It is known to force by itself: remove the field from its source first."
	case r.Likely && r.Kind == transfer.DeleteFirst:
		then = " kubectl apply does so, as the last-applied annotation has " + it + "."
	}
	return model.Textf("%v: %v.%v", model.Textf(when, model.Manager.Of(r.Manager)), hazardEnd(p, r, it), then)
}

// hazardEnd is what happens to the fields.
func hazardEnd(p transfer.Plan, r transfer.Hazard, it string) model.Text {
	switch {
	case r.Outcome == report.Conflicted:
		return model.Textf("it conflicts with %v, and nothing changes", and(r.With))
	case r.Outcome.Refused():
		return model.Textf("the server refuses it (%v), and nothing changes", r.Code)
	}
	deletes := r.Kind == transfer.DropFirst || r.Kind == transfer.DeleteFirst
	var parts []model.Text
	changed := false
	for i, s := range r.States {
		before := explain.Value{}
		if i < len(p.Fields) {
			before = p.Fields[i].Value
		}
		field := model.Field.Of(s.Field)
		switch {
		case s.Value.Missing:
			parts, changed = append(parts, model.Textf("the server removes %v", field)), true
		case deletes && !isSame(s.Value, before):
			parts, changed = append(parts, model.Textf("the server sets %v from %v to %v", field, shortValue(before), shortValue(s.Value))), true
		default:
			parts = append(parts, model.Textf("%v is %v then, %v", field, shortValue(s.Value), stateOwners(s)))
		}
	}
	end := model.Join(parts, ", ")
	if changed && deletes {
		return model.Textf("%v, until %v sets %v", end, model.Manager.Of(p.To), it)
	}
	return end
}
