package fastapply

import (
	"slices"
	"sync"

	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// mergeType is a type of a merge schema, as it is at one place of an object. What the
// schema says of it is looked up once, when the first object has something there.
type mergeType struct {
	schema *smdschema.Schema
	ref    smdschema.TypeRef
	// byDefault is the default of a key of a list; nil for none.
	byDefault any

	once sync.Once
	smdschema.Atom
	// fields are the types of the fields of a map, and values that of all others.
	fields map[string]*mergeType
	values *mergeType
	// items is the type of the items of a list, and keys are theirs, sorted; none in a set.
	items *mergeType
	keys  []string
}

// mergeTypeOf is the type of the objects of a kind.
func mergeTypeOf(merge typed.ParseableType) *mergeType {
	return &mergeType{schema: merge.Schema, ref: merge.TypeRef}
}

// known is the type with what the schema says of it: nothing, where it does not know it.
func (t *mergeType) known() *mergeType {
	t.once.Do(t.look)
	return t
}

func (t *mergeType) look() {
	t.Atom, _ = t.schema.Resolve(t.ref)
	if t.List != nil {
		t.items = t.of(t.List.ElementType)
		t.keys = slices.Sorted(slices.Values(t.List.Keys))
	}
	if t.Map != nil {
		t.values = t.of(t.Map.ElementType)
		t.fields = make(map[string]*mergeType, len(t.Map.Fields))
		for _, f := range t.Map.Fields {
			field := t.of(f.Type)
			field.byDefault = f.Default
			t.fields[f.Name] = field
		}
	}
}

func (t *mergeType) of(ref smdschema.TypeRef) *mergeType {
	return &mergeType{schema: t.schema, ref: ref}
}

// field is the type of what a map has below a key, and whether that is declared.
func (t *mergeType) field(key string) (field *mergeType, declared bool) {
	if field, declared = t.fields[key]; !declared {
		field = t.values
	}
	return field.known(), declared
}

// one reports whether only maps, only lists, or only scalars are valid.
func (t *mergeType) one() bool {
	n := 0
	for _, is := range []bool{t.Map != nil, t.List != nil, t.Scalar != nil} {
		if is {
			n++
		}
	}
	return n == 1
}

func (t *mergeType) item() *mergeType { return t.items.known() }

// keyDefault is the default of a key of a list; nil for none.
func (t *mergeType) keyDefault(name string) any {
	if field := t.item().fields[name]; field != nil {
		return field.byDefault
	}
	return nil
}

// byField reports whether the items of a list are merged field by field.
func (t *mergeType) byField() bool {
	item := t.item()
	return item.Map != nil && item.Map.ElementRelationship != smdschema.Atomic
}

// conforms reports whether an object is surely valid for its merge type, as typed.AsTyped
// checks it with duplicates allowed (structured-merge-diff, typed/validate.go).
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
