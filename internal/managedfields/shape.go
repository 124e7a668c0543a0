package managedfields

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Shape is one type of a merge schema: how a value is cut into fields. The zero Shape, of
// an unknown type, makes each key of a map a field, and a list one field.
type Shape struct {
	schema *schema.Schema
	atom   schema.Atom
}

// ShapeOf gives the shape of a kind. A type without a schema has the zero Shape.
func ShapeOf(t typed.ParseableType) Shape { return shapeOf(t.Schema, t.TypeRef) }

func shapeOf(s *schema.Schema, ref schema.TypeRef) Shape {
	if s == nil {
		return Shape{}
	}
	atom, ok := s.Resolve(ref)
	if !ok {
		return Shape{}
	}
	return Shape{schema: s, atom: atom}
}

// Field is the shape of a map's value under name.
func (s Shape) Field(name string) Shape {
	if s.atom.Map == nil {
		return Shape{}
	}
	if f, ok := s.atom.Map.FindField(name); ok {
		return shapeOf(s.schema, f.Type)
	}
	return shapeOf(s.schema, s.atom.Map.ElementType)
}

// Names are the fields that the schema names in a map of this shape, sorted.
func (s Shape) Names() []string {
	if s.atom.Map == nil {
		return nil
	}
	var names []string
	for _, f := range s.atom.Map.Fields {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names
}

// Item is the shape of a list's items.
func (s Shape) Item() Shape {
	if s.atom.List == nil {
		return Shape{}
	}
	return shapeOf(s.schema, s.atom.List.ElementType)
}

// Child is the shape of what a path element selects.
func (s Shape) Child(pe fieldpath.PathElement) Shape {
	if pe.FieldName != nil {
		return s.Field(*pe.FieldName)
	}
	return s.Item()
}

// AtomicMap reports whether a map of this shape is one field.
func (s Shape) AtomicMap() bool {
	return s.atom.Map != nil && s.atom.Map.ElementRelationship == schema.Atomic
}

// AtomicList reports whether a list of this shape is one field. Without a schema it
// is not known to be.
func (s Shape) AtomicList() bool {
	return s.atom.List != nil && s.atom.List.ElementRelationship != schema.Associative
}

// Open reports whether a map of this shape has keys that the schema does not
// name: labels, not a structure with fields. Without a schema nothing is open.
func (s Shape) Open() bool {
	return s.atom.Map != nil && len(s.atom.Map.Fields) == 0
}

// Scalar reports whether the schema knows a value of this shape to be neither a
// map nor a list.
func (s Shape) Scalar() bool {
	return s.atom.Scalar != nil && s.atom.Map == nil && s.atom.List == nil
}

// Is reports whether this is the scalar type that the schema has by that name.
func (s Shape) Is(name string) bool {
	if s.schema == nil || s.atom.Scalar == nil {
		return false
	}
	def, ok := s.schema.FindNamedType(name)
	return ok && def.Scalar == s.atom.Scalar
}

// Associative reports whether the items of a list of this shape are fields of
// their own: a keyed list, or a set.
func (s Shape) Associative() bool {
	return s.atom.List != nil && s.atom.List.ElementRelationship == schema.Associative
}

// Keys are the fields that identify an item of a keyed list; nil for any other list.
func (s Shape) Keys() []string {
	if !s.Associative() {
		return nil
	}
	return s.atom.List.Keys
}

// Element is the path element of an item of an associative list. It is false
// where the item can have none: no key at all in a keyed list, a map or list
// in a set. As in the server, a key that the item lacks takes its default
// from the schema, or else is left out of the element.
func (s Shape) Element(item any) (fieldpath.PathElement, bool) {
	if !s.Associative() {
		return fieldpath.PathElement{}, false
	}
	if len(s.atom.List.Keys) == 0 {
		if item == nil || Composite(item) {
			return fieldpath.PathElement{}, false
		}
		v := value.NewValueInterface(item)
		return fieldpath.PathElement{Value: &v}, true
	}
	m, ok := item.(map[string]any)
	if !ok {
		return fieldpath.PathElement{}, false
	}
	var fields value.FieldList
	for _, key := range s.atom.List.Keys {
		v, ok := m[key]
		if !ok {
			v = s.keyDefault(key)
		}
		if ok || v != nil {
			fields = append(fields, value.Field{Name: key, Value: value.NewValueInterface(v)})
		}
	}
	fields.Sort()
	return fieldpath.PathElement{Key: &fields}, len(fields) > 0
}

func (s Shape) keyDefault(key string) any {
	item := s.Item()
	if item.atom.Map == nil {
		return nil
	}
	f, _ := item.atom.Map.FindField(key)
	return f.Default
}
