package gotree

import (
	"reflect"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// ReadLike is Read for a value like another one, read of another tree; pointers of one type
// are given. Equal parts of the trees give values that share memory.
func ReadLike(tree map[string]any, into any, like map[string]any, of any) bool {
	s, at, ok := placeOf(into)
	other, from, known := placeOf(of)
	if !ok || !known || s != other {
		return false
	}
	s.value(at).Set(s.value(from))
	return s.change(tree, like, at)
}

// change makes what was read of one tree at a place what another one says.
func (s *shape) change(tree, like any, at place) bool {
	if same(tree, like) {
		return true
	}
	if tree != nil && like != nil {
		switch s.way {
		case structure:
			return s.changeFields(tree, like, at)
		case pointer:
			if from := pointed(at); from != nil {
				elem := s.newElem(at)
				s.elem.value(elem).Set(s.elem.value(from))
				return s.elem.change(tree, like, elem)
			}
		case list:
			return s.changeItems(tree, like, at)
		case dictionary:
			// Texts are read as quickly as they are compared.
			if !s.texts && s.value(at).Len() > 0 {
				return s.changeValues(tree, like, at)
			}
		case joined:
			if f := s.union.alike(tree, like); f != nil {
				return f.shape.change(tree, like, f.of(at))
			}
		}
	}
	s.value(at).SetZero()
	return s.read(tree, at)
}

func (s *shape) changeFields(tree, like any, at place) bool {
	values, ok := tree.(map[string]any)
	others, known := like.(map[string]any)
	if !ok || !known {
		return false
	}
	for name, value := range values {
		if f := s.byName[name]; f != nil && !f.shape.change(value, others[name], f.of(at)) {
			return false
		}
	}
	for name := range others {
		if _, has := values[name]; !has && s.byName[name] != nil {
			s.byName[name].shape.value(s.byName[name].of(at)).SetZero()
		}
	}
	return true
}

func (s *shape) changeItems(tree, like any, at place) bool {
	items, ok := tree.([]any)
	others, known := like.([]any)
	from, n := s.items(at)
	if !ok || !known || items == nil || n != len(others) {
		return false
	}
	first := s.makeItems(at, len(items))
	for i, item := range items {
		place, other := s.item(first, i), any(nil)
		if i < n {
			s.elem.value(place).Set(s.elem.value(s.item(from, i)))
			other = others[i]
		}
		if !s.elem.change(item, other, place) {
			return false
		}
	}
	return true
}

func (s *shape) changeValues(tree, like any, at place) bool {
	values, ok := tree.(map[string]any)
	others, known := like.(map[string]any)
	if !ok || !known || values == nil {
		return false
	}
	from, out := s.value(at), reflect.MakeMapWithSize(s.typ, len(values))
	key, value := reflect.New(s.typ.Key()), reflect.New(s.elem.typ)
	for name, item := range values {
		if !utf8.ValidString(name) {
			return false
		}
		key.Elem().SetString(name)
		other, has := others[name]
		if has {
			value.Elem().Set(from.MapIndex(key.Elem()))
		} else {
			value.Elem().SetZero()
		}
		if has && !s.elem.change(item, other, value.UnsafePointer()) || !has && !s.elem.read(item, value.UnsafePointer()) {
			return false
		}
		out.SetMapIndex(key.Elem(), value.Elem())
	}
	s.value(at).Set(out)
	return true
}

// same reports whether two trees are one: the same map, the same list, or equal leaves.
func same(a, b any) bool {
	switch a.(type) {
	case string, bool, int64, nil:
		return a == b
	}
	return jsontree.Same(a, b)
}
