package fastapply

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// overlay is an applied configuration laid over a live object, where that is
// plain to see: the configuration sets leaves and adds fields and items, and
// has the items of lists in the order of the live object.
type overlay struct {
	schema *smdschema.Schema
	// merged is the live object with what the configuration says, as Merge
	// would give it (structured-merge-diff, typed/merge.go). It shares with
	// both what is equal in them.
	merged map[string]any
	// owned are the field paths of the configuration that somebody may own, as
	// ToFieldSet would give them (typed/tofieldset.go), in the order of the walk; none
	// where repeats.
	owned []fieldpath.Path
	// repeats: the paths of the configuration are just those that the manager applied
	// last.
	repeats bool
	// changed are those that Compare would tell as modified or added
	// (typed/compare.go).
	changed []fieldpath.Path

	// last is what the manager applied last, of which so many are claimed again; nil
	// to have the paths collected. strays: others are claimed.
	last    *knownSet
	claimed int
	strays  bool
	// steps counts the steps; own is the number of the last that is owned.
	steps, owner int
}

// newOverlay lays a configuration over a live object; false where the merge is
// not plain to see, or where one of them is not of the kind's type. Last is what the
// manager applied last; nil for nothing.
func newOverlay(merge typed.ParseableType, config, live map[string]any, last *knownSet) (*overlay, bool) {
	o := &overlay{schema: merge.Schema, last: last}
	atom, ok := merge.Schema.Resolve(merge.TypeRef)
	if !ok || atom.Map == nil {
		return nil, false
	}
	if o.merged, ok = o.fields(atom.Map, config, live, nil); !ok {
		return nil, false
	}
	if o.repeats = last != nil && !o.strays && o.claimed == last.size; last != nil && !o.repeats {
		return newOverlay(merge, config, live, nil)
	}
	return o, conforms(merge.Schema, atom.Map, o.merged)
}

func (o *overlay) own(at *step) {
	o.owner = at.number
	switch {
	case at.untracked():
	case o.last == nil:
		o.owned = append(o.owned, at.path())
	case at.claims != nil && at.claims.member:
		o.claimed++
	default:
		o.strays = true
	}
}

func (o *overlay) change(at *step) { o.changed = append(o.changed, at.path()) }

// field is the step into a field of a map; above is nil of the object itself.
func (o *overlay) field(above *step, name string) step {
	o.steps++
	s := step{above: above, name: name, number: o.steps}
	switch {
	case above != nil:
		s.claims = above.claims.field(name)
	case o.last != nil:
		s.claims = o.last.claims().field(name)
	}
	return s
}

// itemOf is the step into an item of a list.
func (o *overlay) itemOf(above *step, list *smdschema.List, e element) step {
	o.steps++
	return step{above: above, list: list, element: e, claims: above.claims.item(list, e), number: o.steps}
}

// value lays one value over another. Like all of these methods, it gives the
// merged one, and is false where another way may be upstream's.
func (o *overlay) value(ref smdschema.TypeRef, applied, live any, at *step) (any, bool) {
	atom, ok := o.schema.Resolve(ref)
	if !ok {
		return nil, false
	}
	switch applied := applied.(type) {
	case map[string]any:
		live, ok := live.(map[string]any)
		switch {
		case !ok || atom.Map == nil:
			return nil, false
		case atom.Map.ElementRelationship == smdschema.Atomic:
			return o.leaf(ref, applied, live, at)
		case len(applied) == 0:
			o.own(at)
			return live, len(live) == 0
		}
		return o.fields(atom.Map, applied, live, at)
	case []any:
		live, ok := live.([]any)
		switch {
		case !ok || atom.List == nil:
			return nil, false
		case atom.List.ElementRelationship == smdschema.Atomic:
			return o.leaf(ref, applied, live, at)
		}
		return o.items(atom.List, applied, live, at)
	}
	if !scalar(applied) || !scalar(live) || atom.Scalar == nil {
		return nil, false
	}
	return o.leaf(ref, applied, live, at)
}

// leaf replaces what is merged as a whole.
func (o *overlay) leaf(ref smdschema.TypeRef, applied, live any, at *step) (any, bool) {
	if !o.whole(ref, applied) {
		return nil, false
	}
	o.own(at)
	if same(applied, live) {
		return live, true
	}
	// Values that same takes for different although they may be equal.
	if !definite(applied) || !definite(live) {
		return nil, false
	}
	o.change(at)
	return applied, true
}

// whole reports whether a value is valid for its type, and repeats no key of a
// list: upstream refuses that in what is applied.
func (o *overlay) whole(ref smdschema.TypeRef, v any) bool {
	return scalar(v) || conformance{schema: o.schema, distinct: true}.value(ref, v)
}

