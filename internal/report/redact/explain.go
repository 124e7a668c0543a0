package redact

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/plan/explain"
)

// Explanations gives explanations in which the values of Secrets are masked,
// numbered through all of them. The given ones are not changed.
func Explanations(list []explain.Explanation) []explain.Explanation {
	m := newMasks()
	out := make([]explain.Explanation, len(list))
	for i, e := range list {
		if e.Target.APIVersion == "v1" && e.Target.Kind == "Secret" {
			e = m.explanation(e)
		}
		out[i] = e
	}
	return out
}

// explanation masks the values first, as they tell what to look for in texts.
func (m *masks) explanation(e explain.Explanation) explain.Explanation {
	stories := make([]explain.Story, len(e.Stories))
	for i, s := range e.Stories {
		stories[i] = m.story(s)
	}
	e.Stories = stories
	e.Together = m.ways("", e.Together)
	e.Message, e.Causes, e.Notices = m.text(e.Message), m.causes(e.Causes), m.texts(e.Notices)
	e.Confidence = m.confidence(e.Confidence)
	return e
}

func (m *masks) story(s explain.Story) explain.Story {
	s.Yours, s.Live = m.explained(s.Field, s.Yours), m.explained(s.Field, s.Live)
	if s.Difference.Stored != nil {
		stored := m.explained(s.Field, *s.Difference.Stored)
		s.Difference.Stored = &stored
	}
	s.Ways = m.ways(s.Field, s.Ways)
	s.Reason = m.text(s.Reason)
	s.Field = managedfields.FieldOfSecret(s.Field)
	return s
}

// ways also leaves out the edits, which are the manifest's own lines.
func (m *masks) ways(field string, list []explain.Way) []explain.Way {
	if list == nil {
		return nil
	}
	out := make([]explain.Way, len(list))
	for i, w := range list {
		w.Write, w.After = m.pointed(stored(w, field), w.Write), m.pointed(stored(w, field), w.After)
		w.Changes, w.Transfers = m.changes(w.Changes), m.transfers(w.Transfers)
		w.Message = m.text(w.Message)
		if w.Edit != nil {
			w.Edit, w.NotEdited = nil, "the lines of a Secret are not shown"
		}
		out[i] = w
	}
	return out
}

// stored is the field whose value a way tells: to share stringData is to write
// data.
func stored(w explain.Way, field string) string {
	if key, ok := strings.CutPrefix(field, ".stringData"); ok && w.Kind == explain.Share {
		return ".data" + key
	}
	return field
}

// explained masks a value of a field.
func (m *masks) explained(field string, v explain.Value) explain.Value {
	if !v.Missing {
		v.Value = m.field(field, v.Value)
	}
	return v
}

func (m *masks) pointed(field string, v *explain.Value) *explain.Value {
	if v == nil {
		return nil
	}
	masked := m.explained(field, *v)
	return &masked
}
