package conflict

import (
	"context"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// maxStories bounds how many fields of an object are reported one by one: each is
// simulated on the whole object several times.
const maxStories = 50

// MigrateFirst is said of a conflict on an object that is taken over too: a migration
// moves the entries of the other fields, and this one is resolved on what it leaves.
const MigrateFirst = "Migrate first, as is recommended for other fields."

// Explain asks the server for the answer to an apply, and returns each conflict with
// its resolutions. The write's Force is not looked at: the question is what
// stands in the way without it. It always gives an Explanation; where nothing
// conflicts, it has no stories.
//
// Each resolution of a field is tried with the other conflicting fields left out, so
// that the result is about this field alone. Where the apply forces, and that is accepted, the
// others are overridden in each: that is what happens to them.
//
// A recommendation heeds whom the judges' policy lets own the field.
func Explain(ctx context.Context, server api.Server, w engine.Write, judges Judges) Explanation {
	w.Verb, w.Force = api.Apply, false
	r := engine.Simulate(ctx, server, w)
	if judges.Risks != nil {
		r.Risks = judges.Risks(r)
	}
	if judges.Refused != nil {
		r.Refusals = judges.Refused(w, r)
	}
	out := Of(r)
	if r.Outcome != report.Conflicted {
		return out
	}
	s := newSession(ctx, server, w, r, judges)
	claims := Claims(s.unforced(s.body), r.Conflicts)
	base := s.apply(s.withoutOthers(claims, nil))
	s.forces = judges.Forces && r.Forced != nil && !r.Forced.Outcome.Refused()
	if len(claims) > maxStories {
		out.Notices = append(
			slices.Clip(out.Notices),
			fmt.Sprintf(
				"%d fields conflict: the first %d are shown one by one, and all of them together at the end",
				len(claims),
				maxStories,
			),
		)
	}
	for i := range claims[:min(len(claims), maxStories)] {
		s.base = base
		t := s.story(claims, &claims[i])
		if why := undecidable(r.Confidence); why.Kind != "" {
			t.Recommended, t.Because = None, why
		}
		_, kind := (settings{s}).settable(ClientOf(w.Manager), claims[i], t)
		t = t.leftByClient(kind)
		t.Reason = t.Because.Says()
		out.Conflicts = append(out.Conflicts, t)
	}
	isMigrated := func(t Conflict) bool { return t.Recommended == Migrate }
	if slices.ContainsFunc(out.Conflicts, isMigrated) {
		for i, t := range out.Conflicts {
			if !isMigrated(t) {
				out.Conflicts[i].Reason = t.Reason.And(" ", text.New(MigrateFirst))
			}
		}
	}
	if s.base = base; len(claims) > 1 {
		out.Together = s.together(claims)
	}
	out.InClient = settings{s}.inClient(claims, out.Conflicts)
	return out
}

// Failure is the Explanation where no answer could be given.
func Failure(w engine.Write, err error) Explanation {
	w.Verb = api.Apply
	return Of(engine.Failure(w, err))
}

// Taking is the Explanation of the same apply with force, whose result is accepted: the
// conflicts are what it takes.
func (e Explanation) Taking(forced report.Result) Explanation {
	of := Of(forced)
	e.Answer, e.Risks, e.Of = of.Answer, of.Risks, of.Of
	return e
}

// Mending is the Explanation of the same apply once what the server rejects with force too is mended: of
// the conflicts that are left then, it has the options. It is false where none is left.
func (e Explanation) Mending(mended Explanation) (Explanation, bool) {
	left := false
	e.Conflicts = slices.Clone(e.Conflicts)
	for i, c := range e.Conflicts {
		at := slices.IndexFunc(mended.Conflicts, func(m Conflict) bool { return m.Field == c.Field })
		if at >= 0 {
			e.Conflicts[i], left = mended.Conflicts[at], true
		}
	}
	if left {
		e.Together, e.InClient = mended.Together, mended.InClient
	}
	return e, left
}

// OtherRisks are the risks that no conflict speaks of: those of other fields, and of the object.
func (e Explanation) OtherRisks() []report.Finding {
	if len(e.Conflicts) == 0 {
		return e.Risks
	}
	return slices.DeleteFunc(slices.Clone(e.Risks), func(r report.Finding) bool {
		takeover := r.Field == "" && len(r.Fields) > 0
		return takeover || slices.ContainsFunc(e.Conflicts, func(c Conflict) bool { return c.Field == r.Field })
	})
}

// Of is the Explanation that has no more than a result.
func Of(r report.Result) Explanation {
	var of RiskOf
	if len(r.Risks) > 0 || r.Force || len(r.Refusals) > 0 {
		of = RiskOf{r.Live, r.Changes, r.Transfers, r.Force}
	}
	return Explanation{
		Of:         of,
		Target:     r.Target,
		Source:     r.Source,
		LiveSource: r.LiveSource,
		Manager:    r.Manager,
		Answer:     r.Answer(),
		Causes:     r.Causes,
		Refusals:   r.Refusals,
		Notices:    r.Notices,
		Risks:      r.Risks,
		Conflicts:  []Conflict{},
		Confidence: r.Confidence,
	}
}

// Whole is the Explanation of all requests of a client that deletes the object on its way, or runs it as a
// hook: there is no apply that may conflict.
func Whole(r report.Result) Explanation {
	e := Of(r)
	e.Of = RiskOf{r.Live, r.Changes, r.Transfers, r.Force}
	e.Recreated, e.Deleted, e.Hook, e.Client = r.Recreated, r.Deleted, r.Hook, r.Client
	return e
}

// story explains one field.
func (s *session) story(all []Claim, c *Claim) Conflict {
	t := s.beginning(c)
	if !c.found() {
		t.Difference = Difference{Kind: Unknown}
		t.Resolutions = s.unfound(t)
		t.Recommended, t.Because = None, Reason{Kind: OtherVersion}
		return t
	}
	if s.forces {
		body, _ := fieldtree.Without(s.Shape, s.body, c.Path)
		s.base = s.override(body)
	}
	take := s.override(s.trying(all, c))
	t.Difference = s.difference(c, t, take)
	t.Resolutions = []Resolution{s.force(c, t, take), s.stopManaging(c), s.useLiveValue(all, c, t)}
	kind, because := recommend(t)
	if s.takeover(t) {
		kind, because = Migrate, takenOverFrom(t.Owners)
	}
	s.heed(&t, c, kind, because, t.Resolutions[1])
	return t
}

// beginning is what a story has before anything is simulated for it.
func (s *session) beginning(c *Claim) Conflict {
	first := c.Conflicts[0]
	t := Conflict{
		Field:  first.Field,
		Yours:  Value{Value: first.Applied, Missing: first.AppliedMissing},
		Live:   Value{Value: first.Live, Missing: first.LiveMissing},
		Source: first.Source,
		Owners: s.ownersOf(c.Conflicts),
	}
	if c.found() && c.Path.String() != t.Field {
		// The manifest has it by the name of its own API version.
		t.AskedAs = c.Path.String()
		shared := s.liveValue(c, t)
		t.Shared = &shared
		object, _ := s.body.(map[string]any)
		t.Yours = ValueAt(s.Shape, object, c.Path)
		if at := s.Write.Line(s.Shape, c.Path); at != nil {
			t.Source = at
		}
	}
	sample := t.Yours.Value
	if t.Yours.Missing || sample == nil {
		sample = t.Live.Value
	}
	t.Nature = natureOf(s.Shape, c.Path, sample)
	t.Nature.Deduced = s.Type.Deduced
	return t
}

func (s *session) ownersOf(conflicts []report.Conflict) []Owner {
	out := make([]Owner, len(conflicts))
	for i, c := range conflicts {
		out[i] = Owner{Writer: c.Writer, ManagerKind: s.judges.judge(c.Writer, s.Write.Manager, c.Field, s.Live)}
	}
	return out
}
