package fastapply

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// overlay is an applied configuration laid over a live object, where that is
// plain to see: the configuration sets leaves and adds fields and items, and
// has the items of lists in the order of the live object.
type overlay struct {
	// merged is the live object with what the configuration says, as Merge would give it
	// (structured-merge-diff, typed/merge.go). It shares with both what is equal in them.
	merged map[string]any
	// owned are the ownable field paths of the configuration, as ToFieldSet would give them
	// (typed/tofieldset.go), in the order of the walk; none where repeats.
	owned []fieldpath.Path
	// repeats: the paths of the configuration are just those that the manager applied last.
	repeats bool
	// changed are those that Compare would tell as modified or added (typed/compare.go).
	changed []fieldpath.Path
	// drops: not all is claimed again that the manager applied last. pruned: something of it
	// was taken out of the merged object.
	drops, pruned bool
	// hollow: something null or empty is among what was added or changed.
	hollow bool

	// last is what the manager applied last, and how many paths of it are claimed
	// again; nil to collect the paths. strays: other paths are claimed.
	last    *knownSet
	claimed int
	strays  bool
	// way are the steps to where the walk is. Their memory is that of the next ones once
	// the walk is back.
	way []step
	// steps counts the steps; owner is the number of the last that is owned.
	steps, owner int
}

// room is how many steps most objects are deep, at most.
const room = 24

