package jsontree

import (
	"maps"
	"math"
	"slices"
	"unsafe"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Equal reports whether a text is surely the tree's: equal keys, values and kinds
// of numbers, in any order of keys. The text must not repeat a key within an
// object, which no encoder does.
func Equal(text []byte, tree any) bool {
	c := comparer{scan.Bytes(text, maxDepth)}
	return c.value(tree) && c.Done()
}

// comparer compares as it reads. Its methods are false where it stops.
type comparer struct{ *scan.Scanner }

func (c comparer) value(tree any) bool {
	switch first := c.Next(); first {
	case '{':
		object, ok := tree.(map[string]any)
		return ok && c.members(object)
	case '[':
		list, ok := tree.([]any)
		return ok && c.elements(list)
	case '"':
		want, ok := tree.(string)
		return ok && string(c.Text()) == want && c.Err() == nil
	case 't', 'f', 'n':
		return constant(c.Scanner, first) == tree && c.Err() == nil
	}
	return number(c.Scanner) == tree && c.Err() == nil
}

func (c comparer) members(object map[string]any) bool {
	seen := 0
	for more := c.Begin('}'); more; more = c.More('}') {
		value, ok := object[string(c.Key())]
		if !ok || c.Err() != nil || !c.value(value) {
			return false
		}
		seen++
	}
	return c.Err() == nil && seen == len(object)
}

func (c comparer) elements(list []any) bool {
	seen := 0
	for more := c.Begin(']'); more; more = c.More(']') {
		if seen == len(list) || !c.value(list[seen]) {
			return false
		}
		seen++
	}
	return c.Err() == nil && seen == len(list)
}

// Same reports whether two maps are one map, or two lists one list: then nothing in them
// differs.
func Same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && *(*unsafe.Pointer)(unsafe.Pointer(&a)) == *(*unsafe.Pointer)(unsafe.Pointer(&b))
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
	}
	return false
}

// Share gives a tree that is equal to another one, and has what is equal in a third one
// at the same place from there. Items of lists are at the same place where their numbers
// are. No tree is changed.
func Share(tree, like any) any {
	out, _ := new(sharer).share(tree, like)
	return out
}

// sharer knows what is to be put into the maps that it is in.
type sharer struct{ shared []member }

type member struct {
	key   string
	value any
}

// share gives the tree, and reports whether it is all of the other one.
func (s *sharer) share(tree, like any) (any, bool) {
	switch is := tree.(type) {
	case map[string]any:
		like, ok := like.(map[string]any)
		if !ok || is == nil || like == nil {
			return tree, false
		}
		return s.members(is, like)
	case []any:
		like, ok := like.([]any)
		if !ok || is == nil || like == nil {
			return tree, false
		}
		return s.items(is, like)
	case string, bool, int64, nil:
		return tree, tree == like
	case float64:
		other, ok := like.(float64)
		return tree, ok && math.Float64bits(is) == math.Float64bits(other)
	}
	return tree, false
}

func (s *sharer) members(is, like map[string]any) (any, bool) {
	if Same(is, like) {
		return like, true
	}
	all, from := len(is) == len(like), len(s.shared)
	for key, value := range is {
		other, has := like[key]
		if !has {
			all = false
			continue
		}
		shared, same := s.share(value, other)
		all = all && same
		s.shared = append(s.shared, member{key, shared})
	}
	replaced := s.shared[from:]
	s.shared = s.shared[:from]
	if all {
		return like, true
	}
	if len(replaced) == 0 {
		return is, false
	}
	out := maps.Clone(is)
	for _, m := range replaced {
		out[m.key] = m.value
	}
	return out, false
}

func (s *sharer) items(is, like []any) (any, bool) {
	if Same(is, like) {
		return like, true
	}
	all, out := len(is) == len(like), slices.Clone(is)
	for i := range min(len(is), len(like)) {
		var same bool
		out[i], same = s.share(is[i], like[i])
		all = all && same
	}
	if all {
		return like, true
	}
	return out, false
}
