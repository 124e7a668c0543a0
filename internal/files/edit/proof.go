package edit

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
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

// action is the beginning of a Go template action as charts have it. Other
// double braces, such as a workflow's {{inputs.name}}, are ordinary text.
var action = regexp.MustCompile(
	`^\{\{-?\s*([.$"(-]|/\*|(if|else|end|range|with|include|template|define|block|toYaml|tpl|printf|default|required|lookup|quote)\b)`,
)

func hasActions(text []byte) bool { return bytes.Contains(text, []byte("{{")) }

// hasActionsOutsideQuotes reports whether a text that parses is a template all
// the same. Double braces in quoted and block scalars are not asked: alert
// rules and dashboards are full of them, and they are the manifest's own.
func hasActionsOutsideQuotes(text []byte, root *document.Node) bool {
	scalars := scalarsOf(root, nil)
	for offset := 0; ; offset += 2 {
		next := bytes.Index(text[offset:], []byte("{{"))
		if next < 0 {
			return false
		}
		offset += next
		inside := scalarAt(scalars, offset)
		switch {
		case inside != nil && bytes.IndexByte([]byte(`"'|>`), inside.Lead) >= 0:
		case action.Match(text[offset:min(offset+200, len(text))]):
			return true
		case inside == nil && !inComment(text, offset):
			return true
		}
	}
}

// scalarsOf collects the scalars below a node in the order of the text.
func scalarsOf(n *document.Node, found []*document.Node) []*document.Node {
	if n.Kind == document.Scalar {
		return append(found, n)
	}
	for _, e := range n.Entries {
		found = scalarsOf(e.Value, found)
	}
	return found
}

func scalarAt(scalars []*document.Node, offset int) *document.Node {
	i, exact := slices.BinarySearchFunc(scalars, offset, func(n *document.Node, offset int) int {
		return cmp.Compare(n.Start, offset)
	})
	if !exact {
		i--
	}
	if i < 0 || i >= len(scalars) || offset >= scalars[i].End {
		return nil
	}
	return scalars[i]
}

func inComment(text []byte, offset int) bool {
	line := bytes.LastIndexByte(text[:offset], '\n') + 1
	return bytes.HasPrefix(bytes.TrimLeft(text[line:offset], " \t"), []byte("#")) ||
		bytes.Contains(text[line:offset], []byte(" #"))
}
