package explain

import (
	"context"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// session is one object under question.
type session struct {
	ctx    context.Context
	server api.Server
	write  engine.Write
	kind   api.Type
	shape  managedfields.Shape
	// live is the live object as given; owners are its entries.
	live   map[string]any
	owners managedfields.Owners
	body   any
	judges Judges
	// base is the apply with every conflicting field given up.
	base report.Result
	// former is whose object is taken over, once that was looked at; empty for nobody's.
	former report.Writer
	looked bool
	// unedited: how the manifest would read is not asked.
	unedited bool
}

func newSession(ctx context.Context, server api.Server, w engine.Write, r report.Result, judges Judges) *session {
	s := &session{ctx: ctx, server: server, write: w, live: r.Live, body: w.Decoded, judges: judges}
	if s.body == nil {
		text := w.Body
		if w.JSON != nil {
			text = w.JSON
		}
		_ = kjson.Unmarshal(text, &s.body)
	}
	s.kind = server.Types(w.Kind)
	s.shape = managedfields.ShapeOf(s.kind.ParseableType)
	s.owners = managedfields.Of(r.Live)
	return s
}

// forcing says whether an apply takes what others own.
type forcingMode bool

const (
	holdBack forcingMode = false
	override forcingMode = true
)

// apply simulates the write with another body.
func (s *session) apply(body any, mode forcingMode) report.Result {
	w := s.write
	w.Force = bool(mode)
	return s.simulate(w, body)
}

// simulate is Simulate of a write with a decoded body, as the client sends it.
func (s *session) simulate(w engine.Write, body any) report.Result {
	w, err := extract.Send(w, body)
	if err != nil {
		return engine.Failure(w, err)
	}
	if s.judges.Send != nil {
		return s.judges.Send(s.ctx, s.server, w)
	}
	return client.Simulate(s.ctx, s.server, w)
}

// claim is a conflicting field with all that hold it.
type claim struct {
	conflicts []report.Conflict
	// path is the field in the manifest. If the conflict is reported at another API
	// version, it is the one field of the manifest that causes it.
	path fieldpath.Path
	// found is false where no such place is known.
	found bool
}

// claims groups conflicts, which are sorted, by field.
func (s *session) claims(conflicts []report.Conflict) []claim {
	var out []claim
	for _, c := range conflicts {
		if n := len(out); n > 0 && out[n-1].conflicts[0].Field == c.Field {
			out[n-1].conflicts = append(out[n-1].conflicts, c)
			continue
		}
		out = append(out, claim{conflicts: []report.Conflict{c}})
	}
	paths := s.bodyPaths()
	for i := range out {
		out[i].path, out[i].found = paths[out[i].conflicts[0].Field]
		if !out[i].found {
			out[i].path, out[i].found = s.causeOf(out[i].conflicts[0].Field)
		}
	}
	return out
}

// bodyPaths are the paths of the manifest by the text that the server writes
// for them.
func (s *session) bodyPaths() map[string]fieldpath.Path {
	out := map[string]fieldpath.Path{}
	object, _ := s.body.(map[string]any)
	for _, p := range s.shape.Paths(object) {
		if field := p.String(); out[field] == nil {
			out[field] = p.Copy()
		}
	}
	return out
}

// maxTried bounds how many fields of a manifest are tried as the cause of a
// conflict that is reported in the terms of another API version.
const maxTried = 200

// causeOf finds the field of the manifest that is behind a conflict told in
// the owner's API version: the one without which the conflict is gone.
func (s *session) causeOf(field string) (fieldpath.Path, bool) {
	object, _ := s.body.(map[string]any)
	for i, leaf := range s.shape.Leaves(object) {
		if i == maxTried {
			break
		}
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		body, ok := fieldtree.Without(s.shape, s.body, leaf.Path)
		if !ok {
			continue
		}
		r := s.apply(body, holdBack)
		if r.Outcome != report.Failed && r.Outcome != report.Invalid && !hasField(r.Conflicts, field) {
			return leaf.Path, true
		}
	}
	return nil, false
}

func hasField(conflicts []report.Conflict, field string) bool {
	for _, c := range conflicts {
		if c.Field == field {
			return true
		}
	}
	return false
}

// withoutOthers is the manifest without the conflicting fields but one; nil
// keeps none.
func (s *session) withoutOthers(all []claim, keep *claim) any {
	body := s.body
	for i := range all {
		if c := &all[i]; c != keep && c.found {
			body, _ = fieldtree.Without(s.shape, body, c.path)
		}
	}
	return body
}
