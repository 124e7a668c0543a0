package edit

import (
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/document"
)

// distinct reports whether every key of a mapping is another field. Keys such as
// y and "true" are one field, and which of them counts is left to chance.
func distinct(n *document.Node, tree any) bool {
	names := map[string]bool{}
	fields, isMap := tree.(map[string]any)
	merged := false
	for i, e := range n.Entries {
		merged = merged || e.Merge
		names[e.Key] = true
		step := any(i)
		if n.Kind == document.Mapping {
			step = e.Key
		}
		if inner, found := child(tree, step); found && !distinct(e.Value, inner) {
			return false
		}
	}
	return merged || !isMap || n.Kind != document.Mapping || len(names) == len(fields)
}

// A place leads from the root of a tree to a value: names of fields (string)
// and positions of items (int).
type place []any

// child gives the value of one step, false where there is none.
func child(tree, step any) (any, bool) {
	switch s := step.(type) {
	case string:
		fields, _ := tree.(map[string]any)
		value, found := fields[s]
		return value, found
	case int:
		items, _ := tree.([]any)
		if s >= 0 && s < len(items) {
			return items[s], true
		}
	}
	return nil, false
}

// without gives the tree without the value at a place, sharing what does not
// change.
func without(tree any, at place) any {
	if len(at) > 1 {
		inner, found := child(tree, at[0])
		if !found {
			return tree
		}
		return with(tree, at[:1], without(inner, at[1:]))
	}
	switch t := tree.(type) {
	case map[string]any:
		t = maps.Clone(t)
		if name, ok := at[0].(string); ok {
			delete(t, name)
		}
		return t
	case []any:
		if i, ok := at[0].(int); ok && i < len(t) {
			return slices.Delete(slices.Clone(t), i, i+1)
		}
	}
	return tree
}

// with gives the tree with a value at a place, whose parent must be there. A
// position behind the last item appends.
func with(tree any, at place, value any) any {
	if len(at) == 0 {
		return value
	}
	inner, _ := child(tree, at[0])
	changed := with(inner, at[1:], value)
	switch t := tree.(type) {
	case map[string]any:
		if name, ok := at[0].(string); ok {
			t = maps.Clone(t)
			t[name] = changed
			return t
		}
	case []any:
		if i, ok := at[0].(int); ok && i <= len(t) {
			t = slices.Clone(t)
			if i == len(t) {
				return append(t, changed)
			}
			t[i] = changed
			return t
		}
	}
	return tree
}
