package resolve

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/edit"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// claim is one conflicting field with all that hold it.
type claim struct {
	conflicts []report.Conflict
	// path is where the manifest asks for the field: the same path, or where
	// the server tells it in the owner's API version, the field of the
	// manifest that is behind it. Nil where no such place is known.
	path   fieldpath.Path
	action Action
	// accepted: the field does not conflict, and yet has a decision.
	accepted bool
	// bulk: nobody named the field, which is one of all that are edited alike.
	bulk bool
}

func (c *claim) field() string { return c.conflicts[0].Field }

// step is what is known of a claim before anything is done about it.
func (c *claim) step() Step {
	s := Step{Field: c.field(), Source: c.conflicts[0].Source, Action: c.action, Outcome: NotAsked}
	if !c.accepted {
		for _, conflict := range c.conflicts {
			s.Owners = append(s.Owners, conflict.Writer)
		}
	}
	if c.path != nil && c.path.String() != s.Field {
		s.At = c.path.String()
	}
	return s
}

// claimsOf groups conflicts, which are sorted, by field, and finds them in the
// manifest.
func (s *session) claimsOf(conflicts []report.Conflict) []claim {
	var out []claim
	for _, c := range conflicts {
		if n := len(out); n > 0 && out[n-1].field() == c.Field {
			out[n-1].conflicts = append(out[n-1].conflicts, c)
			continue
		}
		out = append(out, claim{conflicts: []report.Conflict{c}})
	}
	paths := s.paths()
	for i := range out {
		c := &out[i]
		if c.path = paths[c.field()]; c.path == nil {
			c.path = s.causeOf(c.field())
		}
		s.locate(c)
	}
	return out
}

// paths are those of the manifest by the text that the server writes for them.
func (s *session) paths() map[string]fieldpath.Path {
	object, _ := s.body.decoded.(map[string]any)
	paths := map[string]fieldpath.Path{}
	for _, p := range s.shape.Paths(object) {
		if field := p.String(); paths[field] == nil {
			paths[field] = p.Copy()
		}
	}
	return paths
}

// accepted are the fields without a conflict that the manifest is to stop managing,
// sorted. Where the server refuses the apply for another reason, there are none.
func (s *session) accepted() []claim {
	if s.before.Outcome.Refused() && s.before.Outcome != report.Conflicted {
		return nil
	}
	var out []claim
	paths := s.paths()
	for _, field := range slices.Sorted(maps.Keys(s.decided)) {
		path := paths[field]
		if s.decided[field] != StopManaging || path == nil || conflictsAt(s.before, field) {
			continue
		}
		conflict := report.Conflict{Field: field, Source: s.write.Line(s.shape, path)}
		out = append(out, claim{conflicts: []report.Conflict{conflict}, path: path, accepted: true})
	}
	return out
}

// locate finds the line of a claim whose field the manifest has by another
// name.
func (s *session) locate(c *claim) {
	if c.path == nil || c.path.String() == c.field() {
		return
	}
	if source := s.write.Line(s.shape, c.path); source != nil {
		c.conflicts[0].Source = source
	}
}

// maxTried bounds how many fields of a manifest are tried as the cause of a
// conflict that is reported in the terms of another API version.
const maxTried = 200

// causeOf finds the field of the manifest without which a conflict is gone;
// nil when there is none.
func (s *session) causeOf(field string) fieldpath.Path {
	object, _ := s.body.decoded.(map[string]any)
	for i, leaf := range s.shape.Leaves(object) {
		if i == maxTried || s.ctx.Err() != nil {
			break
		}
		if managedfields.Untracked(leaf.Path) {
			continue
		}
		without, err := s.bodyWith(object, func(d *edit.Doc) error { return d.Remove(leaf.Path) })
		if err != nil {
			continue
		}
		r := s.simulate(without)
		if settled(r) && !conflictsAt(r, field) {
			return leaf.Path
		}
	}
	return nil
}

// settled reports whether the server got as far as looking for conflicts.
func settled(r report.Result) bool {
	return r.Outcome != report.Failed && r.Outcome != report.Invalid
}

func conflictsAt(r report.Result, field string) bool {
	for _, c := range r.Conflicts {
		if c.Field == field {
			return true
		}
	}
	return false
}