func (o *overlay) fields(m *smdschema.Map, applied, live map[string]any, above *step) (map[string]any, bool) {
	merged, copied := live, false
	for key, value := range applied {
		field, declared := m.FindField(key)
		ref := m.ElementType
		if declared {
			ref = field.Type
		}
		at, changed := o.field(above, key), len(o.changed)
		result, ok := any(nil), false
		if other, has := live[key]; has {
			result, ok = o.value(ref, value, other, &at)
		} else {
			result, ok = value, o.added(ref, value, &at)
		}
		if !ok {
			return nil, false
		}
		if !declared && o.owner != at.number {
			// Keys of open maps are owned whatever is below.
			o.own(&at)
		}
		if len(o.changed) == changed {
			continue
		}
		if !copied {
			if merged, copied = maps.Clone(live), true; merged == nil {
				merged = map[string]any{}
			}
		}
		merged[key] = result
	}
	return merged, true
}

// items pairs the items of an associative list: those that both lists have must
// be in the same order in both. New ones come to stand before the next that
// both have, behind those that only the live list has.
func (o *overlay) items(list *smdschema.List, applied, live []any, above *step) ([]any, bool) {
	if len(applied) == 0 || len(applied) > maxElements {
		return nil, false
	}
	elements, ok := elementsOf(o.schema, list, live)
	if !ok {
		return nil, false
	}
	before := len(o.changed)
	merged := make([]any, 0, len(live))
	next := 0
	var fresh []any
	seen := make([]element, 0, len(applied))
	for _, item := range applied {
		element, ok := elementOf(o.schema, list, item)
		if !ok || slices.Contains(seen, element) {
			return nil, false
		}
		seen = append(seen, element)
		at := o.itemOf(above, list, element)
		o.own(&at)
		found := slices.Index(elements, element)
		if found < 0 {
			if !o.addedItem(list, item, &at) {
				return nil, false
			}
			fresh = append(fresh, item)
			continue
		}
		if found < next || slices.Contains(elements[found+1:], element) {
			return nil, false
		}
		result, ok := o.item(list, item, live[found], &at)
		if !ok {
			return nil, false
		}
		merged = append(append(append(merged, live[next:found]...), fresh...), result)
		next, fresh = found+1, nil
	}
	if len(o.changed) == before {
		return live, true
	}
	return append(append(merged, live[next:]...), fresh...), true
}

func (o *overlay) item(list *smdschema.List, applied, live any, at *step) (any, bool) {
	m, ok := o.itemType(list)
	switch {
	case len(list.Keys) == 0:
		return live, true
	case !ok:
		return nil, false
	}
	return o.fields(m, applied.(map[string]any), live.(map[string]any), at)
}

// itemType is the type of keyed items; false where they are not merged field by
// field.
func (o *overlay) itemType(list *smdschema.List) (*smdschema.Map, bool) {
	atom, ok := o.schema.Resolve(list.ElementType)
	if !ok || atom.Map == nil || atom.Map.ElementRelationship == smdschema.Atomic {
		return nil, false
	}
	return atom.Map, true
}

// added takes over a value that the live object has not. What is empty or null
// is left to upstream.
func (o *overlay) added(ref smdschema.TypeRef, applied any, at *step) bool {
	atom, ok := o.schema.Resolve(ref)
	if !ok {
		return false
	}
	o.change(at)
	switch applied := applied.(type) {
	case map[string]any:
		switch {
		case atom.Map == nil || len(applied) == 0:
			return false
		case atom.Map.ElementRelationship == smdschema.Atomic:
			o.own(at)
			return o.whole(ref, applied) && definite(applied)
		}
		_, ok := o.fields(atom.Map, applied, nil, at)
		return ok
	case []any:
		switch {
		case atom.List == nil || len(applied) == 0:
			return false
		case atom.List.ElementRelationship == smdschema.Atomic:
			o.own(at)
			return o.whole(ref, applied) && definite(applied)
		}
		_, ok := o.items(atom.List, applied, nil, at)
		return ok
	}
	o.own(at)
	return scalar(applied) && atom.Scalar != nil
}

func (o *overlay) addedItem(list *smdschema.List, item any, at *step) bool {
	o.change(at)
	if len(list.Keys) == 0 {
		return true
	}
	m, ok := o.itemType(list)
	if !ok {
		return false
	}
	_, ok = o.fields(m, item.(map[string]any), nil, at)
	return ok
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

// definite reports whether a tree has neither floats nor null.
func definite(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			if !definite(value) {
				return false
			}
		}
		return true
	case []any:
		for _, item := range v {
			if !definite(item) {
				return false
			}
		}
		return true
	}
	return scalar(v)
}

func scalar(v any) bool {
	switch v.(type) {
	case string, int64, bool:
		return true
	}
	return false
}
