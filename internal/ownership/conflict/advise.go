package conflict

import (
	"context"
	"encoding/base64"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Advise adds to an apply the findings of its conflicts, with what Explain recommends about
// each. It asks the server no more than that takes: nothing if force is accepted and no owner
// writes again, once for all fields that are better left to their owners, and as much as
// Explain does for the others. Of those, the first ones have a recommendation. What a client
// that is known has a setting for, the result has as settings. A forced apply that takes
// fields from a writer that comes back has the findings of the one without force; it is not
// asked again if the result has its object.
func Advise(ctx context.Context, server api.Server, w engine.Write, r report.Result, judges Judges) report.Result {
	unforced := w
	unforced.Verb, unforced.Force = api.Apply, false
	advised := func() report.Result { return r }
	switch {
	case r.Outcome == report.Conflicted:
		advised = func() report.Result { return advise(newSession(ctx, server, unforced, r, judges), r) }
	case judges.takes(r):
		advised = func() report.Result {
			other := Advise(ctx, server, unforced, withoutForce(ctx, server, unforced, r), judges)
			r.Contested, r.InClient = other.Contested, leaving(other.InClient)
			return r
		}
	}
	return guard.Or(advised, func(error) report.Result { return r })
}

// withoutForce is the apply without the force of a result, whose object is that of the run
// with force; without one, that is simulated too.
func withoutForce(ctx context.Context, server api.Server, w engine.Write, forced report.Result) report.Result {
	if forced.Object == nil {
		return engine.Simulate(ctx, server, w)
	}
	w.Detail = engine.DetailConflicts
	r := engine.Simulate(ctx, server, w)
	r.Forced = &report.Forced{Outcome: forced.Outcome, Object: forced.Object}
	return r
}

// takes reports whether an apply takes fields by force from somebody who writes again
// by itself.
func (j Judges) takes(r report.Result) bool {
	return r.Force && !r.Outcome.Refused() && slices.ContainsFunc(r.Transfers, func(t report.Transfer) bool {
		owner := Owner{Writer: t.Writer(), ManagerKind: j.judge(t.Writer(), r.Manager, t.Field, r.Live)}
		return t.Kind == report.Overridden && len(comingBack([]Owner{owner})) > 0
	})
}

// leaving are the settings by which fields are left to others.
func leaving(list []report.ClientFix) []report.ClientFix {
	return slices.DeleteFunc(list, func(f report.ClientFix) bool { return f.Kind == string(Force) })
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

func advise(s *session, r report.Result) report.Result {
	s.advises = true
	a := adviser{session: s, claims: Claims(s.unforced(s.body), r.Conflicts), undecidable: undecidable(r.Confidence)}
	s.spared = &spared{session: s, claims: a.claims}
	if r.Forced != nil && !r.Forced.Outcome.Refused() {
		a.forced = &report.Result{Outcome: r.Forced.Outcome, Object: r.Forced.Object}
	}
	advised := make([]recommendation, len(a.claims))
	for i := range a.claims {
		c := &a.claims[i]
		t := a.recommended(c)
		a.stories = append(a.stories, t)
		if t.Recommended == "" {
			continue
		}
		advised[i] = recommendation{Conflict: &t}
		_, kind := settings{s}.settable(ClientOf(s.Write.Manager), *c, t)
		if kind != None && t.Because.Kind != WrongManager {
			left := t.leftByClient(kind)
			advised[i] = recommendation{&left, kind}
		}
	}
	r.InClient = settings{s}.inClient(a.claims, a.stories)
	r.Contested = []report.Finding{}
	for i, c := range a.claims {
		r.Contested = append(r.Contested, found(r, c.Conflicts, advised[i]))
	}
	return r
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
		a.heed(&t, c, Migrate, takenOverFrom(t.Owners), a.stopping(c, a.judges.Forbids != nil))
		return t
	}
	if a.forced != nil && !stringData(a.Write, t.Field) {
		if t.Difference = a.difference(c, t, *a.forced); t.Difference.Changes() {
			return a.decided(c, t)
		}
	}
	// Every resolution has to be tried.
	if a.told++; a.told > maxStories {
		return Conflict{}
	}
	a.simulateBase()
	return a.story(a.claims, c)
}

// stopping is the apply without the field, if that is asked.
func (a *adviser) stopping(c *Claim, asked bool) Resolution {
	if !asked {
		return Resolution{Kind: StopManaging}
	}
	a.simulateBase()
	return a.without(c)
}

// decided is the story of a difference that changes the object.
func (a *adviser) decided(c *Claim, t Conflict) Conflict {
	take := Resolution{Kind: Force, Attempt: report.Attempt{Outcome: a.forced.Outcome}}
	give := a.stopping(c, len(comingBack(t.Owners)) > 0 || a.judges.Forbids != nil)
	t.Resolutions = []Resolution{take, give}
	kind, because := recommendReal(t, take, give)
	a.heed(&t, c, kind, because, give)
	if kindIn(ClientOf(a.Write.Manager), t) == UseLiveValue && len(a.stories) < maxStories {
		body, _, _, why := a.withLiveValue(a.claims, c, t)
		share := Resolution{Kind: UseLiveValue, Impossible: why}
		if why.IsZero() {
			share = simulated(UseLiveValue, a.apply(body))
		}
		t.Resolutions = append(t.Resolutions, share)
	}
	return t
}

func (a *adviser) simulateBase() {
	if !a.based {
		a.based = true
		a.base = a.apply(a.withoutOthers(a.claims, nil))
	}
}

// Leave is how the client that applies leaves a field of its manifest to somebody who
// is going to write it: its settings, tried on the object as it is once that one has
// written another value. The object is the live one of the write, or else what the
// apply makes. It is nil for a client whose settings are not known, and where the
// server does not accept one of the writes.
func Leave(ctx context.Context, server api.Server, w engine.Write, path fieldpath.Path, to string) []report.ClientFix {
	if ClientOf(w.Manager) == "" || w.Name == "" {
		return nil
	}
	w.Verb, w.Force = api.Apply, false
	return guard.Or(func() []report.ClientFix {
		object, ok := writtenBy(ctx, server, w, path, to)
		if !ok {
			return nil
		}
		return leaving(Explain(ctx, server, w.On(object), Judges{}).InClient)
	}, func(error) []report.ClientFix { return nil })
}

// writtenBy is the object of an apply after somebody else has changed a field, with a
// patch: an update of some kinds needs a resource version.
func writtenBy(
	ctx context.Context,
	server api.Server,
	w engine.Write,
	path fieldpath.Path,
	to string,
) (map[string]any, bool) {
	o, err := ownership.Of(ctx, server, w)
	if err != nil {
		return nil, false
	}
	if o.Live == nil {
		o = o.In(engine.Simulate(ctx, server, w).Object)
	}
	now, pointers := o.Shape.Lookup(o.Live, path), fieldtree.Pointers(o.Shape, o.Live, path)
	if len(now) != 1 || len(pointers) != 1 {
		return nil, false
	}
	another, ok := anotherValue(now[0])
	if !ok {
		return nil, false
	}
	patch, err := o.Patching(
		to,
		w.Subresource,
		[]report.PatchOperation{{Op: "replace", Path: pointers[0], Value: another}},
	)
	if err != nil {
		return nil, false
	}
	r := o.Simulate(patch, o.Live)
	return r.Object, !r.Outcome.Refused() && r.Object != nil
}

// anotherValue is a value of the same type that is valid where the given one is, as far
// as that can be: the next number, a bundle of certificates with an empty line, a list
// with its last item again, a map with one more key. It is false where there is none.
func anotherValue(v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return v + 1, true
	case string:
		bytes, err := base64.StdEncoding.DecodeString(v)
		return base64.StdEncoding.EncodeToString(append(bytes, '\n')), err == nil
	case []any:
		if len(v) == 0 {
			return nil, false
		}
		return append(slices.Clone(v), v[len(v)-1]), true
	case map[string]any:
		out := maps.Clone(v)
		out["ssactl-other"] = "another"
		return out, true
	}
	return nil, false
}

// Stop is the result if a manifest whose apply is accepted stops managing a
// field.
type Stop struct {
	Target report.Target `json:"target"`
	// Field is written as the API server writes it.
	Field      string     `json:"field" secret:"path"`
	Resolution Resolution `json:"resolution"`
}

// Stopping simulates for each of several fields of a manifest that the manifest
// stops managing it alone. Fields that the manifest does not have are left out, the
// others in their order, each once.
func Stopping(ctx context.Context, server api.Server, w engine.Write, fields []string) []Stop {
	if len(fields) == 0 {
		return nil
	}
	w.Verb, w.Force = api.Apply, false
	r := engine.Simulate(ctx, server, w)
	s := newSession(ctx, server, w, r, Judges{})
	paths := Paths(s.Shape, s.body)
	var out []Stop
	for _, field := range fields {
		path, found := paths[field]
		if !found {
			continue
		}
		delete(paths, field)
		c := Claim{Path: path}
		s.base = s.apply(s.withoutOthers([]Claim{c}, nil))
		out = append(out, Stop{r.Target, field, s.stopManaging(&c)})
	}
	return out
}
