package apiserver

import (
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// ownedPaths are the field paths of an applied configuration, as ToFieldSet
// would give them (structured-merge-diff, typed/tofieldset.go), in the order of
// the walk.
type ownedPaths []fieldpath.Path

// contained tells whether merging the configuration into the live object gives
// the live object, and whether both are of the kind's type. On the way it
// collects the paths that the manager would own.
func (p *proof) contained(merge typed.ParseableType) bool {
	w := containment{schema: merge.Schema}
	atom, ok := merge.Schema.Resolve(merge.TypeRef)
	if !ok || atom.Map == nil || !w.fields(atom.Map, p.config, p.live, nil) {
		return false
	}
	p.owned = w.owned
	return conforms(merge.Schema, atom.Map, p.live)
}

// containment walks two trees of one type side by side. Its methods are false
// where the merge may give another object than the live one, or is not plain to
// see.
type containment struct {
	schema *smdschema.Schema
	owned  ownedPaths
}

func (w *containment) own(path fieldpath.Path) { w.owned = append(w.owned, path.Copy()) }

func (w *containment) value(ref smdschema.TypeRef, applied, live any, path fieldpath.Path) bool {
	atom, ok := w.schema.Resolve(ref)
	if !ok {
		return false
	}
	switch applied := applied.(type) {
	case map[string]any:
		live, ok := live.(map[string]any)
		if !ok || atom.Map == nil {
			return false
		}
		if atom.Map.ElementRelationship == smdschema.Atomic || len(applied) == 0 {
			w.own(path)
			return same(applied, live)
		}
		return w.fields(atom.Map, applied, live, path)
	case []any:
		live, ok := live.([]any)
		if !ok || atom.List == nil {
			return false
		}
		if atom.List.ElementRelationship == smdschema.Associative {
			return len(applied) > 0 && w.items(atom.List, applied, live, path)
		}
		w.own(path)
		return same(applied, live)
	case nil:
		return false
	}
	w.own(path)
	return atom.Scalar != nil && same(applied, live)
}

func (w *containment) fields(m *smdschema.Map, applied, live map[string]any, path fieldpath.Path) bool {
	for key, value := range applied {
		other, has := live[key]
		if !has {
			return false
		}
		field, declared := m.FindField(key)
		ref := m.ElementType
		if declared {
			ref = field.Type
		}
		at := append(path, fieldpath.FieldNameElement(key))
		before := len(w.owned)
		if !w.value(ref, value, other, at) {
			return false
		}
		if !declared && (len(w.owned) == before || !w.owned[len(w.owned)-1].Equals(at)) {
			// Keys of open maps are owned whatever is below.
			w.own(at)
		}
	}
	return true
}

// items pairs the items of an associative list: each applied one must be in
// the live list once, and in its order.
func (w *containment) items(list *smdschema.List, applied, live []any, path fieldpath.Path) bool {
	next := 0
	for _, item := range applied {
		element, ok := w.element(list, item)
		if !ok {
			return false
		}
		found := -1
		for i, other := range live {
			if candidate, ok := w.element(list, other); !ok {
				return false
			} else if candidate.Equals(element) {
				if found >= 0 {
					return false
				}
				found = i
			}
		}
		if found < next {
			return false
		}
		next = found + 1
		at := append(path, element)
		w.own(at)
		if element.Key != nil && !w.item(list, item, live[found], at) {
			return false
		}
	}
	return true
}

func (w *containment) item(list *smdschema.List, applied, live any, path fieldpath.Path) bool {
	atom, ok := w.schema.Resolve(list.ElementType)
	if !ok || atom.Map == nil || atom.Map.ElementRelationship == smdschema.Atomic {
		return false
	}
	return w.fields(atom.Map, applied.(map[string]any), live.(map[string]any), path)
}

// element is the path element of an item; false where the item has none, or
// one that is not worth the trouble.
func (w *containment) element(list *smdschema.List, item any) (fieldpath.PathElement, bool) {
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
			v = keyDefault(w.schema, list, name)
		}
		if !scalar(v) {
			return fieldpath.PathElement{}, false
		}
		keys = append(keys, value.Field{Name: name, Value: value.NewValueInterface(v)})
	}
	keys.Sort()
	return fieldpath.PathElement{Key: &keys}, true
}

func keyDefault(schema *smdschema.Schema, list *smdschema.List, name string) any {
	atom, ok := schema.Resolve(list.ElementType)
	if !ok || atom.Map == nil {
		return nil
	}
	field, _ := atom.Map.FindField(name)
	return field.Default
}

func scalar(v any) bool {
	switch v.(type) {
	case string, int64, bool:
		return true
	}
	return false
}

// same compares two trees; floats and null are equal to nothing here.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, has := b[key]; !has || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return scalar(a) && a == b
}
