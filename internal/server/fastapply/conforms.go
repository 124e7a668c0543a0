package fastapply

import (
	"slices"

	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// conforms reports whether an object is surely valid for its merge type, as
// typed.AsTyped checks it with duplicates allowed (structured-merge-diff,
// typed/validate.go).
func conforms(t *mergeType, object map[string]any) bool {
	return conformance{}.value(t, object)
}

type conformance struct {
	// distinct refuses lists that repeat an element.
	distinct bool
}

func (c conformance) fields(t *mergeType, object map[string]any) bool {
	for key, value := range object {
		if field, _ := t.field(key); !c.value(field, value) {
			return false
		}
	}
	return true
}

func (c conformance) value(t *mergeType, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return t.Map != nil && c.fields(t, v)
	case []any:
		return t.List != nil && c.items(t, v)
	case nil:
		// Null is a valid map or list; a scalar may be null as well.
		return t.Map != nil || t.List != nil || t.Scalar != nil
	}
	return t.Scalar != nil && ofScalar(*t.Scalar, v)
}

func (c conformance) items(list *mergeType, items []any) bool {
	associative := list.List.ElementRelationship == smdschema.Associative
	if c.distinct && associative && !c.different(list, items) {
		return false
	}
	for _, item := range items {
		if associative && !c.keyed(list, item) || !c.value(list.item(), item) {
			return false
		}
	}
	return true
}

// different reports whether no two items have the same path element.
func (c conformance) different(list *mergeType, items []any) bool {
	var few [fewElements]element
	elements, ok := elementsOf(list, items, few[:0])
	for i, element := range elements {
		ok = ok && !slices.Contains(elements[:i], element)
	}
	return ok
}

// keyed reports whether an item has a path element.
func (c conformance) keyed(list *mergeType, item any) bool {
	if len(list.keys) == 0 {
		return scalar(item)
	}
	object, ok := item.(map[string]any)
	if !ok {
		return false
	}
	for _, name := range list.keys {
		if _, has := object[name]; has || list.keyDefault(name) != nil {
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
