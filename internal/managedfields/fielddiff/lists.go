package fielddiff

import (
	"sort"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Lists knows what identifies the items of lists, by path without item selectors: all lists
// of one field are alike. Nil knows none.
type Lists map[string]kind

// kind is what identifies an item: its keys, or its value in a set.
type kind struct {
	keys []string
	set  bool
}

// Learn reads the kinds of the lists off the managed fields entries: there,
// items of a keyed list are k:{...}, and those of a set v:...
func Learn(objects ...map[string]any) Lists {
	out := Lists{}
	for _, object := range objects {
		for _, e := range managedfields.Of(object).Readable() {
			e.Set.Iterate(func(p fieldpath.Path) {
				for i, pe := range p {
					switch {
					case pe.Key != nil:
						k := kind{}
						for _, f := range *pe.Key {
							k.keys = append(k.keys, f.Name)
						}
						out[general(p[:i])] = k
					case pe.Value != nil:
						out[general(p[:i])] = kind{set: true}
					}
				}
			})
		}
	}
	return out
}

// Element is the path element of the item at position i: its key or value where these are
// unique in the list, else its position.
func (l Lists) Element(path fieldpath.Path, list []any, i int) fieldpath.PathElement {
	if k, ok := l.of(path, list, nil); ok {
		pe, _ := k.element(list[i])
		return pe
	}
	return fieldpath.PathElement{Index: &i}
}

func general(p fieldpath.Path) string {
	var b strings.Builder
	for _, pe := range p {
		if pe.FieldName != nil {
			b.WriteString(*pe.FieldName)
		}
		b.WriteByte(0)
	}
	return b.String()
}

// of gives the kind of a list; false for one that is reported as a whole. Where no entry
// knows the list, items that all have a name of their own are reported apart by it.
func (l Lists) of(path fieldpath.Path, a, b []any) (kind, bool) {
	k, ok := l[general(path)]
	if !ok {
		k = kind{keys: []string{"name"}}
	}
	return k, k.unique(a) && k.unique(b)
}

// unique reports whether the kind gives each item a path element of its own.
func (k kind) unique(list []any) bool {
	seen := map[string]bool{}
	for _, item := range list {
		pe, ok := k.element(item)
		if !ok || seen[pe.String()] {
			return false
		}
		seen[pe.String()] = true
	}
	return true
}

// element is the path element of an item. A key that the item lacks is left
// out, but one there must be.
func (k kind) element(item any) (fieldpath.PathElement, bool) {
	m, _ := item.(map[string]any)
	if k.set {
		if managedfields.Composite(item) {
			return fieldpath.PathElement{}, false
		}
		v := value.NewValueInterface(item)
		return fieldpath.PathElement{Value: &v}, true
	}
	var fields value.FieldList
	for _, name := range k.keys {
		if v, ok := m[name]; ok && !managedfields.Composite(v) {
			fields = append(fields, value.Field{Name: name, Value: value.NewValueInterface(v)})
		}
	}
	fields.Sort()
	return fieldpath.PathElement{Key: &fields}, len(fields) > 0
}

// places gives the position of each item by its path element.
func places(k kind, list []any) map[string]int {
	out := make(map[string]int, len(list))
	for i, item := range list {
		pe, _ := k.element(item)
		out[pe.String()] = i
	}
	return out
}

// movedItems are the positions of the new list with items that left their place: all that
// stay, except for a longest run that keeps its order.
func movedItems(k kind, list []any, old map[string]int) map[int]bool {
	var at, was []int
	for i, item := range list {
		pe, _ := k.element(item)
		if from, ok := old[pe.String()]; ok {
			at, was = append(at, i), append(was, from)
		}
	}
	moved := map[int]bool{}
	for _, i := range at {
		moved[i] = true
	}
	for _, n := range longestRising(was) {
		delete(moved, at[n])
	}
	return moved
}

// longestRising gives the indices of a longest subsequence that rises.
func longestRising(list []int) []int {
	var tails []int
	before := make([]int, len(list))
	for i, v := range list {
		n := sort.Search(len(tails), func(t int) bool { return list[tails[t]] >= v })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]int, len(tails))
	for i, n := tails[len(tails)-1], len(tails)-1; n >= 0; i, n = before[i], n-1 {
		out[n] = i
	}
	return out
}
