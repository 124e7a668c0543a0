package engine

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// Leaf is one field that differs between two objects.
type Leaf struct {
	Path fieldpath.Path
	// Field is the path as text.
	Field         string
	Kind          report.ChangeKind
	Before, After any
}

// Difference walks two objects of one shape side by side and gives every
// leaf that differs, sorted by field. metadata.managedFields is left out.
//
// A leaf is a scalar, an empty map or list, or an atomic one. Items of keyed
// lists and sets are paired by their path element; an item that is gone is
// reported as one, an item that is new leaf by leaf:
//
//	ports: [{port: 80}, {port: 81}]  ->  ports: [{port: 80, name: a}]
//	gives  Added ports[port=80].name, Removed ports[port=81]
//
// Items that only change places make their list one modified leaf, as does a list whose
// items have no path element. Items with a repeated key are one leaf, the list of them.
func Difference(shape managedfields.Shape, before, after map[string]any) []Leaf {
	d := differ{}
	d.maps(shape, nil, withoutManagedFields(before), withoutManagedFields(after))
	slices.SortStableFunc(d.found, func(a, b Leaf) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), a.Path.Compare(b.Path))
	})
	return d.found
}

type differ struct {
	found []Leaf
}

// side is a value that may be missing, which is not null.
type side struct {
	value any
	has   bool
}

func (d *differ) walk(shape managedfields.Shape, path fieldpath.Path, a, b side) {
	if am, bm, ok := pair[map[string]any](a, b); ok && !shape.AtomicMap() && len(am)+len(bm) > 0 {
		d.maps(shape, path, am, bm)
		return
	}
	if al, bl, ok := pair[[]any](a, b); ok && d.lists(shape, path, al, bl) {
		return
	}
	d.leaf(path, a, b)
}

// maps descends into two maps; one may be nil. For a map that is added or removed as a
// whole, its fields are reported.
func (d *differ) maps(shape managedfields.Shape, path fieldpath.Path, a, b map[string]any) {
	for k, av := range a {
		bv, has := b[k]
		if has && (sameScalar(av, bv) || jsontree.Same(av, bv)) {
			continue
		}
		d.walk(shape.Field(k), append(path, fieldpath.FieldNameElement(k)), side{av, true}, side{bv, has})
	}
	for k, bv := range b {
		if _, has := a[k]; !has {
			d.walk(shape.Field(k), append(path, fieldpath.FieldNameElement(k)), side{}, side{bv, true})
		}
	}
}

// sameScalar is true of most that is equal: then no more has to be known of it.
func sameScalar(a, b any) bool {
	switch a.(type) {
	case string, bool, int64:
		return a == b
	}
	return false
}

// lists descends into two associative lists. It is false where they have to
// be reported as one leaf.
func (d *differ) lists(shape managedfields.Shape, path fieldpath.Path, a, b []any) bool {
	if !shape.Associative() || len(a)+len(b) == 0 || slices.EqualFunc(a, b, equal) {
		return false
	}
	ag, aok := shape.Group(a)
	bg, bok := shape.Group(b)
	if !aok || !bok {
		return false
	}
	found := len(d.found)
	for _, p := range pairGroups(ag, bg) {
		d.items(shape, append(path, p.element), p.before, p.after)
	}
	return len(d.found) > found
}

// items compares what two lists have under one path element.
func (d *differ) items(shape managedfields.Shape, path fieldpath.Path, a, b []any) {
	before, after := itemSide(a), itemSide(b)
	if jsontree.Same(before.value, after.value) {
		return
	}
	if len(a) > 1 || len(b) > 1 || len(b) == 0 {
		d.leaf(path, before, after)
		return
	}
	d.walk(shape.Item(), path, before, after)
}

func (d *differ) leaf(path fieldpath.Path, a, b side) {
	if a.has == b.has && equal(a.value, b.value) {
		return
	}
	l := Leaf{Path: path.Copy(), Field: path.String(), Kind: report.Modified, Before: a.value, After: b.value}
	switch {
	case !a.has:
		l.Kind = report.Added
	case !b.has:
		l.Kind = report.Removed
	}
	d.found = append(d.found, l)
}

func itemSide(items []any) side {
	v, ok := one(items)
	return side{v, ok}
}

// pair gives both sides as T, where each is T or missing.
func pair[T any](a, b side) (av, bv T, ok bool) {
	av, aok := a.value.(T)
	bv, bok := b.value.(T)
	return av, bv, (aok || !a.has) && (bok || !b.has)
}

type groupPair struct {
	element       fieldpath.PathElement
	before, after []any
}

// pairGroups pairs by path element: those of a in their order, then the new ones of b.
func pairGroups(a, b []managedfields.Group) []groupPair {
	at := map[string]int{}
	var out []groupPair
	for _, g := range a {
		at[g.Name] = len(out)
		out = append(out, groupPair{element: g.Element, before: g.Items})
	}
	for _, g := range b {
		if i, ok := at[g.Name]; ok {
			out[i].after = g.Items
			continue
		}
		out = append(out, groupPair{element: g.Element, after: g.Items})
	}
	return out
}

func withoutManagedFields(object map[string]any) map[string]any {
	m, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	return withoutMetadata(object, m, "managedFields")
}

// equal compares JSON values: numbers by value, 1 and 1.0 alike, and null only with null.
func equal(a, b any) bool {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && x == y
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && (jsontree.Same(x, y) || maps.EqualFunc(x, y, equal))
	case []any:
		y, ok := b.([]any)
		return ok && (jsontree.Same(x, y) || slices.EqualFunc(x, y, equal))
	case int64:
		switch y := b.(type) {
		case int64:
			return x == y
		case float64:
			return float64(x) == y
		}
	case float64:
		if y, ok := b.(int64); ok {
			return x == float64(y)
		}
	}
	return reflect.DeepEqual(a, b)
}

// Stores reports whether a stored value has all of the one asked for, and at most more keys
// in maps. It tells another spelling from the same value.
func Stores(v, asked any) bool {
	switch want := asked.(type) {
	case map[string]any:
		have, ok := v.(map[string]any)
		for k, w := range want {
			if h, has := have[k]; !has && w != nil || has && !Stores(h, w) {
				return false
			}
		}
		return ok
	case []any:
		have, ok := v.([]any)
		return ok && slices.EqualFunc(have, want, Stores)
	default:
		return equal(v, asked)
	}
}
