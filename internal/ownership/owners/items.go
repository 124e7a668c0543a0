package owners

import (
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// item is one item of a list whose items are fields of their own.
type item struct {
	// element is its place, by the type where one is known.
	element fieldpath.PathElement
	// claimed are the path elements of claims that mean it.
	claimed  []fieldpath.PathElement
	repeated bool
}

// cutList finds the items of a list, and which claims mean which. It is false
// for a list that is one field: atomic by its type, or, where no type is
// known, without a claim on an item.
func cutList(list []any, shape managedfields.Shape, threads []thread) ([]item, bool) {
	claims := elementsOf(threads)
	var items []item
	switch {
	case shape.Associative():
		for _, v := range list {
			pe, ok := shape.Element(v)
			if !ok {
				return nil, false
			}
			items = append(items, item{element: pe})
		}
	case shape == managedfields.Shape{} && len(claims) > 0:
		items = guessItems(list, claims)
	default:
		return nil, false
	}
	assign(items, list, claims)
	count := map[string]int{}
	for _, it := range items {
		count[it.element.String()]++
	}
	for i := range items {
		items[i].repeated = count[items[i].element.String()] > 1
	}
	return items, true
}

// elementsOf are the path elements that any thread goes on with, each once, in
// the order of elements.
func elementsOf(threads []thread) []fieldpath.PathElement {
	all := fieldpath.PathElementSet{}
	for _, t := range threads {
		t.set.Members.Iterate(all.Insert)
		t.set.Children.Iterate(all.Insert)
	}
	var out []fieldpath.PathElement
	all.Iterate(func(pe fieldpath.PathElement) { out = append(out, pe) })
	return slices.DeleteFunc(out, func(pe fieldpath.PathElement) bool { return pe.FieldName != nil })
}

// guessItems gives each item the element that claims of its list would give
// it: by the keys that they name, by its value, or else by its index.
func guessItems(list []any, claims []fieldpath.PathElement) []item {
	lists := keyLists(claims)
	items := make([]item, len(list))
	for i, v := range list {
		items[i].element = fieldpath.PathElement{Index: &i}
		switch v := v.(type) {
		case map[string]any:
			if len(lists) > 0 {
				if pe, ok := elementBy(lists[0], v); ok {
					items[i].element = pe
				}
			}
		case string, bool, int64, float64:
			if slices.ContainsFunc(claims, func(pe fieldpath.PathElement) bool { return pe.Value != nil }) {
				plain := value.NewValueInterface(v)
				items[i].element = fieldpath.PathElement{Value: &plain}
			}
		}
	}
	return items
}

// These bound the work for hostile claims: real ones on one list name one set
// of keys, of at most three, and mean one item or a few repeated ones.
const (
	maxKeyLists = 8
	maxKeys     = 6
	maxAlike    = 16
)

// keyLists are the sets of key names that claims use, in their order.
func keyLists(claims []fieldpath.PathElement) [][]string {
	var out [][]string
	seen := map[string]bool{}
	for _, pe := range claims {
		if pe.Key == nil || len(out) == maxKeyLists {
			continue
		}
		keys := make([]string, len(*pe.Key))
		for i, key := range *pe.Key {
			keys[i] = key.Name
		}
		if id := strings.Join(keys, "\x00"); !seen[id] {
			seen[id] = true
			out = append(out, keys)
		}
	}
	return out
}

// elementBy is the path element of an item by keys, those that it lacks left
// out; false where it has none of them.
func elementBy(names []string, m map[string]any) (fieldpath.PathElement, bool) {
	var fields value.FieldList
	for _, name := range names {
		if v, ok := m[name]; ok {
			fields = append(fields, value.Field{Name: name, Value: value.NewValueInterface(v)})
		}
	}
	fields.Sort()
	return fieldpath.PathElement{Key: &fields}, len(fields) > 0
}

// assign gives each item the claims that mean it. A claim with all the keys of
// an item counts first; else an item is meant that lacks some of the claim's
// keys and agrees in the others, as items stored before a key had a default.
func assign(items []item, list []any, claims []fieldpath.PathElement) {
	places := map[string][]int{}
	add := func(pe fieldpath.PathElement, i int) {
		name := pe.String()
		if at := places[name]; len(at) == 0 || at[len(at)-1] != i {
			places[name] = append(at, i)
		}
	}
	lists := keyLists(claims)
	for i, v := range list {
		add(items[i].element, i)
		add(fieldpath.PathElement{Index: &i}, i)
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		for _, keys := range lists {
			if pe, ok := elementBy(keys, m); ok {
				add(pe, i)
			}
		}
	}
	lacks := func(i int, key string) bool {
		m, _ := list[i].(map[string]any)
		_, has := m[key]
		return !has && !names(items[i].element, key)
	}
	for _, pe := range claims {
		for _, i := range meant(places, pe, lacks) {
			items[i].claimed = append(items[i].claimed, pe)
		}
	}
}

// meant are the items that a claim means.
func meant(places map[string][]int, pe fieldpath.PathElement, lacks func(int, string) bool) []int {
	if at := places[pe.String()]; len(at) > 0 || pe.Key == nil || len(*pe.Key) > maxKeys {
		return at
	}
	for _, part := range parts(*pe.Key) {
		alike := places[part.String()]
		if len(alike) > maxAlike {
			continue
		}
		at := slices.DeleteFunc(slices.Clone(alike), func(i int) bool {
			return slices.ContainsFunc(*pe.Key, func(key value.Field) bool {
				return !names(part, key.Name) && !lacks(i, key.Name)
			})
		})
		if len(at) > 0 {
			return at
		}
	}
	return nil
}

// names reports whether a path element has a key of that name.
func names(pe fieldpath.PathElement, name string) bool {
	return pe.Key != nil && slices.ContainsFunc(*pe.Key, func(key value.Field) bool { return key.Name == name })
}

// parts are the elements with some of the keys, more keys first.
func parts(keys value.FieldList) []fieldpath.PathElement {
	var out []fieldpath.PathElement
	for mask := 1; mask < 1<<len(keys)-1; mask++ {
		var some value.FieldList
		for i, key := range keys {
			if mask&(1<<i) != 0 {
				some = append(some, key)
			}
		}
		out = append(out, fieldpath.PathElement{Key: &some})
	}
	slices.SortStableFunc(out, func(a, b fieldpath.PathElement) int { return len(*b.Key) - len(*a.Key) })
	return out
}
