package gotree

import "reflect"

// union is a struct that JSON writes as one of its fields: an object, which is a
// pointer, or else a list of some length, or a flag. A field that it has not is nil.
type union struct {
	object, list, flag *field
}

// unions are those of custom resource definitions (apiextensions, v1/marshal.go), by
// the names of their fields. As schemas hold each other through them, at any depth,
// going by their text would mean reading the innermost as often as it is deep.
var unions = map[string][3]string{
	"JSONSchemaPropsOrArray":       {"Schema", "JSONSchemas", ""},
	"JSONSchemaPropsOrStringArray": {"Schema", "Property", ""},
	"JSONSchemaPropsOrBool":        {"Schema", "", "Allows"},
}

const unionsPath = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

// unionOf is what is known of a type; nil for any that is no union.
func unionOf(t reflect.Type, made map[reflect.Type]*shape) *union {
	names, ok := unions[t.Name()]
	if !ok || t.PkgPath() != unionsPath {
		return nil
	}
	fieldOf := func(name string) *field {
		f, ok := t.FieldByName(name)
		if !ok {
			return nil
		}
		return &field{offset: f.Offset, shape: makeShape(f.Type, made)}
	}
	return &union{object: fieldOf(names[0]), list: fieldOf(names[1]), flag: fieldOf(names[2])}
}

// held is the field that JSON writes.
func (u *union) held(at place) *field {
	switch {
	case u.list != nil && !u.list.shape.empty(u.list.of(at)):
		return u.list
	case u.flag != nil && pointed(u.object.of(at)) == nil:
		return u.flag
	}
	return u.object
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
