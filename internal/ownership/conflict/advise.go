package conflict

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Advise adds to each conflict of an apply what Explain recommends about it. It asks
// the server no more than that takes: nothing where force is accepted and nobody
// writes again, once for all fields that are better left to their owners, and as
// much as Explain does for the others. Of those, the first ones have advice. What a
// client that is known has a setting for, the result has as settings.
func Advise(ctx context.Context, server api.Server, w engine.Write, r report.Result, judges Judges) report.Result {
	unforced := w
	unforced.Verb, unforced.Force = api.Apply, false
	advised := func() report.Result { return r }
	switch {
	case r.Outcome == report.Conflicted:
		advised = func() report.Result { return advise(newSession(ctx, server, unforced, r, judges), r) }
	case takes(r) && mayLeave(ClientOf(w.Manager), r.Transfers):
		advised = func() report.Result {
			r.InClient = leaving(Advise(ctx, server, unforced, engine.Simulate(ctx, server, unforced), judges).InClient)
			return r
		}
	}
	return guard.Or(advised, func(error) report.Result { return r })
}

// takes reports whether an apply takes fields by force from somebody who writes again
// by itself.
func takes(r report.Result) bool {
	return r.Force && !r.Outcome.Refused() && slices.ContainsFunc(r.Transfers, func(t report.Transfer) bool {
		w := report.Writer{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		return t.Kind == report.Overridden && len(comingBack([]Owner{{Writer: w, ManagerKind: ManagerKindOf(w, r.Manager)}})) > 0
	})
}

// mayLeave reports whether a client has a setting by which it leaves any of the fields to
// others.
func mayLeave(client report.Client, fields []report.Transfer) bool {
	return slices.ContainsFunc(fields, func(t report.Transfer) bool { return leaves(client, t.Field) })
}

// leaving are the settings by which fields are left to others.
func leaving(list []report.ClientFix) []report.ClientFix {
	return slices.DeleteFunc(list, func(f report.ClientFix) bool { return f.Kind == string(Force) })
}

func advise(s *session, r report.Result) report.Result {
	s.unedited = true
	a := adviser{session: s, claims: Claims(s.unforced(s.body), r.Conflicts), undecidable: undecidable(r.Confidence)}
	if r.Forced != nil && !r.Forced.Outcome.Refused() {
		a.forced = &report.Result{Outcome: r.Forced.Outcome, Object: r.Forced.Object}
	}
	var list []report.Conflict
	for i := range a.claims {
		advice := a.on(&a.claims[i])
		for _, c := range a.claims[i].Conflicts {
			c.Advice = advice
			list = append(list, c)
		}
	}
	r.Conflicts, r.InClient = list, settings{s}.inClient(a.claims, a.stories)
	return r
}

// adviser is a session that only wants to know what is recommended.
type adviser struct {
	*session
	claims []Claim
	// forced is the apply with force; nil where it is refused.
	forced *report.Result
	// undecidable is why nothing is recommended for any field; its kind is empty for nothing.
	undecidable Reason
	// based: the apply without the conflicting fields is known. told counts the
	// fields that were explained.
	based bool
	told  int
	// stories are those of the claims that were looked at.
	stories []Conflict
}

// on is the advice on a field; nil where there are too many of them.
func (a *adviser) on(c *Claim) *report.Advice {
	t := a.recommended(c)
	a.stories = append(a.stories, t)
	if t.Recommended == "" {
		return nil
	}
	advice := t.Advice()
	if _, kind := (settings{a.session}).settable(ClientOf(a.Write.Manager), *c, t); kind != None && t.Because.Kind != WrongManager {
		advice.InClient = string(kind)
	}
	return advice
}

// recommended is the story of a field as far as it takes to recommend something;
// nothing is where there are too many of them.
func (a *adviser) recommended(c *Claim) Conflict {
	t := a.beginning(c)
	switch {
	case a.undecidable.Kind != "":
		t.Recommended, t.Because = None, a.undecidable
		return t
	case !c.found():
		t.Recommended, t.Because = None, Reason{Kind: OtherVersion}
		return t
	case a.takeover(t):
		return a.handedOver(c, t)
	case a.forced == nil || stringData(a.Write, t.Field):
		return a.explained(c)
	}
	if t.Difference = a.difference(c, t, *a.forced); !t.Difference.Changes() {
		return a.explained(c)
	}
	return a.decided(c, t)
}

// handedOver is the story of a field of a takeover.
func (a *adviser) handedOver(c *Claim, t Conflict) Conflict {
	stop := Resolution{Kind: StopManaging}
	if a.judges.Forbids != nil {
		a.simulateBase()
		stop = a.without(c)
	}
	kind, because := takingOver(t)
	t.Recommended, t.Because = a.heed(t, c, kind, because, stop)
	return t
}

// decided is the story of a difference that changes the object.
func (a *adviser) decided(c *Claim, t Conflict) Conflict {
	take, give := Resolution{Kind: Force}, Resolution{Kind: StopManaging}
	take.Outcome = a.forced.Outcome
	if len(comingBack(t.Owners)) > 0 || a.judges.Forbids != nil {
		a.simulateBase()
		give = a.without(c)
	}
	t.Resolutions = []Resolution{take, give}
	kind, because := recommendReal(t, take, give)
	t.Recommended, t.Because = a.heed(t, c, kind, because, give)
	if kindIn(ClientOf(a.Write.Manager), t) == UseLiveValue && len(a.stories) < maxStories {
		t.Resolutions = append(t.Resolutions, a.sharing(c, t))
	}
	return t
}

// sharing is the apply of the live value, as far as it is accepted.
func (a *adviser) sharing(c *Claim, t Conflict) Resolution {
	body, _, _, why := a.withLiveValue(a.claims, c, t)
	if !why.IsZero() {
		return Resolution{Kind: UseLiveValue, Impossible: why}
	}
	return a.resolution(UseLiveValue, a.apply(body, holdBack))
}

// explained is the story where every resolution has to be tried for it.
func (a *adviser) explained(c *Claim) Conflict {
	if a.told++; a.told > maxStories {
		return Conflict{}
	}
	a.simulateBase()
	return a.story(a.claims, c)
}

func (a *adviser) simulateBase() {
	if !a.based {
		a.based = true
		a.base = a.apply(a.withoutOthers(a.claims, nil), holdBack)
	}
}

// Advice is what is recommended, as reports say it of a conflict.
func (c Conflict) Advice() *report.Advice {
	out := &report.Advice{Recommended: string(c.Recommended), Because: string(c.Because.Kind), Managers: slices.Clone(c.Because.Managers)}
	out.Same = c.Difference.Kind != "" && !c.Difference.Changes()
	for _, o := range c.Because.Against {
		out.Against = append(out.Against, string(o))
	}
	return out
}

// Recommended is what an advice recommends, and why.
func Recommended(a report.Advice) (ResolutionKind, Reason) {
	because := Reason{Kind: ReasonKind(a.Because), Managers: a.Managers}
	for _, o := range a.Against {
		because.Against = append(because.Against, Objection(o))
	}
	return ResolutionKind(a.Recommended), because
}
