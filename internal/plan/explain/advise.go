package explain

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
// much as Explain does for the others. Of those, the first ones have advice.
func Advise(ctx context.Context, server api.Server, w engine.Write, r report.Result) report.Result {
	if r.Outcome != report.Conflicted {
		return r
	}
	w.Verb, w.Force = api.Apply, false
	return guard.Or(func() report.Result { return advise(newSession(ctx, server, w, r), r) }, func(error) report.Result { return r })
}

func advise(s *session, r report.Result) report.Result {
	s.unedited = true
	a := adviser{session: s, claims: s.claims(r.Conflicts), unowned: r.Confidence.Has(report.RuleNoManagedFields)}
	if r.Forced != nil && !r.Forced.Outcome.Refused() {
		a.forced = &report.Result{Outcome: r.Forced.Outcome, Object: r.Forced.Object}
	}
	var list []report.Conflict
	for i := range a.claims {
		advice := a.on(&a.claims[i])
		for _, c := range a.claims[i].conflicts {
			c.Advice = advice
			list = append(list, c)
		}
	}
	r.Conflicts = list
	return r
}

// adviser is a session that only wants to know what is recommended.
type adviser struct {
	*session
	claims []claim
	// forced is the apply with force; nil where it is refused.
	forced *report.Result
	// unowned: the live object comes without managed fields.
	unowned bool
	// based: the apply without the conflicting fields is known. told counts the
	// fields that were explained.
	based bool
	told  int
}

// on is the advice on a field; nil where there are too many of them.
func (a *adviser) on(c *claim) *report.Advice {
	t := a.beginning(c)
	switch {
	case a.unowned:
		return adviceOf(None, Reason{Kind: OwnersUnknown}, t)
	case !c.found:
		return adviceOf(None, Reason{Kind: OtherVersion}, t)
	case a.forced == nil || stringData(a.write, t.Field):
		return a.explained(c)
	}
	if t.Difference = a.difference(c, t, *a.forced); !t.Difference.Changes() {
		return a.explained(c)
	}
	take, give := Resolution{Kind: Force}, Resolution{Kind: StopManaging}
	take.Outcome = a.forced.Outcome
	if len(comingBack(t.Owners)) > 0 {
		a.simulateBase()
		give = a.without(c)
	}
	kind, because := recommendReal(t, take, give)
	return adviceOf(kind, because, t)
}

// explained is the advice where every resolution has to be tried for it.
func (a *adviser) explained(c *claim) *report.Advice {
	if a.told++; a.told > maxStories {
		return nil
	}
	a.simulateBase()
	t := a.story(a.claims, c)
	return adviceOf(t.Recommended, t.Because, t)
}

func (a *adviser) simulateBase() {
	if !a.based {
		a.based = true
		a.base = a.apply(a.withoutOthers(a.claims, nil), holdBack)
	}
}

// adviceOf writes down a recommendation.
func adviceOf(kind ResolutionKind, because Reason, t Story) *report.Advice {
	out := &report.Advice{Recommended: string(kind), Because: string(because.Kind), Managers: slices.Clone(because.Managers)}
	out.Same = t.Difference.Kind != "" && !t.Difference.Changes()
	for _, o := range because.Against {
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
