package redact

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/plan/transfer"
)

// Plans gives plans in which the values of Secrets are masked, numbered through
// all of them. The given ones are not changed.
func Plans(list []transfer.Plan) []transfer.Plan {
	m := newMasks()
	out := make([]transfer.Plan, len(list))
	for i, p := range list {
		if p.Target.APIVersion == "v1" && p.Target.Kind == "Secret" {
			p = m.plan(p)
		}
		out[i] = p
	}
	return out
}

// plan masks the values first, as they tell what to look for in texts.
func (m *masks) plan(p transfer.Plan) transfer.Plan {
	p.Fields = m.states(p.Fields)
	p.Ways = append([]transfer.Way{}, p.Ways...)
	for i := range p.Ways {
		steps := append([]transfer.Step{}, p.Ways[i].Steps...)
		for k := range steps {
			steps[k] = m.planned(steps[k])
		}
		p.Ways[i].Steps, p.Ways[i].Problem = steps, m.text(p.Ways[i].Problem)
	}
	p.Races = append([]transfer.Race{}, p.Races...)
	for i := range p.Races {
		r := &p.Races[i]
		r.States, r.Message = m.states(r.States), m.text(r.Message)
	}
	p.Message, p.Reason, p.Findings = m.text(p.Message), m.text(p.Reason), m.texts(p.Findings)
	return p
}

// planned masks a step. The text of a manifest is left out: its lines are the
// user's own, and Manifest says the same.
func (m *masks) planned(s transfer.Step) transfer.Step {
	s.Manifest, s.Text = m.object(s.Manifest), ""
	s.States, s.Also = m.states(s.States), m.changes(s.Also)
	s.Message = m.text(s.Message)
	s.Patch = append([]transfer.Operation(nil), s.Patch...)
	for i := range s.Patch {
		if note, ok := s.Patch[i].Value.(string); ok && json.Valid([]byte(note)) {
			s.Patch[i].Value = m.annotation(note)
		}
	}
	return s
}

func (m *masks) states(list []transfer.State) []transfer.State {
	out := make([]transfer.State, len(list))
	for i, s := range list {
		s.Value = m.explained(s.Field, s.Value)
		out[i] = s
	}
	return out
}
