package conflict

import (
	"bytes"
	"context"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// session is one object under question; its write is the apply that is explained.
type session struct {
	*ownership.Object
	body   any
	judges Judges
	// own is the write of the manifest itself, whose text can be edited.
	own engine.Write
	// base is the apply with every conflicting field given up; where the apply forces, with one, while the
	// field is explained.
	base report.Result
	// forces: each field is tried with the other conflicting fields overridden.
	forces bool
	// former is whose object is taken over, once that was looked at; empty for nobody's.
	former report.Writer
	looked bool
	// advises: only what is recommended is asked, not how the manifest would read, nor what owners
	// do next.
	advises bool
	// applied are what Apply managers applied last, as far as that was asked.
	applied map[report.Writer]lastApply
	// spared are the conflicting fields that a new object can be without; nil where each is asked of alone.
	spared *spared
}

func newSession(ctx context.Context, server api.Server, w engine.Write, r report.Result, judges Judges) *session {
	s := &session{body: w.Object(), judges: judges, own: w}
	if judges.Manifest != nil {
		s.own = *judges.Manifest
	}
	if judges.Creations == nil {
		s.judges.Creations = &Creations{}
	}
	w.LiveObject = r.Live
	s.Object = objectOf(ctx, server, w)
	if judges.Send != nil {
		s.Send = judges.Send
	}
	return s
}

// added says of a field of the manifest as it is sent that the client adds it; zero for one
// that the manifest has itself.
func (s *session) added(path fieldpath.Path) text.Text {
	if s.judges.Client == "" || bytes.Equal(s.own.Body, s.Write.Body) {
		return text.Text{}
	}
	object := s.own.Object()
	if object == nil || len(s.Shape.Lookup(object, path)) > 0 {
		return text.Text{}
	}
	return text.New("%v adds %v, which the manifest does not have", text.Name(s.judges.Client), text.Path(path.String()))
}

// anyAdded is added of the first field for which it says something.
func (s *session) anyAdded(all []Claim) text.Text {
	for _, c := range all {
		if c.found() {
			if why := s.added(c.Path); !why.IsZero() {
				return why
			}
		}
	}
	return text.Text{}
}

// objectOf is the live object of a write, to which kubectl sends all that it sends. One
// that cannot be parsed has no field.
func objectOf(ctx context.Context, server api.Server, w engine.Write) *ownership.Object {
	o, _ := ownership.Of(ctx, server, w)
	o.Send = client.Simulate
	return o
}

// apply simulates the write with another body, without force.
func (s *session) apply(body any) report.Result { return s.unforced(body).Now().Result }

// override is apply with force.
func (s *session) override(body any) report.Result {
	a := s.unforced(body)
	a.Write.Force = true
	return a.Now().Result
}

func (s *session) unforced(body any) ownership.Apply {
	w := s.Write
	w.Force = false
	return s.Apply(w, body)
}

// withoutOthers is the manifest without the conflicting fields but one; nil
// keeps none.
func (s *session) withoutOthers(all []Claim, keep *Claim) any {
	return s.withoutAny(all, func(c *Claim) bool { return c != keep })
}

// withoutAny is the manifest without those of the conflicting fields.
func (s *session) withoutAny(all []Claim, gone func(*Claim) bool) any {
	body := s.body
	for i := range all {
		if c := &all[i]; c.found() && gone(c) {
			body, _ = fieldtree.Without(s.Shape, body, c.Path)
		}
	}
	return body
}

// trying is the manifest in which a conflicting field is tried: with the others where the apply forces.
func (s *session) trying(all []Claim, c *Claim) any {
	if s.forces {
		return s.body
	}
	return s.withoutOthers(all, c)
}

// Claim is a conflicting field with all that own it.
type Claim struct {
	Conflicts []report.Conflict
	// Path is the field in the manifest. If the conflict is reported at another API
	// version, it is the one field of the manifest that causes it. It is nil where no such
	// place is known.
	Path fieldpath.Path
}

// Field is the field as the server writes it in conflicts.
func (c *Claim) Field() string { return c.Conflicts[0].Field }

func (c *Claim) found() bool { return c.Path != nil }

// Claims groups the conflicts of an apply, which are sorted, by field.
func Claims(a ownership.Apply, conflicts []report.Conflict) []Claim {
	if len(conflicts) == 0 {
		return nil
	}
	var out []Claim
	for _, c := range conflicts {
		if n := len(out); n > 0 && out[n-1].Field() == c.Field {
			out[n-1].Conflicts = append(out[n-1].Conflicts, c)
			continue
		}
		out = append(out, Claim{Conflicts: []report.Conflict{c}})
	}
	paths := Paths(a.Shape, a.Body)
	for i := range out {
		if out[i].Path = paths[out[i].Field()]; out[i].Path == nil {
			out[i].Path = causeOf(a, out[i].Field())
		}
	}
	return out
}

// Paths are the paths of a manifest by the text that the server writes for them.
func Paths(shape managedfields.Shape, manifest any) map[string]fieldpath.Path {
	out := map[string]fieldpath.Path{}
	object, _ := manifest.(map[string]any)
	for _, p := range shape.Paths(object) {
		if field := p.String(); out[field] == nil {
			out[field] = p.Copy()
		}
	}
	return out
}

// maxTried bounds how many fields of a manifest are tried as the cause of a
// conflict that is reported in the terms of another API version.
const maxTried = 200

// causeOf finds the field of a manifest that is behind a conflict reported in
// the owner's API version: the one without which the conflict is gone; nil for none.
func causeOf(a ownership.Apply, field string) fieldpath.Path {
	object, _ := a.Body.(map[string]any)
	for i, leaf := range a.Shape.Leaves(object) {
		if i == maxTried {
			break
		}
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		less, had := a.Without(leaf.Path)
		if !had {
			continue
		}
		if r := less.Now().Result; r.Outcome != report.Failed && r.Outcome != report.Invalid && !At(r, field) {
			return leaf.Path
		}
	}
	return nil
}

// At reports whether a result has a conflict over a field.
func At(r report.Result, field string) bool {
	return slices.ContainsFunc(r.Conflicts, func(c report.Conflict) bool { return c.Field == field })
}
