package redact

import (
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
)

// Whys gives answers in which the values of Secrets are masked, numbered
// through all of them. The given ones are not changed.
func Whys(list []explain.Why) []explain.Why {
	m := newMasks()
	out := make([]explain.Why, len(list))
	for i, w := range list {
		if w.Target.APIVersion == "v1" && w.Target.Kind == "Secret" {
			w = m.why(w)
		}
		out[i] = w
	}
	return out
}

// why masks the values first, as they tell what to look for in texts.
func (m *masks) why(w explain.Why) explain.Why {
	field := w.Field
	w.Value = m.explained(field, w.Value)
	w.Drops = append([]explain.Drop{}, w.Drops...)
	for i := range w.Drops {
		d := &w.Drops[i]
		d.After, d.Also = m.explained(field, d.After), m.changes(d.Also)
		d.Message, d.Says = m.text(d.Message), m.text(d.Says)
	}
	w.Applies = append([]explain.Apply{}, w.Applies...)
	for i := range w.Applies {
		a := &w.Applies[i]
		a.Value = m.field(field, a.Value)
		a.Message, a.Says = m.text(a.Message), m.text(a.Says)
	}
	w.Removal.After = m.explained(field, w.Removal.After)
	w.Removal.Says = m.text(w.Removal.Says)
	w.Removal.Steps = append([]explain.Step{}, w.Removal.Steps...)
	for i := range w.Removal.Steps {
		s := &w.Removal.Steps[i]
		s.Message, s.Says = m.text(s.Message), m.text(s.Says)
	}
	w.Says, w.Kept, w.Notices = m.text(w.Says), m.texts(w.Kept), m.texts(w.Notices)
	w.Field = managedfields.FieldOfSecret(w.Field)
	return w
}