// newOverlay lays a configuration over a live object; false where the merge is not plain to
// see, or an object does not conform to the kind's type. Last is nil for a first apply.
func newOverlay(root *mergeType, config, live map[string]any, last *knownSet) (*overlay, bool) {
	o := &overlay{last: last, way: make([]step, 0, room)}
	if root = root.known(); root.Map == nil {
		return nil, false
	}
	var ok bool
	if o.merged, ok = o.fields(root, config, live, nil); !ok {
		return nil, false
	}
	if o.repeats = last != nil && !o.strays && o.claimed == last.size; last != nil && !o.repeats {
		again, ok := newOverlay(root, config, live, nil)
		if ok {
			again.drops = o.claimed != last.size
		}
		return again, ok
	}
	return o, conforms(root, o.merged)
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

// intoField is the step into a field of a map, until back; above is nil of the object
// itself.
func (o *overlay) intoField(above *step, name string) *step {
	s := step{above: above, name: name}
	switch {
	case above != nil:
		s.claims = above.claims.field(name)
	case o.last != nil:
		last, _ := o.last.claims()
		s.claims = last.field(name)
	}
	return o.into(s)
}

// intoItem is the step into an item of a list, until back.
func (o *overlay) intoItem(above *step, list *mergeType, e element) *step {
	return o.into(step{above: above, list: list, element: e, claims: above.claims.item(list, e)})
}

func (o *overlay) into(s step) *step {
	o.steps++
	s.number = o.steps
	o.way = append(o.way, s)
	return &o.way[len(o.way)-1]
}

func (o *overlay) back() { o.way = o.way[:len(o.way)-1] }

// value lays one value over another. Like all of these methods, it gives the
// merged one, and is false where another way may be upstream's.
func (o *overlay) value(t *mergeType, applied, live any, at *step) (any, bool) {
	switch applied := applied.(type) {
	case map[string]any:
		live, ok := live.(map[string]any)
		switch {
		case !ok || t.Map == nil:
			return nil, false
		case t.Map.ElementRelationship == smdschema.Atomic:
			return o.leaf(t, applied, live, at)
		case len(applied) == 0:
			o.own(at)
			o.hollow = o.hollow || len(live) > 0
			return live, true
		}
		return o.fields(t, applied, live, at)
	case []any:
		live, ok := live.([]any)
		switch {
		case !ok || t.List == nil:
			return nil, false
		case t.List.ElementRelationship == smdschema.Atomic:
			return o.leaf(t, applied, live, at)
		}
		return o.items(t, applied, live, at)
	}
	if !scalar(applied) || !scalar(live) || t.Scalar == nil {
		return nil, false
	}
	return o.leaf(t, applied, live, at)
}

// leaf replaces what is merged as a whole, in which most may stay: the schemas of a
// definition are one leaf.
func (o *overlay) leaf(t *mergeType, applied, live any, at *step) (any, bool) {
	if !whole(t, applied) {
		return nil, false
	}
	o.own(at)
	if same(applied, live) {
		return live, true
	}
	// Values that same takes for different although they may be equal.
	if hasFloat(applied) || !definite(live) {
		return nil, false
	}
	o.change(at)
	o.hollow = o.hollow || isHollow(applied)
	return jsontree.Share(applied, live), true
}

// whole reports whether a value is valid for its type, and repeats no key of a
// list: upstream refuses that in what is applied.
func whole(t *mergeType, v any) bool {
	return scalar(v) || conformance{distinct: true}.value(t, v)
}

func (o *overlay) fields(t *mergeType, applied, live map[string]any, above *step) (map[string]any, bool) {
	merged, copied := live, false
	for key, value := range applied {
		changed := len(o.changed)
		result, ok := o.field(t, key, value, live, above)
		if !ok {
			return nil, false
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

// field lays the value of a key over what the live object has there.
func (o *overlay) field(t *mergeType, key string, applied any, live map[string]any, above *step) (result any, ok bool) {
	field, declared := t.field(key)
	at := o.intoField(above, key)
	defer o.back()
	if other, has := live[key]; has {
		result, ok = o.value(field, applied, other, at)
	} else {
		result, ok = applied, o.added(field, applied, at)
	}
	if ok && !declared && o.owner != at.number {
		// Keys of open maps are owned whatever is below.
		o.own(at)
	}
	return result, ok
}

// items pairs the items of an associative list: those that both lists have must
// be in the same order in both. New ones come to stand before the next that
// both have, behind those that only the live list has.
func (o *overlay) items(list *mergeType, applied, live []any, above *step) ([]any, bool) {
	if len(applied) == 0 || len(applied) > maxElements {
		return nil, false
	}
	var few [2][fewElements]element
	elements, ok := elementsOf(list, live, few[0][:0])
	if !ok {
		return nil, false
	}
	before := len(o.changed)
	merged := make([]any, 0, len(live))
	next := 0
	var fresh []any
	seen := few[1][:0]
	for _, item := range applied {
		element, ok := elementOf(list, item)
		if !ok || slices.Contains(seen, element) {
			return nil, false
		}
		seen = append(seen, element)
		found := slices.Index(elements, element)
		if found < 0 {
			if !o.addedItem(list, item, element, above) {
				return nil, false
			}
			fresh = append(fresh, item)
			continue
		}
		if found < next || slices.Contains(elements[found+1:], element) {
			return nil, false
		}
		result, ok := o.item(list, item, live[found], element, above)
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

func (o *overlay) item(list *mergeType, applied, live any, e element, above *step) (any, bool) {
	at := o.intoItem(above, list, e)
	defer o.back()
	switch {
	case len(list.keys) == 0:
		o.own(at)
		return live, true
	case !list.byField():
		return o.leaf(list.item(), applied, live, at)
	}
	o.own(at)
	return o.fields(list.item(), applied.(map[string]any), live.(map[string]any), at)
}

// added takes over a value that the live object has not. Null and an empty map are owned
// themselves, an empty list is not; all come to the merged object as they are.
func (o *overlay) added(t *mergeType, applied any, at *step) bool {
	o.change(at)
	switch applied := applied.(type) {
	case nil:
		o.own(at)
		o.hollow = true
		return t.one()
	case map[string]any:
		if t.Map == nil {
			return false
		}
		atomic := t.Map.ElementRelationship == smdschema.Atomic
		if atomic || len(applied) == 0 {
			o.own(at)
			o.hollow = o.hollow || isHollow(applied)
			return whole(t, applied) && !hasFloat(applied)
		}
		_, ok := o.fields(t, applied, nil, at)
		return ok
	case []any:
		return o.addedList(t, applied, at)
	}
	o.own(at)
	return scalar(applied) && t.Scalar != nil
}

func (o *overlay) addedList(t *mergeType, applied []any, at *step) bool {
	atomic := t.List != nil && t.List.ElementRelationship == smdschema.Atomic
	o.hollow = o.hollow || len(applied) == 0 || atomic && isHollow(applied)
	switch {
	case t.List == nil:
		return false
	case atomic:
		o.own(at)
		return whole(t, applied) && !hasFloat(applied)
	case len(applied) == 0:
		return true
	}
	_, ok := o.items(t, applied, nil, at)
	return ok
}

func (o *overlay) addedItem(list *mergeType, item any, e element, above *step) bool {
	at := o.intoItem(above, list, e)
	defer o.back()
	o.own(at)
	o.change(at)
	if len(list.keys) == 0 {
		return true
	}
	if !list.byField() {
		o.hollow = o.hollow || isHollow(item)
		return whole(list.item(), item) && !hasFloat(item)
	}
	_, ok := o.fields(list.item(), item.(map[string]any), nil, at)
	return ok
}
