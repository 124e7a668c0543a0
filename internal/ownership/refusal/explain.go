package refusal

import (
	"context"
	"net/http"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Explain says what in the live object has an apply rejected; nil where the manifest
// could not create the object either, and where nothing is found. The result is the answer
// to the write, and send simulates it as its client sends it.
func Explain(
	ctx context.Context, server api.Server, w engine.Write, r report.Result, send ownership.Send,
) []report.Refusal {
	if r.Outcome != report.Invalid || r.Code != http.StatusUnprocessableEntity || w.Verb != api.Apply {
		return nil
	}
	found := func() []report.Refusal {
		s, ok := newSearch(ctx, server, w, r, send)
		if !ok {
			return nil
		}
		return s.refusals()
	}
	return guard.Or(found, func(error) []report.Refusal { return nil })
}

// Located gives the causes of a result, which have no lines, the lines of the manifest: a
// client that sends patches or replaces objects is refused for what it makes of that.
func Located(server api.Server, w engine.Write, r report.Result) report.Result {
	unplaced := func(c report.Cause) bool { return c.Source == nil }
	if r.Outcome != report.Invalid || w.Locator == nil || !slices.ContainsFunc(r.Causes, unplaced) {
		return r
	}
	r.Causes = causes.Located(r.Causes, causes.Question{
		Verb: api.Apply, Kind: w.Kind, Body: w.Object(), Live: r.Live, Locator: w.Locator,
		Shape: managedfields.ShapeOf(server.Types(w.Kind).ParseableType),
	})
	return r
}

// newSearch is false where there is no live object at the version of the manifest.
func newSearch(
	ctx context.Context, server api.Server, w engine.Write, r report.Result, send ownership.Send,
) (*search, bool) {
	if w.Subresource != "" || w.Live == nil && w.LiveObject == nil {
		return nil, false
	}
	o, err := ownership.Of(ctx, server, w)
	if err != nil {
		return nil, false
	}
	o.Send = send
	apiVersion, _ := w.Kind.ToAPIVersionAndKind()
	live, err := o.At(apiVersion)
	if err != nil {
		return nil, false
	}
	s := &search{Object: o.In(live), refused: r, left: maxTried, applies: r.Operation == report.Apply}
	s.Object.Send = send
	s.body = w.Object()
	s.covering = s.Owners().Covering()
	return s, s.body != nil
}

// maxApart is how many causes are looked at one by one where no explanation is found for
// all of them.
const maxApart = 5

// refusals explain the causes that the live object has a part in.
func (s *search) refusals() []report.Refusal {
	fresh := s.try(s.Write.On(nil))
	own := causesOf(fresh)
	if fresh.Outcome.Refused() && (fresh.Code != http.StatusUnprocessableEntity || len(own) == 0) {
		return nil
	}
	var live []report.Cause
	for _, c := range s.refused.Causes {
		if !slices.ContainsFunc(own, func(o report.Cause) bool { return o.Field == c.Field && o.Message == c.Message }) {
			live = append(live, c)
		}
	}
	if len(live) == 0 && (len(s.refused.Causes) > 0 || fresh.Outcome.Refused()) {
		return nil
	}
	s.creates = !fresh.Outcome.Refused()
	out := s.explain(targetsOf(live))
	for i := range out {
		out[i].Partly = out[i].Partly || len(out) > 1 || !s.creates
	}
	return out
}

func causesOf(r report.Result) []report.Cause {
	if r.Outcome != report.Invalid {
		return nil
	}
	return r.Causes
}

// explain gives the reasons for the causes at some fields: one leftover for all of them, or
// one for each; the others are values that must not change.
func (s *search) explain(targets []target) []report.Refusal {
	if found, ok := s.dropsStored(targets); ok {
		return []report.Refusal{found}
	}
	all, ok := s.remaining(targets)
	if ok && len(all.Fixes) > 0 {
		return []report.Refusal{all}
	}
	if out := s.oneByOne(targets); len(out) > 0 || !ok {
		return out
	}
	return []report.Refusal{all}
}

// oneByOne gives a reason for each cause, as far as one is found.
func (s *search) oneByOne(targets []target) []report.Refusal {
	var out []report.Refusal
	rest := targets
	if len(targets) > 1 {
		out, rest = s.apart(targets, s.remaining)
	}
	if len(rest) == 0 && len(targets) > 0 {
		return out
	}
	if found, ok := s.immutable(rest); ok {
		return append(out, found)
	}
	if len(rest) > 1 {
		more, _ := s.apart(rest, s.immutable)
		out = append(out, more...)
	}
	return out
}

// apart asks about targets one by one, and gives those that are left. Targets with the same reason have it
// once.
func (s *search) apart(
	targets []target, explains func([]target) (report.Refusal, bool),
) (found []report.Refusal, left []target) {
	var of [][]target
	for i, t := range targets {
		if i == maxApart {
			return found, append(left, targets[i:]...)
		}
		one, ok := explains([]target{t})
		same := func(f report.Refusal) bool { return slices.EqualFunc(f.Fields, one.Fields, sameField) }
		at := slices.IndexFunc(found, same)
		switch {
		case !ok:
			left = append(left, t)
		case at < 0:
			found, of = append(found, one), append(of, []target{t})
		default:
			if of[at] = append(of[at], t); len(found[at].Fixes) > 0 {
				if both, ok := explains(of[at]); ok {
					found[at] = both
				}
			}
		}
	}
	return found, left
}

func sameField(a, b report.RefusedField) bool { return a.Field == b.Field }
