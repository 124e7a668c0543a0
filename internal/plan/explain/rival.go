package explain

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// rivals are what the owners of a field do after it was taken from them.
func (s *session) rivals(r report.Result, owners []Owner) []Rival {
	if r.Object == nil {
		return nil
	}
	var out []Rival
	for _, h := range owners {
		v := Rival{Writer: h.Writer, FightsBack: h.ManagerKind.Returns == Always || h.ManagerKind.Returns == OnSync || h.ManagerKind.Returns == OnRun && h.Operation == managedfields.Apply}
		if h.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(h.Writer, r.Object, nil)
		}
		v.Kind = afterTaking(h, v)
		out = append(out, v)
	}
	return out
}

// partners are what the owners of a field do once it is shared with them:
// each may change its mind, and an Apply manager whose manifest is spelled as
// yours was is refused from then on.
func (s *session) partners(r report.Result, t Story, at fieldpath.Path) []Rival {
	if r.Object == nil {
		return nil
	}
	var out []Rival
	for _, h := range t.Owners {
		v := Rival{Writer: h.Writer, FightsBack: h.ManagerKind.Returns == Always}
		if h.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(h.Writer, r.Object, func(body any) any { return body })
			v.FightsBack = v.FightsBack || v.NextApply.Refused()
			if spelled := s.spelledAsYours(h, r, t, at); spelled == report.Conflicted {
				v.FightsBack, v.NextApply = true, spelled
			}
		}
		v.Kind = afterSharing(h, v, t.Difference)
		out = append(out, v)
	}
	return out
}

// spelledAsYours is the outcome of the owner's next apply if its manifest
// writes the field as yours does; empty where the two really differ.
func (s *session) spelledAsYours(h Owner, r report.Result, t Story, at fieldpath.Path) report.Outcome {
	if t.Difference.Changes() || t.Difference.Kind == WriteOnly || t.Yours.Missing {
		return ""
	}
	return s.nextApply(h.Writer, r.Object, func(body any) any {
		return fieldtree.With(s.shape, body, at, t.Yours.Value)
	})
}

// nextApply is the outcome of an owner's next apply to an object: of what it
// applied last, as far as the live object tells, edited or not.
func (s *session) nextApply(owner report.Writer, object map[string]any, edited func(any) any) report.Outcome {
	w, body, err := s.lastApplied(owner)
	if err != nil {
		return ""
	}
	if edited != nil {
		body = edited(body)
	}
	return s.simulate(extract.On(w, object), body).Outcome
}

func afterTaking(h Owner, v Rival) RivalKind {
	applies := h.Operation == managedfields.Apply
	switch returns := h.ManagerKind.Returns; {
	case returns == Never:
		return Stays
	case applies && h.ManagerKind.Forces:
		return ForcesAgain
	case applies && returns == Always:
		return AppliesAgain
	case applies && v.NextApply == report.Conflicted:
		return ConflictsNext
	case applies:
		return MayApply
	case returns == Always:
		return UpdatesAgain
	case returns == OnSync:
		return SyncsAgain
	}
	return RunsAgain
}

func afterSharing(h Owner, v Rival, d Difference) RivalKind {
	applies := h.Operation == managedfields.Apply
	switch returns := h.ManagerKind.Returns; {
	case applies && v.NextApply == report.Conflicted && !d.Changes():
		return SpellsAsYours
	case applies && returns != Always:
		return AppliesSame
	case returns == Always:
		return MayChange
	case returns == Never:
		return StaysOwner
	}
	return MayChangeWhenRun
}
