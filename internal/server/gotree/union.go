package gotree

import (
	"reflect"
	"sync"
)

// Union names the fields of a struct that JSON writes as one of them: an object, which is
// a pointer, or else a list of some length, or a flag. A field that it has not is "".
type Union struct{ Object, List, Flag string }

var joins sync.Map // of reflect.Type to Union

// Joins says that values of T, which read and write themselves, do so as a union does.
// Nothing else that they do may count. It is said before a type that holds T is asked about.
func Joins[T any](u Union) { joins.Store(reflect.TypeFor[T](), u) }

// union is what is known of a Union. A field that it has not is nil.
type union struct {
	object, list, flag *field
}

// unionOf is what is known of a type; nil for any that is no union.
func unionOf(t reflect.Type, made map[reflect.Type]*shape) *union {
	said, ok := joins.Load(t)
	if !ok {
		return nil
	}
	fieldOf := func(name string) *field {
		f, ok := t.FieldByName(name)
		if !ok {
			return nil
		}
		return &field{offset: f.Offset, shape: makeShape(f.Type, made)}
	}
	u := said.(Union)
	return &union{object: fieldOf(u.Object), list: fieldOf(u.List), flag: fieldOf(u.Flag)}
}

func (u *union) held(at place) *field {
	switch {
	case u.list != nil && !u.list.shape.empty(u.list.of(at)):
		return u.list
	case u.flag != nil && pointed(u.object.of(at)) == nil:
		return u.flag
	}
	return u.object
}

// alike is the field that is set of both of two trees; nil where that is not sure.
func (u *union) alike(a, b any) *field {
	switch a.(type) {
	case map[string]any:
		if _, ok := b.(map[string]any); ok {
			return u.object
		}
	case []any:
		if _, ok := b.([]any); ok {
			return u.list
		}
	}
	return nil
}

// readUnion sets the field that a tree is of. Upstream takes other trees for none, or
// refuses them.
func (s *shape) readUnion(tree any, at place) bool {
	u := s.union
	switch is := tree.(type) {
	case map[string]any:
		if u.flag != nil {
			*boolAt(u.flag.of(at)) = true
		}
		return u.object.shape.read(is, u.object.of(at))
	case []any:
		if u.list != nil {
			return u.list.shape.read(is, u.list.of(at))
		}
	case bool:
		if u.flag != nil {
			*boolAt(u.flag.of(at)) = is
			return true
		}
	}
	return s.readOwn(tree, at)
}
