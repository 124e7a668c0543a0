package fastapply

import (
	"slices"

	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// conforms reports whether an object is surely valid for its merge type, as
// typed.AsTyped checks it with duplicates allowed (structured-merge-diff,
// typed/validate.go). metadata.managedFields is left out: its entries are
// checked on their own.
func conforms(schema *smdschema.Schema, root *smdschema.Map, object map[string]any) bool {
	c := conformance{schema: schema}
	return c.fields(root, object, func(key string) bool { return key == "metadata" }) && c.metadata(root, object)
}

type conformance struct {
	schema *smdschema.Schema
	// distinct refuses lists that repeat an element.
	distinct bool
}

func (c conformance) metadata(root *smdschema.Map, object map[string]any) bool {
	field, ok := root.FindField("metadata")
	metadata, isMap := object["metadata"].(map[string]any)
	if !ok || !isMap {
		return false
	}
	atom, ok := c.schema.Resolve(field.Type)
	return ok && atom.Map != nil && c.fields(atom.Map, metadata, func(key string) bool { return key == "managedFields" })
}

func (c conformance) fields(m *smdschema.Map, object map[string]any, passOver func(string) bool) bool {
	for key, value := range object {
		if passOver != nil && passOver(key) {
			continue
		}
		ref := m.ElementType
		if field, ok := m.FindField(key); ok {
			ref = field.Type
		} else if ref == (smdschema.TypeRef{}) {
			return false
		}
		if !c.value(ref, value) {
			return false
		}
	}
	return true
}

func (c conformance) value(ref smdschema.TypeRef, v any) bool {
	atom, ok := c.schema.Resolve(ref)
	if !ok {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		return atom.Map != nil && c.fields(atom.Map, v, nil)
	case []any:
		return atom.List != nil && c.items(atom.List, v)
	case nil:
		// Null is a valid map or list; a scalar may be null as well.
		return atom.Map != nil || atom.List != nil || atom.Scalar != nil
	}
	return atom.Scalar != nil && ofScalar(*atom.Scalar, v)
}

func (c conformance) items(list *smdschema.List, items []any) bool {
	if c.distinct && list.ElementRelationship == smdschema.Associative && !c.different(list, items) {
		return false
	}
	for _, item := range items {
		if list.ElementRelationship == smdschema.Associative && !c.keyed(list, item) {
			return false
		}
		if !c.value(list.ElementType, item) {
			return false
		}
	}
	return true
}

// different reports whether no two items have the same path element.
func (c conformance) different(list *smdschema.List, items []any) bool {
	elements, ok := elementsOf(c.schema, list, items)
	for i, element := range elements {
		ok = ok && !slices.Contains(elements[:i], element)
	}
	return ok
}

// keyed reports whether an item has a path element.
func (c conformance) keyed(list *smdschema.List, item any) bool {
	if len(list.Keys) == 0 {
		return scalar(item)
	}
	object, ok := item.(map[string]any)
	if !ok {
		return false
	}
	for _, name := range list.Keys {
		if _, has := object[name]; has || keyDefault(c.schema, list, name) != nil {
			return true
		}
	}
	return false
}

func ofScalar(kind smdschema.Scalar, v any) bool {
	switch kind {
	case smdschema.Numeric:
		_, isInt := v.(int64)
		_, isFloat := v.(float64)
		return isInt || isFloat
	case smdschema.String:
		_, ok := v.(string)
		return ok
	case smdschema.Boolean:
		_, ok := v.(bool)
		return ok
	}
	return kind == "untyped"
}
