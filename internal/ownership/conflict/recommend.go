package conflict

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// recommend chooses a resolution by what was simulated and by who owns the field.
//
//	the difference         the owners                   recommended
//	not real               -                            use the live value, or else stop managing
//	real                   nobody comes back            force
//	real                   something comes back         stop managing
//	any                    and that is not safe         none
func recommend(t Conflict) (ResolutionKind, Reason) {
	take, give, useLiveValue := t.Resolutions[0], t.Resolutions[1], t.Resolutions[2]
	if refusedAlike(t.Resolutions) {
		return None, Reason{Kind: RefusedAnyway}
	}
	if !t.Difference.Changes() {
		return recommendSame(t, give, useLiveValue)
	}
	return recommendReal(t, take, give)
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

// refusedAlike reports whether the server refuses every resolution with one message.
func refusedAlike(list []Resolution) bool {
	for _, r := range list {
		if r.Impossible.IsZero() && (!r.Outcome.Refused() || r.Outcome == report.Conflicted || r.Message != list[0].Message) {
			return false
		}
	}
	return list[0].Impossible.IsZero()
}

// recommendSame is for a difference that changes nothing in the object.
func recommendSame(t Conflict, give, useLiveValue Resolution) (ResolutionKind, Reason) {
	switch {
	case useLiveValue.Safe && t.Difference.Kind == WriteOnly:
		return UseLiveValue, Reason{Kind: SameInData}
	case useLiveValue.Safe:
		return UseLiveValue, Reason{Kind: SameValue}
	case give.Safe && !useLiveValue.Impossible.IsZero():
		return StopManaging, Reason{Kind: StoresNothing}
	case give.Safe:
		return StopManaging, Reason{Kind: ThereAlready}
	}
	return None, noneSafe(t, t.Resolutions[0], give)
}

// comingBack are the owners that write again by themselves.
func comingBack(owners []Owner) []Owner {
	return slices.DeleteFunc(slices.Clone(owners), func(owner Owner) bool {
		return owner.ManagerKind.Returns == Never || owner.ManagerKind.Kind == ClientSide ||
			owner.Manager == "kubectl" && owner.Operation == managedfields.Apply
	})
}

// nobodyComesBack is why the field can be taken from owners.
func nobodyComesBack(owners []Owner) Reason {
	r := Reason{Kind: WritesWhenRun, Managers: Managers(owners)}
	switch kind := owners[0].ManagerKind.Kind; {
	case kind == Self:
		return Reason{Kind: OwnUpdates, Managers: r.Managers[:1]}
	case len(owners) > 1:
		r.Kind = NobodyWrites
	case kind == Bookkeeping:
		r.Kind = NoWriter
	case kind == Person:
		r.Kind = UsedByHand
	case kind == ClientSide:
		r.Kind = AppliedClientSide
	}
	return r
}

// comesBack is why the field is better left to owners.
func comesBack(back []Owner) Reason {
	r := Reason{Kind: WrittenByUpdates, Managers: Managers(back)}
	switch back[0].ManagerKind.Kind {
	case Autoscaler:
		r.Kind = Autoscaled
	case Controller:
		r.Kind = Controlled
	case GitOps, Deployer, OtherApplier:
		r.Kind = OtherManifest
	}
	return r
}

// noneSafe is why nothing can be recommended.
func noneSafe(t Conflict, take, give Resolution) Reason {
	r := Reason{Kind: NoneSafe}
	switch back := comingBack(t.Owners); {
	case take.Outcome.Refused():
		r.Against = append(r.Against, ForceRefused)
	case len(back) > 0:
		r.Against, r.Managers = append(r.Against, ForceReverted), Managers(back)
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
