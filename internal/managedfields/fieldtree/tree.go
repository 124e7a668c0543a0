// Package fieldtree edits JSON trees by field path: an object, a manifest, an
// applied configuration. How lists are cut into items is the shape's to say.
package fieldtree

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-openapi/jsonpointer"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Value is what an object has below names of fields; nil where it has nothing there.
func Value(object map[string]any, names ...string) any {
	v := any(object)
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// Without gives a copy of a tree without what is at path and the parents left empty by
// that, which would be owned as {}. It is false where there is nothing at path.
func Without(shape managedfields.Shape, tree any, path fieldpath.Path) (any, bool) {
	out, _, found := drop(shape, tree, path)
	if !found {
		return tree, false
	}
	return out, true
}

// drop also reports whether nothing is left.
func drop(shape managedfields.Shape, v any, path fieldpath.Path) (out any, gone, found bool) {
	if len(path) == 0 {
		return nil, true, true
	}
	switch v := v.(type) {
	case map[string]any:
		return dropField(shape, v, path)
	case []any:
		return dropItems(shape, v, path)
	}
	return v, false, false
}

func dropField(shape managedfields.Shape, m map[string]any, path fieldpath.Path) (out any, gone, found bool) {
	name := path[0].FieldName
	if name == nil {
		return m, false, false
	}
	child, ok := m[*name]
	if !ok {
		return m, false, false
	}
	inner, gone, found := drop(shape.Field(*name), child, path[1:])
	if !found {
		return m, false, false
	}
	rest := maps.Clone(m)
	if gone {
		delete(rest, *name)
	} else {
		rest[*name] = inner
	}
	return rest, len(rest) == 0, true
}

func dropItems(shape managedfields.Shape, list []any, path fieldpath.Path) (out any, gone, found bool) {
	matches := shape.Places(list, path[0])
	var rest []any
	for i, item := range list {
		if !slices.Contains(matches, i) {
			rest = append(rest, item)
			continue
		}
		inner, none, had := drop(shape.Item(), item, path[1:])
		found = found || had
		if !none {
			rest = append(rest, inner)
		}
	}
	return rest, len(rest) == 0, found
}

// With gives a tree that has value at path; what is missing on the way is
// added, list items with their keys. The given tree is not changed.
func With(shape managedfields.Shape, tree any, path fieldpath.Path, v any) any {
	if len(path) == 0 {
		return v
	}
	pe, rest := path[0], path[1:]
	if pe.FieldName != nil {
		m, _ := tree.(map[string]any)
		out := maps.Clone(m)
		if out == nil {
			out = map[string]any{}
		}
		out[*pe.FieldName] = With(shape.Field(*pe.FieldName), out[*pe.FieldName], rest, v)
		return out
	}
	list, _ := tree.([]any)
	out := slices.Clone(list)
	matches := shape.Places(list, pe)
	for _, i := range matches {
		out[i] = With(shape.Item(), out[i], rest, v)
	}
	if len(matches) == 0 {
		out = append(out, With(shape.Item(), newItem(pe), rest, v))
	}
	return out
}

// newItem is a list item with only its path element.
func newItem(pe fieldpath.PathElement) any {
	switch {
	case pe.Key != nil:
		item := map[string]any{}
		for _, f := range *pe.Key {
			item[f.Name] = f.Value.Unstructured()
		}
		return item
	case pe.Value != nil:
		return (*pe.Value).Unstructured()
	}
	return nil
}

// Pointers are the JSON pointers (RFC 6901) of what is at path in a tree, in
// order: none where it does not exist, several where list items are repeated.
func Pointers(shape managedfields.Shape, tree any, path fieldpath.Path) []string {
	if len(path) == 0 {
		return []string{""}
	}
	var out []string
	below := func(step string, child any) {
		for _, rest := range Pointers(shape.Child(path[0]), child, path[1:]) {
			out = append(out, "/"+step+rest)
		}
	}
	switch v := tree.(type) {
	case map[string]any:
		if name := path[0].FieldName; name != nil {
			if child, ok := v[*name]; ok {
				below(jsonpointer.Escape(*name), child)
			}
		}
	case []any:
		for _, i := range shape.Places(v, path[0]) {
			below(strconv.Itoa(i), v[i])
		}
	}
	return out
}

// Other gives another value of the same type that a server would accept instead of v;
// false for null and for what is empty.
func Other(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		return !v, true
	case int64:
		return v + 1, true
	case float64:
		return v + 1, true
	case string:
		return otherText(v), true
	case []any:
		if len(v) > 0 {
			return v[:len(v)-1], true
		}
	case map[string]any:
		if len(v) > 0 {
			out := maps.Clone(v)
			delete(out, slices.Min(slices.Collect(maps.Keys(v))))
			return out, true
		}
	}
	return nil, false
}

// otherText changes the first digit of numbers and quantities, which keeps them valid, and
// the end of other texts.
func otherText(s string) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		digit := byte('1')
		if s[0] == '1' {
			digit = '2'
		}
		return string(digit) + s[1:]
	}
	return s + "-other"
}
