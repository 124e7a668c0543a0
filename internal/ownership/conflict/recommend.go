package conflict

import (
	"cmp"
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// recommend chooses a resolution by what was simulated and by who owns the field.
//
//	the difference         the owners                   recommended
//	not real               -                            use the live value, or else stop managing
//	real                   nobody comes back            force
//	real                   something comes back         stop managing
//	any                    and that is not safe         none
func recommend(t Conflict) (ResolutionKind, Reason) {
	take, give, share := t.Resolutions[0], t.Resolutions[1], t.Resolutions[2]
	switch {
	case refusedAlike(t.Resolutions):
		return None, Reason{Kind: RefusedAnyway}
	case t.Difference.Changes():
		return recommendReal(t, take, give)
	case share.Safe && t.Difference.Kind == WriteOnly:
		return UseLiveValue, Reason{Kind: SameInData}
	case share.Safe:
		return UseLiveValue, Reason{Kind: SameValue}
	case give.Safe && !share.Impossible.IsZero():
		return StopManaging, Reason{Kind: StoresNothing}
	case give.Safe:
		return StopManaging, Reason{Kind: ThereAlready}
	}
	return None, noneSafe(t, take, give)
}

// refusedAlike reports whether the server refuses every resolution for one reason. Behind the first line,
// its messages show the difference of the two objects.
func refusedAlike(list []Resolution) bool {
	reason := func(r Resolution) string { return text.FirstLine(r.Message) }
	accepted := func(r Resolution) bool {
		return r.Impossible.IsZero() &&
			(!r.Outcome.Refused() || r.Outcome == report.Conflicted || reason(r) != reason(list[0]))
	}
	return list[0].Impossible.IsZero() && !slices.ContainsFunc(list, accepted)
}

// recommendReal is for a difference that changes the object. Of giving the field up
// nothing has to be known where force is accepted and nobody writes again.
func recommendReal(t Conflict, take, give Resolution) (ResolutionKind, Reason) {
	back := comingBack(t.Owners)
	switch {
	case len(back) == 0 && !take.Outcome.Refused():
		return Force, nobodyComesBack(t.Owners)
	case len(back) == 0 && give.Safe:
		return StopManaging, Reason{Kind: RefusedValue}
	case len(back) > 0 && give.Safe:
		return StopManaging, comesBack(back)
	}
	return None, noneSafe(t, take, give)
}

// undecidable is why no field of an answer has a recommendation; its kind is empty where
// there is no reason.
func undecidable(c report.Confidence) Reason {
	for _, r := range c.Reasons {
		switch {
		case r.Rule == report.RuleNoManagedFields:
			return Reason{Kind: OwnersUnknown}
		case r.Rule == report.RuleUnknownManager && r.Nearest != "":
			return Reason{Kind: WrongManager, Managers: []string{r.Nearest}}
		}
	}
	return Reason{}
}

// comingBack are the owners that write again by themselves.
func comingBack(owners []Owner) []Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(owner Owner) bool {
		return owner.ManagerKind.Returns == writers.Never || owner.ManagerKind.Kind == writers.ClientSide ||
			owner.Manager == "kubectl" && owner.Operation == managedfields.Apply
	})
}

// takenFrom is why a field can be taken from its only owner, by the kind that it is; other
// kinds write when they are run.
var takenFrom = map[writers.WriterKind]ReasonKind{
	writers.Autoscaler: ScalerGoes, writers.Bookkeeping: NoWriter, writers.Person: UsedByHand,
	writers.ClientSide: AppliedClientSide, writers.Creator: CreatedOnly,
}

// nobodyComesBack is why the field can be taken from owners.
func nobodyComesBack(owners []Owner) Reason {
	r := Reason{Kind: cmp.Or(takenFrom[owners[0].ManagerKind.Kind], WritesWhenRun), Managers: Managers(owners)}
	switch {
	case owners[0].ManagerKind.Kind == writers.Self:
		return Reason{Kind: OwnUpdates, Managers: r.Managers[:1]}
	case slices.ContainsFunc(owners, func(o Owner) bool { return o.ManagerKind.Scripted }):
		r.Kind = UsedInScripts
	case len(owners) > 1:
		r.Kind = NobodyWrites
	}
	return r
}

// leftTo are the kinds of owners that a field is left to, and why: the first that there are
// decide, even where others own the field too.
var leftTo = []struct {
	kinds []writers.WriterKind
	// why is the reason, and maybe that of owners which are known by a pattern only.
	why, maybe ReasonKind
}{
	{[]writers.WriterKind{writers.Autoscaler}, Autoscaled, MaybeAutoscaled},
	{[]writers.WriterKind{writers.Controller}, Controlled, MaybeControlled},
	{[]writers.WriterKind{writers.GitOps, writers.Deployer, writers.OtherApplier}, OtherManifest, OtherManifest},
}

// comesBack is why the field is better left to owners.
func comesBack(back []Owner) Reason {
	for _, l := range leftTo {
		others := func(o Owner) bool { return !slices.Contains(l.kinds, o.ManagerKind.Kind) }
		switch of := slices.DeleteFunc(slices.Clone(back), others); {
		case anyCertain(of):
			return Reason{Kind: l.why, Managers: Managers(of)}
		case len(of) > 0:
			return Reason{Kind: l.maybe, Managers: Managers(of)}
		}
	}
	return Reason{Kind: WrittenByUpdates, Managers: Managers(back)}
}

// anyCertain reports whether one of the owners is known for certain.
func anyCertain(owners []Owner) bool {
	return slices.ContainsFunc(owners, func(o Owner) bool { return o.ManagerKind.Certain })
}

