package fastapply

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// elementOf is the path element of an item of an associative list
// (structured-merge-diff, typed/helpers.go); false where the item has none, or
// one that is not worth the trouble.
func elementOf(schema *smdschema.Schema, list *smdschema.List, item any) (fieldpath.PathElement, bool) {
	if len(list.Keys) == 0 {
		if !scalar(item) {
			return fieldpath.PathElement{}, false
		}
		v := value.NewValueInterface(item)
		return fieldpath.PathElement{Value: &v}, true
	}
	object, ok := item.(map[string]any)
	if !ok {
		return fieldpath.PathElement{}, false
	}
	keys := make(value.FieldList, 0, len(list.Keys))
	for _, name := range list.Keys {
		v, has := object[name]
		if !has {
			v = keyDefault(schema, list, name)
		}
		if !scalar(v) {
			return fieldpath.PathElement{}, false
		}
		keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(v)})
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, true
}

// maxElements bounds lists whose items are compared pair by pair.
const maxElements = 256

// elementsOf are the path elements of all items; false as well where they are
// too many.
func elementsOf(schema *smdschema.Schema, list *smdschema.List, items []any) ([]fieldpath.PathElement, bool) {
	if len(items) > maxElements {
		return nil, false
	}
	elements := make([]fieldpath.PathElement, 0, len(items))
	for _, item := range items {
		element, ok := elementOf(schema, list, item)
		if !ok {
			return nil, false
		}
		elements = append(elements, element)
	}
	return elements, true
}

// index is where an element is first; -1 where it is not.
func index(elements []fieldpath.PathElement, element fieldpath.PathElement) int {
	return slices.IndexFunc(elements, element.Equals)
}

func keyDefault(schema *smdschema.Schema, list *smdschema.List, name string) any {
	atom, ok := schema.Resolve(list.ElementType)
	if !ok || atom.Map == nil {
		return nil
	}
	field, _ := atom.Map.FindField(name)
	return field.Default
}
