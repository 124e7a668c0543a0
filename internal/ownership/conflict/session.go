package conflict

import (
	"context"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// session is one object under question; its write is the apply that is explained.
type session struct {
	*ownership.Object
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
	s := &session{body: w.Decoded, judges: judges}
	if s.body == nil {
		text := w.Body
		if w.JSON != nil {
			text = w.JSON
		}
		_ = kjson.Unmarshal(text, &s.body)
	}
	w.LiveObject = r.Live
	s.Object = objectOf(ctx, server, w)
	if judges.Send != nil {
		s.Send = judges.Send
	}
	return s
}

// objectOf is the live object of a write, to which kubectl sends all that it sends. One
// that cannot be parsed has no field.
func objectOf(ctx context.Context, server api.Server, w engine.Write) *ownership.Object {
	o, _ := ownership.Of(ctx, server, w)
	o.Send = client.Simulate
	return o
}

// forcing says whether an apply takes what others own.
type forcingMode bool

const (
	holdBack forcingMode = false
	override forcingMode = true
)

// apply simulates the write with another body.
func (s *session) apply(body any, mode forcingMode) report.Result {
	w := s.Write
	w.Force = bool(mode)
	return s.Apply(w, body).Now().Result
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
	for _, p := range s.Shape.Paths(object) {
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
	for i, leaf := range s.Shape.Leaves(object) {
		if i == maxTried {
			break
		}
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		body, ok := fieldtree.Without(s.Shape, s.body, leaf.Path)
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
			body, _ = fieldtree.Without(s.Shape, body, c.path)
		}
	}
	return body
}
