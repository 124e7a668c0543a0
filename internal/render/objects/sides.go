package objects

import "github.com/ssactl/ssactl/internal/jsontree"

// sides cuts two objects into parts side by side: what is one in both is cut once.
type sides struct{ old, new composer }

func newSides() *sides {
	leaves := newLeaves()
	return &sides{composer{leaves: leaves}, composer{leaves: leaves}}
}

func (s *sides) strange() bool { return s.old.strange || s.new.strange }

// shared cuts what both have.
func (s *sides) shared(cut func(*composer)) {
	from := len(s.old.parts)
	cut(&s.old)
	s.new.parts = append(s.new.parts, s.old.parts[from:]...)
}

func (s *sides) fields(indent int, old, new map[string]any) {
	if jsontree.Same(old, new) {
		s.shared(func(c *composer) { c.fields(indent, old) })
		return
	}
	was, is := keysOf(old), keysOf(new)
	for len(was)+len(is) > 0 && !s.strange() {
		switch {
		case len(was) > 0 && !has(new, was[0]):
			s.old.field(indent, was[0], old[was[0]])
			was = was[1:]
		case len(is) > 0 && !has(old, is[0]):
			s.new.field(indent, is[0], new[is[0]])
			is = is[1:]
		case len(was) > 0 && len(is) > 0 && was[0] == is[0]:
			s.field(indent, was[0], old[was[0]], new[is[0]])
			was, is = was[1:], is[1:]
		default:
			// The encoder sorts the same keys in two ways.
			s.old.strange = true
		}
	}
}

func has(fields map[string]any, key string) bool {
	_, has := fields[key]
	return has
}

func (s *sides) field(indent int, key string, old, new any) {
	if !bothOpen(old, new) {
		s.old.field(indent, key, old)
		s.new.field(indent, key, new)
		return
	}
	s.shared(func(c *composer) { c.add(leaf{indent: indent, key: key, value: opens{}}) })
	s.below(indent+step, indent, old, new)
}

// bothOpen reports whether both are maps, or lists of one length, with something in them.
func bothOpen(old, new any) bool {
	switch old := old.(type) {
	case map[string]any:
		new, ok := new.(map[string]any)
		return ok && len(old) > 0 && len(new) > 0
	case []any:
		new, ok := new.([]any)
		return ok && len(old) > 0 && len(new) == len(old)
	}
	return false
}

// below cuts what is in open maps and lists, each at its indentation.
func (s *sides) below(fields, items int, old, new any) {
	switch old := old.(type) {
	case map[string]any:
		s.fields(fields, old, new.(map[string]any))
	case []any:
		s.items(items, old, new.([]any))
	}
}

func (s *sides) items(indent int, old, new []any) {
	if jsontree.Same(old, new) {
		s.shared(func(c *composer) { c.items(indent, old) })
		return
	}
	for i := range old {
		if !bothOpen(old[i], new[i]) {
			s.old.item(indent, old[i])
			s.new.item(indent, new[i])
			continue
		}
		was, is := len(s.old.parts), len(s.new.parts)
		s.below(indent+step, indent+step, old[i], new[i])
		if !s.strange() {
			s.old.begin(was)
			s.new.begin(is)
		}
	}
}