// reverted is what speaks against force where owners come back.
func reverted(back []Owner) Objection {
	if anyCertain(back) {
		return ForceReverted
	}
	return MaybeReverted
}

// noneSafe is why nothing can be recommended.
func noneSafe(t Conflict, take, give Resolution) Reason {
	r := Reason{Kind: NoneSafe}
	switch back := comingBack(t.Owners); {
	case take.Outcome.Refused():
		r.Against = append(r.Against, ForceRefused)
	case len(back) > 0:
		r.Against, r.Managers = append(r.Against, reverted(back)), Managers(back)
	}
	r.Against = append(r.Against, againstStop(give)...)
	return r
}

// againstStop is what speaks against leaving the field out.
func againstStop(give Resolution) []Objection {
	switch {
	case !give.Impossible.IsZero():
		return []Objection{StopImpossible}
	case give.Outcome.Refused():
		return []Objection{StopRefused}
	case len(give.Changes) > 0:
		return []Objection{StopChanges}
	case give.Needed:
		return []Objection{StopLacks}
	}
	return nil
}

// Managers are the names of owners, each once, in their order.
func Managers(owners []Owner) []string {
	var names []string
	for _, owner := range owners {
		if !slices.Contains(names, owner.Manager) {
			names = append(names, owner.Manager)
		}
	}
	return names
}

// takeover reports whether a field is nothing but a part of a takeover.
func (s *session) takeover(t Conflict) bool {
	if !s.looked {
		s.looked = true
		s.former, _ = TakenOver(s.Write.Manager, s.manifest(), s.Live)
	}
	for _, o := range t.Owners {
		if s.former.Manager == "" || o.Manager != s.former.Manager || o.Operation != s.former.Operation ||
			o.Subresource != "" {
			return false
		}
	}
	return len(t.Owners) > 0
}

// takenOverFrom is why an object is to be handed over from owners.
func takenOverFrom(owners []Owner) Reason {
	r := Reason{Kind: Takeover, Managers: Managers(owners)}
	if owners[0].ManagerKind.Kind == writers.ClientSide {
		r.Kind = LeftClientSide
	}
	return r
}

// manifest are the fields of the manifest.
func (s *session) manifest() *fieldpath.Set {
	set := fieldpath.NewSet()
	object, _ := s.body.(map[string]any)
	for _, leaf := range s.Shape.Leaves(object) {
		if !managedfields.Untracked(leaf.Path) {
			set.Insert(leaf.Path.Copy())
		}
	}
	return set
}

// Judges know of an apply what the server does not ask.
type Judges struct {
	// Manifest is the write of the manifest itself, on whose text edits are shown, where
	// Client, by what it is called, sends more than that; nil where it is what is sent.
	Manifest *engine.Write
	Client   string
	// Send simulates a write as the client sends it; nil for kubectl where it is the field
	// manager, and else for the one request.
	Send func(context.Context, api.Server, engine.Write) report.Result
	// Forces: the apply takes all that conflicts.
	Forces bool
	// Risks gives those of an answer; nil for none.
	Risks func(report.Result) []report.Finding
	// Refused says why a write is rejected; nil where that is not asked.
	Refused func(engine.Write, report.Result) []report.Refusal
	// Forbids reports whether a policy does not let a role own a field of an object; nil
	// where there is no policy.
	Forbids func(live map[string]any, path fieldpath.Path, role managedfields.Role) bool
	// Creations are what the server has said of new objects; nil for nothing so far.
	Creations *Creations
	// Unscaled: the autoscaler of the object goes with the run, and sets nothing back.
	Unscaled bool
}

// judge is what is known of an owner of a field of a live object, for an apply of a manager.
func (j Judges) judge(w report.Writer, manager, field string, live map[string]any) writers.ManagerKind {
	kind := writers.Judge(w, manager, field, live)
	if j.Unscaled && kind.Kind == writers.Autoscaler && writers.ByAutoscaler(w.Manager, w.Subresource) {
		kind.Returns = writers.Never
	}
	return kind
}

// heed decides a field by a recommendation, in the light of who may own the field.
//
//	recommended          may not own the field    instead
//	force, live value,   the manager that applies stop managing, where that is safe
//	migrate
//	stop managing        the owners               none
func (s *session) heed(t *Conflict, c *Claim, kind ResolutionKind, because Reason, stop Resolution) {
	forbids := func(role managedfields.Role) bool {
		return s.judges.Forbids != nil && s.judges.Forbids(s.Live, c.Path, role)
	}
	me := managedfields.Role{Manager: s.Write.Manager, Operation: managedfields.Apply, Subresource: s.Write.Subresource}
	owns := kind == Force || kind == UseLiveValue || kind == Migrate
	t.Recommended, t.Because = kind, because
	switch mine := forbids(me); {
	case mine && owns && stop.Safe:
		t.Recommended, t.Because = StopManaging, Reason{Kind: MayNotOwn, Managers: []string{me.Manager}}
	case mine && owns:
		against := append([]Objection{OwnForbidden}, againstStop(stop)...)
		t.Recommended, t.Because = None, Reason{Kind: NoneSafe, Managers: []string{me.Manager}, Against: against}
	case kind == StopManaging && !mine:
		back := comingBack(t.Owners)
		may := func(o Owner) bool {
			return !forbids(managedfields.Role{Manager: o.Manager, Operation: o.Operation, Subresource: o.Subresource})
		}
		if len(back) > 0 && !slices.ContainsFunc(back, may) {
			against := []Objection{reverted(back), StopForbidden}
			t.Recommended, t.Because = None, Reason{Kind: NoneSafe, Managers: Managers(back), Against: against}
		}
	}
}
