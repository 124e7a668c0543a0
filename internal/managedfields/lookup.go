package managedfields

import (
	"iter"
	"slices"
	"strconv"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// Lookup finds the values at path in a JSON tree without knowing its type:
// see Shape.Lookup.
func Lookup(object any, path fieldpath.Path) []any { return Shape{}.Lookup(object, path) }

// Lookup finds the values at path in a JSON tree of this shape: none where
// the path does not exist, several where items with the same key are
// repeated, in their order. A present null is found, as nil. The empty path
// finds the tree itself. Values are shared with the tree.
//
// A key that an item lacks counts with the schema's default. Where the schema
// knows of none, it counts as any value, unless another item has just the keys that
// are asked for: [containerPort=80,protocol="TCP"] finds {containerPort: 80}.
func (s Shape) Lookup(object any, path fieldpath.Path) []any {
	return (*Finder)(nil).Lookup(s, object, path)
}

// Has reports whether the tree has a value at path.
func (s Shape) Has(object any, path fieldpath.Path) bool { return len(s.Lookup(object, path)) > 0 }

// Finder looks up many paths in trees that do not change, each always with the same shape,
// and indexes long lists. The zero value is ready; nil has no index. It is for one
// goroutine.
type Finder struct {
	lists map[listKey]*itemIndex
}

// listKey is a list, by its first item, and the key that its items are found
// by; empty for the items themselves.
type listKey struct {
	first *any
	size  int
	name  string
}

// Lookup is Shape.Lookup.
func (f *Finder) Lookup(s Shape, object any, path fieldpath.Path) []any {
	if len(path) == 0 {
		return []any{object}
	}
	pe, rest := path[0], path[1:]
	var out []any
	for _, child := range f.children(s, object, pe) {
		out = append(out, f.Lookup(s.Child(pe), child, rest)...)
	}
	return out
}

// Has is Shape.Has.
func (f *Finder) Has(s Shape, object any, path fieldpath.Path) bool {
	return len(f.Lookup(s, object, path)) > 0
}

// Places are the positions of the items of a list that a path element selects, in
// their order: see Shape.Lookup.
func (s Shape) Places(list []any, pe fieldpath.PathElement) []int {
	return (*Finder)(nil).places(s, list, pe)
}

// Positions is a path with each list item by its position in a tree of this shape, the
// first of repeated ones. It ends where the tree does; whole reports whether the tree has
// all of it.
func (f *Finder) Positions(s Shape, object any, path fieldpath.Path) (positions fieldpath.Path, whole bool) {
	for _, pe := range path {
		child, ok := any(nil), false
		switch parent := object.(type) {
		case map[string]any:
			if pe.FieldName != nil {
				child, ok = parent[*pe.FieldName]
			}
		case []any:
			if at := f.places(s, parent, pe); len(at) > 0 {
				child, ok, pe.Index, pe.Key, pe.Value = parent[at[0]], true, &at[0], nil, nil
			}
		}
		if !ok {
			return positions, false
		}
		positions, object, s = append(positions, pe), child, s.Child(pe)
	}
	return positions, true
}

// candidates are the positions of the items that may have a value under a key, or
// as which they are where the key is empty, in their order.
func (f *Finder) candidates(s Shape, list []any, key string, v value.Value) iter.Seq[int] {
	if f == nil || len(list) < longList {
		return func(yield func(int) bool) {
			for i := range list {
				if !yield(i) {
					return
				}
			}
		}
	}
	at := listKey{&list[0], len(list), key}
	index := f.lists[at]
	if index == nil {
		index = newItemIndex(len(list), func(i int) (any, bool) {
			if key == "" {
				return list[i], true
			}
			m, _ := list[i].(map[string]any)
			v, ok := m[key]
			if !ok {
				v = s.keyDefault(key)
			}
			return v, ok || v != nil
		})
		if f.lists == nil {
			f.lists = map[listKey]*itemIndex{}
		}
		f.lists[at] = index
	}
	return slices.Values(index.candidates(v.Unstructured()))
}

// children are the values that one path element selects.
func (f *Finder) children(s Shape, parent any, pe fieldpath.PathElement) []any {
	switch p := parent.(type) {
	case map[string]any:
		if pe.FieldName == nil {
			return nil
		}
		if v, ok := p[*pe.FieldName]; ok {
			return []any{v}
		}
	case []any:
		var out []any
		for _, i := range f.places(s, p, pe) {
			out = append(out, p[i])
		}
		return out
	}
	return nil
}

func (f *Finder) places(s Shape, list []any, pe fieldpath.PathElement) []int {
	switch {
	case pe.Index != nil:
		if i := *pe.Index; i >= 0 && i < len(list) {
			return []int{i}
		}
	case pe.Value != nil:
		var out []int
		for i := range f.candidates(s, list, "", *pe.Value) {
			if plain(list[i]) && value.Equals(value.NewValueInterface(list[i]), *pe.Value) {
				out = append(out, i)
			}
		}
		return out
	case pe.Key != nil && len(*pe.Key) > 0:
		first := (*pe.Key)[0]
		return s.keyedItems(list, f.candidates(s, list, first.Name, first.Value), *pe.Key)
	}
	return nil
}

func (s Shape) keyedItems(list []any, candidates iter.Seq[int], keys value.FieldList) []int {
	var whole, partly []int
	for i := range candidates {
		m, ok := list[i].(map[string]any)
		if !ok {
			continue
		}
		switch s.match(m, keys) {
		case matchesWhole:
			whole = append(whole, i)
		case matchesPartly:
			partly = append(partly, i)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return partly
}

type matching int

const (
	matchesNot matching = iota
	matchesPartly
	matchesWhole
)

// match compares the item's keys with those asked for. It matches partly when
// the item lacks keys without default, and has at least one, or has others.
func (s Shape) match(item map[string]any, keys value.FieldList) matching {
	met := 0
	for _, key := range keys {
		v, ok := item[key.Name]
		if !ok {
			v = s.keyDefault(key.Name)
			if v == nil {
				continue
			}
		}
		if !plain(v) || !value.Equals(value.NewValueInterface(v), key.Value) {
			return matchesNot
		}
		met++
	}
	switch {
	case met == 0:
		return matchesNot
	case met < len(keys) || s.hasOthers(item, keys):
		return matchesPartly
	}
	return matchesWhole
}

// hasOthers reports whether an item has keys of its list besides those asked for.
func (s Shape) hasOthers(item map[string]any, keys value.FieldList) bool {
	return slices.ContainsFunc(s.Keys(), func(name string) bool {
		asked := slices.ContainsFunc(keys, func(f value.Field) bool { return f.Name == name })
		return item[name] != nil && !asked
	})
}

// plain reports whether v is a JSON value; value.Equals panics on others.
func plain(v any) bool {
	switch v.(type) {
	case nil, bool, string, int, int32, int64, uint, uint32, uint64, float32, float64, map[string]any, []any:
		return true
	}
	return false
}

// longList is from how many items on an index is worth making: a list of a hundred
// thousand items, each looked for in turn, would take minutes.
const longList = 64

type itemIndex struct {
	with    map[string][]int
	without []int
}

// newItemIndex indexes n items; value gives that of an item, and false where it has none.
func newItemIndex(n int, value func(i int) (any, bool)) *itemIndex {
	x := &itemIndex{with: map[string][]int{}}
	for i := range n {
		if v, ok := value(i); ok {
			b := bucket(v)
			x.with[b] = append(x.with[b], i)
		} else {
			x.without = append(x.without, i)
		}
	}
	return x
}

// candidates are the sorted positions of all items that may have a value: those that equal
// it (value.Equals), those without one, and perhaps others.
func (x *itemIndex) candidates(v any) []int {
	found := slices.Concat(x.with[bucket(v)], x.without)
	slices.Sort(found)
	return found
}

// bucket is the same for equal values: a whole number equals one with a point.
func bucket(given any) string {
	switch v := value.NewValueInterface(given); {
	case v.IsString():
		return "s" + v.AsString()
	case v.IsInt():
		return number(float64(v.AsInt()))
	case v.IsFloat():
		return number(v.AsFloat())
	}
	return ""
}

func number(f float64) string {
	if f == 0 {
		f = 0 // -0 equals it
	}
	return "n" + strconv.FormatFloat(f, 'g', -1, 64)
}
