package objects

import "github.com/ssactl/ssactl/internal/jsontree"

var (
	inBoth  = [2]bool{true, true}
	inFirst = [2]bool{true, false}
	inOther = [2]bool{false, true}
)

// sides lays two objects side by side: what is one in both is one row, and not cut.
type sides struct {
	cutter
	rows []row
}

// below adds what is in open maps and lists, each at its indentation.
func (s *sides) below(fields, items int, old, new any) {
	if isOpen(old) && jsontree.Same(old, new) {
		indent := items
		if _, ok := old.(map[string]any); ok {
			indent = fields
		}
		s.rows = append(s.rows, row{leaf: leaf{indent: indent, value: old}, in: inBoth})
		return
	}
	switch old := old.(type) {
	case map[string]any:
		s.fields(fields, old, new.(map[string]any))
	case []any:
		s.items(items, old, new.([]any))
	}
}

func (s *sides) fields(indent int, old, new map[string]any) {
	was, is := keysOf(old), keysOf(new)
	for len(was)+len(is) > 0 && !s.strange {
		switch {
		case len(was) > 0 && !has(new, was[0]):
			s.rows = s.cutter.field(s.rows, inFirst, indent, was[0], old[was[0]])
			was = was[1:]
		case len(is) > 0 && !has(old, is[0]):
			s.rows = s.cutter.field(s.rows, inOther, indent, is[0], new[is[0]])
			is = is[1:]
		case len(was) > 0 && len(is) > 0 && was[0] == is[0]:
			s.field(indent, was[0], old[was[0]], new[is[0]])
			was, is = was[1:], is[1:]
		default:
			// The encoder sorts the same keys in two ways.
			s.strange = true
		}
	}
}

func has(fields map[string]any, key string) bool {
	_, has := fields[key]
	return has
}

func (s *sides) field(indent int, key string, old, new any) {
	switch {
	case bothOpen(old, new):
		s.rows = append(s.rows, row{leaf: leaf{indent: indent, key: key, value: opens{}}, in: inBoth})
		s.below(indent+step, indent, old, new)
	case alike(old, new):
		s.rows = s.cutter.field(s.rows, inBoth, indent, key, old)
	default:
		s.rows = s.cutter.field(s.rows, inFirst, indent, key, old)
		s.rows = s.cutter.field(s.rows, inOther, indent, key, new)
	}
}

// alike reports whether two values are one scalar, or both empty maps or lists.
func alike(old, new any) bool {
	switch old := old.(type) {
	case nil, bool, int64, float64, string:
		return old == new
	case map[string]any:
		new, ok := new.(map[string]any)
		return ok && old != nil && new != nil && len(old)+len(new) == 0
	case []any:
		new, ok := new.([]any)
		return ok && old != nil && new != nil && len(old)+len(new) == 0
	}
	return false
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

func (s *sides) items(indent int, old, new []any) {
	for i := range old {
		first := len(s.rows)
		switch {
		case bothOpen(old[i], new[i]):
			s.below(indent+step, indent+step, old[i], new[i])
			s.beginItem(first)
		case alike(old[i], new[i]):
			s.rows = s.cutter.item(s.rows, inBoth, indent, old[i])
		default:
			s.rows = s.cutter.item(s.rows, inFirst, indent, old[i])
			s.rows = s.cutter.item(s.rows, inOther, indent, new[i])
		}
	}
}

// beginItem is begin for the rows of an item: it puts a dash before the first that each
// object has.
func (s *sides) beginItem(first int) {
	for i := range inBoth {
		for n := first; n < len(s.rows); n++ {
			if s.rows[n].in[i] {
				s.rows[n].dashes[i]++
				break
			}
		}
	}
}
