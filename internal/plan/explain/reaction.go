package explain

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// reactions are what the owners of a field do after it was taken from them.
func (s *session) reactions(r report.Result, owners []Owner) []Reaction {
	if r.Object == nil {
		return nil
	}
	var out []Reaction
	for _, owner := range owners {
		v := Reaction{Writer: owner.Writer, SetsAgain: owner.ManagerKind.Returns == Always || owner.ManagerKind.Returns == OnSync || owner.ManagerKind.Returns == OnRun && owner.Operation == managedfields.Apply}
		if owner.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(owner.Writer, r.Object, nil)
		}
		v.Kind = afterTaking(owner, v)
		out = append(out, v)
	}
	return out
}

// partners are what the owners of a field do once it is shared with them:
// each may change its mind, and an Apply manager whose manifest is spelled as
// yours was is refused from then on.
func (s *session) partners(r report.Result, t Conflict, at fieldpath.Path) []Reaction {
	if r.Object == nil {
		return nil
	}
	var out []Reaction
	for _, owner := range t.Owners {
		v := Reaction{Writer: owner.Writer, SetsAgain: owner.ManagerKind.Returns == Always}
		if owner.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(owner.Writer, r.Object, func(body any) any { return body })
			v.SetsAgain = v.SetsAgain || v.NextApply.Refused()
			if spelled := s.spelledAsYours(owner, r, t, at); spelled == report.Conflicted {
				v.SetsAgain, v.NextApply = true, spelled
			}
		}
		v.Kind = afterSharing(owner, v, t.Difference)
		out = append(out, v)
	}
	return out
}

// spelledAsYours is the outcome of the owner's next apply if its manifest
// writes the field as yours does; empty where the two really differ.
func (s *session) spelledAsYours(owner Owner, r report.Result, t Conflict, at fieldpath.Path) report.Outcome {
	if t.Difference.Changes() || t.Difference.Kind == WriteOnly || t.Yours.Missing {
		return ""
	}
	return s.nextApply(owner.Writer, r.Object, func(body any) any {
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

func afterTaking(owner Owner, v Reaction) ReactionKind {
	applies := owner.Operation == managedfields.Apply
	switch returns := owner.ManagerKind.Returns; {
	case returns == Never:
		return Stays
	case applies && owner.ManagerKind.Forces:
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

func afterSharing(owner Owner, v Reaction, d Difference) ReactionKind {
	applies := owner.Operation == managedfields.Apply
	switch returns := owner.ManagerKind.Returns; {
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
