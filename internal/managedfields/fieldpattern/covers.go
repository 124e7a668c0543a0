package fieldpattern

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Relation is how a pattern and a field path stand to each other.
type Relation int

// The relations, from nothing to everything.
const (
	// Apart: the pattern is about other fields.
	Apart Relation = iota
	// Inside: the pattern is about something below the path.
	Inside
	// Covers: the path is what the pattern says, or below it.
	Covers
)

// To gives the relation of the pattern to a path. A star in a name stands for any
// text of one key, and the name ** for any number of keys and items: such a pattern
// is inside of no path. A name in brackets and quotes stands for itself.
//
//	.spec                                covers .spec.replicas
//	.spec.replicas                       is inside of .spec
//	.metadata.labels.app.kubernetes.io/* covers .metadata.labels.app.kubernetes.io/name
//	.**.caBundle                         covers .webhooks[name="a"].clientConfig.caBundle
func (p Pattern) To(path fieldpath.Path) Relation {
	if len(p) == 0 {
		return Covers
	}
	return relation(p[0].Names, p, path)
}

// relation is that of a pattern with only these names left of its first segment.
func relation(names string, p Pattern, path fieldpath.Path) Relation {
	switch first := p[0]; {
	case len(path) == 0:
		return Inside
	case first.Item != nil && first.Item.selects(path[0]):
		return next(p, path[1:])
	case first.Item != nil:
		return Apart
	case first.Quoted && path[0].FieldName != nil && *path[0].FieldName == names[1:]:
		return next(p, path[1:])
	case first.Quoted:
		return Apart
	case names == ".**" || strings.HasPrefix(names, ".**."):
		return anywhere(strings.TrimPrefix(names, ".**"), p, path)
	case path[0].FieldName == nil:
		return Apart
	}
	return byName(names, p, path)
}

func next(p Pattern, path fieldpath.Path) Relation { return p[1:].To(path) }

// byName tries the names that the key at the start of the path may be: .a.b is the
// key a.b, or b below a.
func byName(names string, p Pattern, path fieldpath.Path) Relation {
	best := Apart
	for end := 1; end <= len(names); end++ {
		if end < len(names) && names[end] != '.' || !Glob(names[1:end], *path[0].FieldName) {
			continue
		}
		if end == len(names) {
			best = max(best, next(p, path[1:]))
		} else {
			best = max(best, relation(names[end:], p, path[1:]))
		}
	}
	return best
}

// anywhere tries the rest of a pattern at every place of the path.
func anywhere(names string, p Pattern, path fieldpath.Path) Relation {
	for i := range path {
		var r Relation
		if names == "" {
			r = next(p, path[i:])
		} else {
			r = relation(names, p, path[i:])
		}
		if r == Covers {
			return Covers
		}
	}
	return Apart
}

// selects reports whether a path element is of an item that is selected. Keys that
// the selector does not have may be anything.
func (s *Selector) selects(pe fieldpath.PathElement) bool {
	switch {
	case pe.FieldName != nil:
		return false
	case s.Kind == ByAll:
		return true
	case s.Kind == ByIndex:
		return pe.Index != nil && *pe.Index == s.Index
	case s.Kind == ByValue:
		return pe.Value != nil && same((*pe.Value).Unstructured(), s.Value)
	case pe.Key == nil:
		return false
	}
	met := 0
	for _, f := range *pe.Key {
		if want, asked := s.Keys[f.Name]; asked {
			if !same(f.Value.Unstructured(), want) {
				return false
			}
			met++
		}
	}
	return met == len(s.Keys)
}

// Glob compares a text with a pattern in which * stands for any text, and everything
// else for itself.
func Glob(pattern, s string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		at := strings.Index(s, part)
		if at < 0 {
			return false
		}
		s = s[at+len(part):]
	}
	return strings.HasSuffix(s, last)
}
