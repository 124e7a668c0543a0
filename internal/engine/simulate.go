package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Simulate asks the server for its answer to a write and explains it. It always gives a
// Result: what the server refuses is an outcome, and where no answer could be given, panics
// of server code included, the outcome is Failed.
//
// Ownership and changes are reported of the main object, for subresources too:
// Object is what is stored, not the Scale that the server answers. Where a
// delete removed the object, Deleted says it all: there are no changes and no
// transfers.
func Simulate(ctx context.Context, server api.Server, w Write) report.Result {
	return guard.Or(
		func() report.Result { return simulate(ctx, server, w) },
		func(err error) report.Result { return Failure(w, err) },
	)
}

func simulate(ctx context.Context, server api.Server, w Write) report.Result {
	s, err := newSimulation(ctx, server, w)
	if err != nil {
		return Failure(w, err)
	}
	a, err := s.ask(w.Force)
	if err == nil {
		err = s.misfit(a)
	}
	return s.result(a, err)
}

// Explain explains the answer that a server gave to a write. It does not ask again: only what
// force would do of a conflict is simulated, and the live object at the version of the write.
func Explain(ctx context.Context, server api.Server, w Write, given api.Response) report.Result {
	return guard.Or(
		func() report.Result {
			s, err := newSimulation(ctx, server, w)
			if err != nil {
				return Failure(w, err)
			}
			s.prepare()
			return s.result(s.read(given))
		},
		func(err error) report.Result { return Failure(w, err) },
	)
}

// result is what an answer is reported as, or that there is none.
func (s *simulation) result(a answer, err error) report.Result {
	w := s.write
	if err != nil {
		return s.failure(w.located(err, s.kind))
	}
	switch {
	case w.Detail == DetailRefusal && !a.outcome.Refused():
		r := blank(s.write)
		r.Outcome, r.Code = a.outcome, a.Code
		return r
	case !s.prepared:
		return s.brief(a)
	}
	r := s.explain(a)
	if r.Outcome == report.Conflicted && !w.Force && w.Detail != DetailConflicts {
		s.force(&r)
	}
	return r
}

// simulation is a write with what is known before the server is asked.
type simulation struct {
	ctx    context.Context
	server api.Server
	write  Write
	kind   api.Type
	served served
	// trees has the live object.
	trees api.Trees
	// What follows is known once the server was asked, unless a brief result
	// does: see prepare.
	prepared bool
	shape    managedfields.Shape
	// live is the live object at the request's version; write.LiveObject is as given.
	live   map[string]any
	intent intent
	find   managedfields.Finder
	// before is what liveOwners gives, once it was asked.
	before *managedfields.Owners
}

type answer struct {
	api.Response
	outcome report.Outcome
	status  *report.Status
	// stored is nil when refused, and when the object is gone.
	stored map[string]any
}

func newSimulation(ctx context.Context, server api.Server, w Write) (*simulation, error) {
	s := &simulation{ctx: ctx, server: server, write: w, kind: server.Types(w.Kind), served: served{server, w.Kind}}
	if w.LiveObject == nil && w.Live != nil {
		live, err := s.trees.Of(w.Live)
		if err != nil {
			return nil, fmt.Errorf("parse the live object: %w", err)
		}
		s.write.LiveObject = live.Object
	}
	return s, nil
}

// prepare finds out what is needed to explain an answer.
func (s *simulation) prepare() {
	if s.prepared {
		return
	}
	s.prepared = true
	s.write.Decoded = s.decoded()
	s.shape = managedfields.ShapeOf(s.kind.ParseableType)
	s.live = s.converted()
	s.intent = newIntent(s.write, s.shape, s.liveOwners, &s.find)
}

// liveOwners are those of the live object. Most answers say nothing of them.
func (s *simulation) liveOwners() managedfields.Owners {
	if s.before == nil {
		owners := managedfields.Of(s.write.LiveObject)
		s.before = &owners
	}
	return *s.before
}

// decoded is the body as a JSON tree; nil where it cannot be decoded.
func (s *simulation) decoded() any {
	switch {
	case s.write.Decoded != nil:
		return s.write.Decoded
	case s.write.JSON != nil:
		if applied, err := s.trees.Of(s.write.JSON); err == nil && applied.Object != nil {
			return applied.Object
		}
	}
	return decodeBody(s.write.Body)
}

func decodeBody(body []byte) any {
	var v any
	if len(body) == 0 {
		return nil
	}
	// Nearly all are objects, which are read faster.
	if object, err := jsontree.Decode(body); err == nil && object != nil {
		return object
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return nil
	}
	return v
}

// converted is the live object at the request's version, from an empty merge patch: the
// server has no call for a conversion. It falls back to the object as given, since it only
// serves to show values.
func (s *simulation) converted() map[string]any {
	live := s.write.LiveObject
	if live == nil || s.write.isOfKind(live) {
		return live
	}
	req := s.write.request()
	req.Verb, req.Subresource, req.Force = api.MergePatch, "", false
	req.Body, req.MediaType = []byte("{}"), ""
	resp, err := s.server.Do(s.ctx, req)
	if err != nil || !accepted(resp.Code) {
		return live
	}
	out, err := s.write.stored(resp)
	if err != nil || !s.write.isOfKind(out) {
		return live
	}
	return out
}

func (s *simulation) ask(force bool) (answer, error) {
	if err := s.ctx.Err(); err != nil {
		return answer{}, err
	}
	req := s.write.request()
	req.Force, req.Trees = force, &s.trees
	resp, err := s.server.Do(s.ctx, req)
	if err != nil {
		return answer{}, err
	}
	if s.write.DryRun && accepted(resp.Code) {
		resp = s.undry(req, resp)
	}
	resp = s.conceal(req, resp)
	resp.Derived = Hidden(s.write.Derived, resp.Derived)
	if s.untouched(resp) {
		return answer{Response: resp, outcome: report.Unchanged, stored: s.write.LiveObject}, nil
	}
	s.prepare()
	return s.read(resp)
}

// undry completes the answer to a dry run with what a real one would leave, where the
// answer itself does not say it: a server stores nothing.
func (s *simulation) undry(req api.Request, resp api.Response) api.Response {
	if req.Subresource == "" && req.Verb != api.Delete {
		return resp
	}
	req.DryRun, req.Trees = "", nil
	if left, err := s.server.Do(s.ctx, req); err == nil && accepted(left.Code) {
		resp.Stored, resp.Deleted = left.Stored, left.Deleted
	}
	return resp
}

// untouched reports whether an accepted apply left the object unchanged to the byte, with
// all entries at the version of the request. Then there is nothing to remark on its
// entries.
func (s *simulation) untouched(r api.Response) bool {
	live := s.write.LiveObject
	return s.write.Verb == api.Apply && s.write.Subresource == "" && accepted(r.Code) && !r.Deleted &&
		len(
			r.Stored,
		) > 0 && bytes.Equal(r.Stored, s.write.Live) && s.write.isOfKind(live) && entriesAt(live, live["apiVersion"])
}

// entriesAt reports whether all managed fields entries of an object are at a version.
func entriesAt(object map[string]any, apiVersion any) bool {
	return !slices.ContainsFunc(entriesOf(object), func(item any) bool {
		entry, _ := item.(map[string]any)
		return entry["apiVersion"] != apiVersion
	})
}

func entriesOf(object map[string]any) []any {
	metadata, _ := object["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	return list
}
