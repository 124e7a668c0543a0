package transfer

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// hazardBlocks say what goes wrong in another order, and afterwards.
func hazardBlocks(p Plan) []model.Block {
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
	return []model.Block{page.Part("What may come in between (simulated)", l)}
}

// hazardText is a hazard in a sentence or two.
func hazardText(p Plan, r Hazard) model.Text {
	it := words.Them(len(p.Fields))
	when := map[HazardKind]string{
		DropFirst:         fmt.Sprintf("If %%v drops %s before step %d", it, r.Before),
		DeleteFirst:       fmt.Sprintf("If a client-side tool of %%v deletes %s before step %d, as gone from its manifest", it, r.Before),
		ControllerFirst:   fmt.Sprintf("If %%v writes between step %d and step %d", r.Before-1, r.Before),
		OldManifest:       "If %v applies its old manifest after the last step",
		OldManifestForced: "If %v applies its old manifest after the last step with force",
	}[r.Kind]
	then := ""
	switch {
	case r.Likely && r.Harm && r.Kind == OldManifestForced:
		then = " It is known to force by itself: remove the field from its source first."
	case r.Likely && r.Kind == DeleteFirst:
		then = " kubectl apply does so, as the last-applied annotation has " + it + "."
	}
	return model.Textf("%v: %v.%v", model.Textf(when, model.Manager.Of(r.Manager)), hazardEnd(p, r, it), then)
}

// hazardEnd is what happens to the fields.
func hazardEnd(p Plan, r Hazard, it string) model.Text {
	switch {
	case r.Outcome == report.Conflicted:
		return model.Textf("it conflicts with %v, and nothing changes", page.And(r.With))
	case r.Outcome.Refused():
		return model.Textf("the server refuses it (%v), and nothing changes", r.Code)
	}
	deletes := r.Kind == DropFirst || r.Kind == DeleteFirst
	var parts []model.Text
	changed := false
	for i, s := range r.States {
		before := conflict.Value{}
		if i < len(p.Fields) {
			before = p.Fields[i].Value
		}
		field := model.Field.Of(s.Field)
		switch {
		case s.Value.Missing:
			parts, changed = append(parts, model.Textf("the server removes %v", field)), true
		case deletes && !isSame(s.Value, before):
			parts, changed = append(parts, model.Textf("the server sets %v from %v to %v", field, explain.ShortValue(before), explain.ShortValue(s.Value))), true
		default:
			parts = append(parts, model.Textf("%v is %v then, %v", field, explain.ShortValue(s.Value), stateOwners(s)))
		}
	}
	end := model.Join(parts, ", ")
	if changed && deletes {
		return model.Textf("%v, until %v sets %v", end, model.Manager.Of(p.To), it)
	}
	return end
}

// isSame reports whether two values read the same.
func isSame(a, b conflict.Value) bool { return words.Scalar(a.Value) == words.Scalar(b.Value) }
