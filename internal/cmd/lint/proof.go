package lint

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// maxTries is how many edits of one manifest are applied to find out whether they hold.
const maxTries = 50

// holds reports whether the server takes an edited manifest: it refuses nothing but what it
// refuses of the manifest as it was.
func (s *subject) holds(edited map[string]any, was []report.Cause) bool {
	if s.Try == nil {
		return true
	}
	if s.tries++; s.tries > maxTries {
		return false
	}
	r := s.Try(edited)
	isNew := func(c report.Cause) bool {
		return !slices.ContainsFunc(was, func(w report.Cause) bool { return w.Field == c.Field && w.Message == c.Message })
	}
	return !r.Outcome.Refused() || len(r.Causes) > 0 && !slices.ContainsFunc(r.Causes, isNew)
}

// written is the manifest with another value of a field, and without the field.
func (s *subject) written(path fieldpath.Path, v any) map[string]any {
	out, _ := fieldtree.With(s.Shape, s.Object, path, v).(map[string]any)
	return out
}

func (s *subject) without(path fieldpath.Path) map[string]any {
	out, _ := fieldtree.Without(s.Shape, s.Object, path)
	object, _ := out.(map[string]any)
	return object
}

// writing is the fix by which a field gets the value that is stored: none where the server
// would not take that.
func (s *subject) writing(path fieldpath.Path, stored any, says text.Text) text.Text {
	if s.holds(s.written(path, stored), s.Result.Causes) {
		return says
	}
	return s.dropping(path)
}

// dropping is the fix by which a field leaves the manifest: none where the server would not
// take that.
func (s *subject) dropping(path fieldpath.Path) text.Text {
	if s.holds(s.without(path), s.Result.Causes) {
		return text.New("take it out of the manifest")
	}
	return noFix
}

// noFix stands for a fix that is not known: nothing is advised.
var noFix = text.New("%v", text.Name(""))

// movable are the fields among those that an unknown one may mean to which its value can go:
// the server takes the manifest then.
func (s *subject) movable(c report.Cause) []string {
	path := s.pathOf(c.Field)
	if s.Try == nil {
		return c.Nearest
	}
	if path == nil {
		return nil
	}
	values := s.Shape.Lookup(s.Object, path)
	if len(values) != 1 {
		return nil
	}
	// The other unknown fields would hide what else is refused.
	bare := s.without(path)
	for _, other := range s.Result.Causes {
		if at := s.pathOf(other.Field); at != nil && causes.KindOf(other) == causes.Unknown {
			out, _ := fieldtree.Without(s.Shape, bare, at)
			bare, _ = out.(map[string]any)
		}
	}
	rest := s.Try(bare).Causes
	var out []string
	for _, name := range c.Nearest {
		to := beside(path, name)
		if to == nil || s.Shape.Has(bare, to) {
			continue
		}
		if edited, _ := fieldtree.With(s.Shape, bare, to, values[0]).(map[string]any); s.holds(edited, rest) {
			out = append(out, name)
		}
	}
	return out
}

// beside is the path of a field that is named, in one of the parents of another.
func beside(path fieldpath.Path, name string) fieldpath.Path {
	for n := len(path) - 1; n >= 0; n-- {
		if rest, is := strings.CutPrefix("."+strings.TrimPrefix(name, "."), path[:n].String()+"."); is {
			return append(slices.Clone(path[:n]), at(strings.Split(rest, ".")...)...)
		}
	}
	return nil
}

// pathOf is the path of a field that the manifest has, by its text: with the keys of items,
// or their places. It is nil for none.
func (s *subject) pathOf(field string) fieldpath.Path {
	if field == "" {
		return nil
	}
	if s.paths == nil {
		s.paths = map[string]fieldpath.Path{}
		for _, leaf := range s.Shape.Leaves(s.Object) {
			for n := range len(leaf.Path) {
				path := leaf.Path[:n+1]
				s.paths[path.String()] = path
				if places, whole := (*managedfields.Finder)(nil).Positions(s.Shape, s.Object, path); whole {
					s.paths[places.String()] = path
				}
			}
		}
	}
	return s.paths["."+strings.TrimPrefix(field, ".")]
}
