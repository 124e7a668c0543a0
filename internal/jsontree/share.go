package jsontree

import (
	"maps"
	"math"
	"slices"
)

// Share gives a tree that is equal to another one, and has what is equal in a third one
// at the same place from there. Items of lists are at the same place where their numbers
// are. No tree is changed.
func Share(tree, like any) any {
	var s sharer
	out, _ := s.share(tree, like)
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
