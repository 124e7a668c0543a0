// Package disguise gives other values in place of those of Secrets. A program of the user that reads Secrets
// (an expression of a policy, a replacement of a kustomization, a rule of a definition) is run again with them:
// what it gives then too says nothing of the values, and the rest is masked.
package disguise

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is another text of the same length and made of the same classes of characters, so that what cuts it at
// separators, or looks at its shape, does the same. Bytes that are no UTF-8 become others.
func Text(text string) string {
	if !utf8.ValidString(text) {
		out := []byte(text)
		for i := range out {
			out[i]++
		}
		return string(out)
	}
	return strings.Map(func(c rune) rune {
		for _, class := range []string{"09", "az", "AZ"} {
			first, last := rune(class[0]), rune(class[1])
			if c >= first && c <= last {
				return first + (c-first+1)%(last-first+1)
			}
		}
		switch {
		case !unicode.IsLetter(c):
			return c
		case c == 'ж':
			return 'я'
		}
		return 'ж'
	}, text)
}

// Value is another value of the same shape: of maps and lists with other values in them.
func Value(value any) any {
	switch v := value.(type) {
	case string:
		return Text(v)
	case bool:
		return !v
	case int64:
		return v + 1
	case float64:
		return v + 1
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = Value(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = Value(item)
		}
		return out
	}
	return value
}

// Path is the way to a field: keys of maps, and items of lists by their names (see Item).
type Path []string

// Item is the step to the item of a list that has a name.
func Item(name string) string {
	quoted, _ := json.Marshal(name) // of a string, which cannot fail
	return "[name=" + string(quoted) + "]"
}

// String is the path as the API server writes it.
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		if !strings.HasPrefix(step, "[") {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

// Names are the keys that lead to the field, up to the first list.
func (p Path) Names() []string {
	if at := slices.IndexFunc(p, func(step string) bool { return strings.HasPrefix(step, "[") }); at >= 0 {
		return p[:at]
	}
	return p
}

// In gives a value with what is at the path changed. What is on the way is copied; a path that leads nowhere
// changes nothing.
func (p Path) In(value any, change func(any) any) any {
	if len(p) == 0 {
		return change(value)
	}
	switch v := value.(type) {
	case map[string]any:
		item, has := v[p[0]]
		if !has {
			return value
		}
		out := maps.Clone(v)
		out[p[0]] = p[1:].In(item, change)
		return out
	case []any:
		out := slices.Clone(v)
		for i, item := range out {
			if step, named := itemStep(item); named && step == p[0] {
				out[i] = p[1:].In(item, change)
			}
		}
		return out
	}
	return value
}

// itemStep is the step to an item of a list; false for one without a name.
func itemStep(item any) (string, bool) {
	object, _ := item.(map[string]any)
	name, is := object["name"].(string)
	return Item(name), is
}

// Differing are the paths at which two values differ, in a stable order: into maps, and into lists whose items
// have names of their own. Where a list differs otherwise, or a key is in one only, it is the path of the whole.
func Differing(a, b any) []Path { return differing(a, b, nil) }

func differing(a, b any, at Path) []Path {
	here := []Path{slices.Clone(at)}
	switch a := a.(type) {
	case map[string]any:
		b, is := b.(map[string]any)
		if !is || len(a) != len(b) {
			return here
		}
		var out []Path
		for _, key := range slices.Sorted(maps.Keys(a)) {
			other, has := b[key]
			if !has {
				return here
			}
			out = append(out, differing(a[key], other, append(slices.Clip(at), key))...)
		}
		return out
	case []any:
		b, is := b.([]any)
		if !is || len(a) != len(b) {
			return here
		}
		return differingItems(a, b, at)
	}
	if a == b {
		return nil
	}
	return here
}

func differingItems(a, b []any, at Path) []Path {
	var out []Path
	seen := map[string]bool{}
	for i, item := range a {
		step, named := itemStep(item)
		other, same := itemStep(b[i])
		paths := differing(item, b[i], append(slices.Clip(at), step))
		if len(paths) > 0 && (!named || !same || step != other || seen[step]) {
			return []Path{slices.Clone(at)}
		}
		seen[step] = true
		out = append(out, paths...)
	}
	return out
}
