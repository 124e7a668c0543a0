package ownership

import (
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
// knows of none, it counts as any value, unless another item has all keys as
// asked for: [containerPort=80,protocol="TCP"] finds {containerPort: 80}.
func (s Shape) Lookup(object any, path fieldpath.Path) []any {
	if len(path) == 0 {
		return []any{object}
	}
	pe, rest := path[0], path[1:]
	var out []any
	for _, child := range s.children(object, pe) {
		out = append(out, s.Child(pe).Lookup(child, rest)...)
	}
	return out
}

// Has tells whether the tree has a value at path.
func (s Shape) Has(object any, path fieldpath.Path) bool { return len(s.Lookup(object, path)) > 0 }

// children are the values that one path element selects.
func (s Shape) children(parent any, pe fieldpath.PathElement) []any {
	switch p := parent.(type) {
	case map[string]any:
		if pe.FieldName == nil {
			return nil
		}
		if v, ok := p[*pe.FieldName]; ok {
			return []any{v}
		}
	case []any:
		return s.items(p, pe)
	}
	return nil
}

func (s Shape) items(list []any, pe fieldpath.PathElement) []any {
	switch {
	case pe.Index != nil:
		if i := *pe.Index; i >= 0 && i < len(list) {
			return list[i : i+1]
		}
	case pe.Value != nil:
		return equalItems(list, *pe.Value)
	case pe.Key != nil:
		return s.keyedItems(list, *pe.Key)
	}
	return nil
}

func equalItems(list []any, want value.Value) []any {
	var out []any
	for _, item := range list {
		if plain(item) && value.Equals(value.NewValueInterface(item), want) {
			out = append(out, item)
		}
	}
	return out
}

func (s Shape) keyedItems(list []any, keys value.FieldList) []any {
	var whole, partly []any
	for _, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			continue
		}
		switch s.match(m, keys) {
		case matchesWhole:
			whole = append(whole, item)
		case matchesPartly:
			partly = append(partly, item)
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
// the item lacks keys without default, and has at least one.
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
	switch met {
	case 0:
		return matchesNot
	case len(keys):
		return matchesWhole
	default:
		return matchesPartly
	}
}

// plain tells whether v is a JSON value; value.Equals panics on others.
func plain(v any) bool {
	switch v.(type) {
	case nil, bool, string, int, int32, int64, uint, uint32, uint64, float32, float64, map[string]any, []any:
		return true
	}
	return false
}
