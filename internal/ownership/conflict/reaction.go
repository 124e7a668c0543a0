package conflict

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// others are the owners of a field, who go on to write.
type others struct{ *session }

// reactions are what the owners of a field do after it was taken from them.
func (s others) reactions(r report.Result, owners []Owner) []Reaction {
	if r.Object == nil {
		return nil
	}
	var out []Reaction
	for _, owner := range owners {
		returns, applies := owner.ManagerKind.Returns, owner.Operation == managedfields.Apply
		v := Reaction{
			Writer:    owner.Writer,
			SetsAgain: returns == writers.Always || returns == writers.OnSync || returns == writers.OnRun && applies,
		}
		if applies && !s.advises {
			v.NextApply = s.nextApply(owner, r.Object, asIs)
		}
		v.Says = afterTaking(owner, v)
		out = append(out, v)
	}
	return out
}

// partners are what the owners of a field do once it is shared with them:
// each may change its mind, and an Apply manager whose manifest is spelled as
// yours was is refused from then on.
func (s others) partners(r report.Result, t Conflict, at fieldpath.Path) []Reaction {
	if r.Object == nil {
		return nil
	}
	var out []Reaction
	for _, owner := range t.Owners {
		v := Reaction{Writer: owner.Writer, SetsAgain: owner.ManagerKind.Returns == writers.Always}
		if owner.Operation == managedfields.Apply {
			v.NextApply = s.nextApply(owner, r.Object, asIs)
			v.SetsAgain = v.SetsAgain || v.NextApply.Refused()
			// Its manifest may write the field as yours does, where the two do not really differ.
			asYours := func(a ownership.Apply) ownership.Apply { return a.With(at, t.Yours.Value) }
			same := !t.Difference.Changes() && t.Difference.Kind != WriteOnly && !t.Yours.Missing
			if same && s.nextApply(owner, r.Object, asYours) == report.Conflicted {
				v.SetsAgain, v.NextApply = true, report.Conflicted
			}
		}
		v.Says = afterSharing(owner, v, t.Difference)
		out = append(out, v)
	}
	return out
}

// nextApply is the outcome of an owner's next apply to an object: of what it
// applied last, as far as the live object tells, edited or not; with force, where its program forces.
func (s others) nextApply(
	owner Owner,
	object map[string]any,
	edited func(ownership.Apply) ownership.Apply,
) report.Outcome {
	apply, err := s.lastApplied(owner.Writer)
	if err != nil {
		return ""
	}
	apply.Write.Force = owner.ManagerKind.Forces
	return edited(apply).To(object).Outcome
}

func asIs(a ownership.Apply) ownership.Apply { return a }

// lastApply is an apply of what was applied last, or why there is none.
type lastApply struct {
	ownership.Apply
	err error
}

// lastApplied is the apply of what an Apply manager applied last.
func (s *session) lastApplied(owner report.Writer) (ownership.Apply, error) {
	owner.Time = nil
	last, known := s.applied[owner]
	if !known {
		last.Apply, last.err = s.readApplied(owner)
		if s.applied == nil {
			s.applied = map[report.Writer]lastApply{}
		}
		s.applied[owner] = last
	}
	return last.Apply, last.err
}

// readApplied is lastApplied, from the entry of the manager.
func (s *session) readApplied(owner report.Writer) (ownership.Apply, error) {
	for _, e := range s.Owners().Readable() {
		if w := report.WriterOf(e); w.Manager == owner.Manager && w.Operation == owner.Operation &&
			w.Subresource == owner.Subresource &&
			w.APIVersion == owner.APIVersion {
			return s.Last(e)
		}
	}
	return ownership.Apply{}, fmt.Errorf("%s has no entry", owner.Manager)
}

func afterTaking(owner Owner, v Reaction) text.Text {
	switch {
	case owner.ManagerKind.Returns == writers.Never:
		return afterTakingFromNobody(owner)
	case owner.Operation == managedfields.Apply:
		return afterTakingFromApplier(owner, v)
	}
	manager, known := text.By(owner.Manager), owner.ManagerKind.Certain
	switch returns := owner.ManagerKind.Returns; {
	case returns == writers.Always && !known:
		return text.New("%v writes by updates, which never conflict: if it watches the object, it resets the value, "+
			"and your next apply conflicts again.", manager)
	case returns == writers.Always:
		return text.New("%v writes by updates, which never conflict: it resets the value at its next sync; "+
			"your next apply will conflict again.", manager)
	case returns == writers.OnSync && !known:
		return text.New("%v may set its value again at its next sync.", manager)
	case returns == writers.OnSync:
		return text.New("%v sets its value again at its next sync.", manager)
	}
	return text.New("%v sets its value again only when it is run again.", manager)
}

// afterTakingFromNobody is of a manager as which no program is known to write by itself.
func afterTakingFromNobody(owner Owner) text.Text {
	manager := text.By(owner.Manager)
	switch {
	case owner.ManagerKind.Scripted:
		return text.New("People and scripts write as %v: the value stays yours unless a script sets it again.", manager)
	case owner.ManagerKind.Kind == writers.Creator:
		return text.New("%v created the object and has not written since: the value most likely stays yours.", manager)
	}
	return text.New("Nothing writes as %v by itself: the value stays yours.", manager)
}

func afterTakingFromApplier(owner Owner, v Reaction) text.Text {
	manager := text.By(owner.Manager)
	switch {
	case owner.ManagerKind.Forces:
		return text.New("%v applies again by itself with force: it takes the field back each time.", manager)
	case owner.ManagerKind.Returns == writers.Always && owner.ManagerKind.Certain:
		return text.New("%v applies again by itself: it is refused then, or takes the field back with force.", manager)
	case v.NextApply == report.Conflicted:
		return text.New("%v's next apply of its own manifest is refused with the same conflict, "+
			"until the field is taken out there; with force it takes the field back.", manager)
	}
	return text.New("%v's next apply may set its value again.", manager)
}

func afterSharing(owner Owner, v Reaction, d Difference) text.Text {
	applies, manager := owner.Operation == managedfields.Apply, text.By(owner.Manager)
	switch returns := owner.ManagerKind.Returns; {
	case applies && v.NextApply == report.Conflicted && !d.Changes():
		return text.New(
			"If %v's manifest writes the value as yours does now, its next apply is refused: the stored spelling has to be written in both.",
			manager,
		)
	case applies && owner.ManagerKind.Forces:
		return text.New("%v forces: it takes the field back when its own value changes.", manager)
	case applies && returns != writers.Always:
		return text.New("%v can go on applying the same value; the first of you to change it gets the conflict.", manager)
	case returns == writers.Always:
		return text.New("%v may change the value at any time, and then your next apply conflicts again.", manager)
	case returns == writers.Never && owner.ManagerKind.Scripted:
		return text.New("A script may write as %v again; it stays recorded as an owner, "+
			"so that the field stays when you drop it later.", manager)
	case returns == writers.Never:
		return text.New(
			"Nothing writes as %v by itself; it stays recorded as an owner, so that the field stays when you drop it later.",
			manager,
		)
	}
	return text.New("%v may change the value when it runs again, and then your next apply conflicts again.", manager)
}
