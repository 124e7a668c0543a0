package writes

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// renamed makes one change of an item that a list loses and of the item that it gains in its
// place: one that has at least half of its values. Its field names both, and its values are without
// their keys. The others stay as they are.
func renamed(list []report.Change, after map[string]any) []report.Change {
	out := list
	for _, lost := range list {
		item, isMap := lost.Before.(map[string]any)
		at := opening(lost.Field)
		if lost.Kind != report.Removed || !isMap || at < 0 {
			continue
		}
		gained, value := successor(out, lost.Field[:at], item, after)
		if gained == "" {
			continue
		}
		one := lost
		one.Kind, one.Reason = report.Modified, report.ReasonApplied
		one.Field += " -> " + gained[at:]
		one.Before, one.After = unkeyed(item, gained), unkeyed(value, gained)
		var rest []report.Change
		for _, c := range out {
			switch {
			case c.Field == lost.Field:
				rest = append(rest, report.Change{})
			case !strings.HasPrefix(c.Field, gained):
				rest = append(rest, c)
			case one.Source == nil:
				one.Source = c.Source
			}
		}
		at = slices.IndexFunc(rest, func(c report.Change) bool { return c.Field == "" })
		rest[at] = one
		out = rest
	}
	return out
}

// successor is the item that a list gains which has the most values of one that it loses, as
// its field with the value; empty where none has half of them.
func successor(list []report.Change, of string, lost, after map[string]any) (field string, value map[string]any) {
	most := (leaves(lost) + 1) / 2
	for _, c := range list {
		rest, in := strings.CutPrefix(c.Field, of+"[")
		end := closing(rest)
		if !in || end < 0 || c.Kind != report.Added {
			continue
		}
		gained := of + "[" + rest[:end+1]
		item, ok := valueIn(after, gained).(map[string]any)
		if n := shared(lost, item); ok && gained != field && n >= most && whollyNew(list, gained, item) {
			most, field, value = n+1, gained, item
		}
	}
	return field, value
}

// whollyNew reports whether all keys of an item are added.
func whollyNew(list []report.Change, field string, item map[string]any) bool {
	keys := keysOfItem(field)
	for name := range keys {
		added := func(c report.Change) bool { return c.Field == field+"."+name && c.Kind == report.Added }
		if item[name] != nil && !slices.ContainsFunc(list, added) {
			return false
		}
	}
	return len(keys) > 0
}

// unkeyed is an item without the keys that its field names.
func unkeyed(item map[string]any, field string) map[string]any {
	out := maps.Clone(item)
	for name := range keysOfItem(field) {
		delete(out, name)
	}
	return out
}

// keysOfItem are the keys in the last brackets of the field of a list item.
func keysOfItem(field string) map[string]string {
	return keysOf(field[opening(field)+1 : len(field)-1])
}

// leaves counts the values in a value.
func leaves(v any) int {
	m, is := v.(map[string]any)
	if !is {
		return 1
	}
	n := 0
	for _, one := range m {
		n += leaves(one)
	}
	return n
}

// shared counts the values that two maps have in common.
func shared(a, b map[string]any) int {
	n := 0
	for name, v := range a {
		x, isMap := v.(map[string]any)
		y, areMaps := b[name].(map[string]any)
		switch {
		case isMap && areMaps:
			n += shared(x, y)
		case b[name] != nil && reflect.DeepEqual(v, b[name]):
			n++
		}
	}
	return n
}

// valueIn is the value at a field path in an object, as the path is written in changes; nil for
// none.
func valueIn(v any, path string) any {
	switch {
	case path == "":
		return v
	case path[0] == '.':
		m, _ := v.(map[string]any)
		names := slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		for _, name := range names {
			rest, is := strings.CutPrefix(path[1:], name)
			if is && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				if found := valueIn(m[name], rest); found != nil {
					return found
				}
			}
		}
	case path[0] == '[':
		end := closing(path[1:])
		items, _ := v.([]any)
		if end < 0 {
			return nil
		}
		keys := keysOf(path[1 : end+1])
		for _, item := range items {
			if m, is := item.(map[string]any); is && has(m, keys) {
				return valueIn(m, path[end+2:])
			}
		}
	}
	return nil
}

// has reports whether an item has the keys.
func has(item map[string]any, keys map[string]string) bool {
	for name, want := range keys {
		text, err := json.Marshal(item[name])
		if err != nil || string(text) != want {
			return false
		}
	}
	return len(keys) > 0
}

// opening is where the bracket opens that a field ends with; negative for none.
func opening(field string) int {
	for i := 0; i < len(field); i++ {
		if field[i] != '[' {
			continue
		}
		end := closing(field[i+1:])
		switch {
		case end < 0:
			return -1
		case i+end+2 == len(field):
			return i
		}
		i += end + 1
	}
	return -1
}

// closing is where the bracket closes that a text is behind; negative for nowhere. A quoted text
// may have others.
func closing(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ']' && !quoted:
			return i
		}
	}
	return -1
}

// keysOf are the keys in the brackets of a list item with their values as JSON; none for an
// item of another kind.
func keysOf(s string) map[string]string {
	out := map[string]string{}
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return nil
		}
		value := json.NewDecoder(strings.NewReader(rest))
		var raw json.RawMessage
		if value.Decode(&raw) != nil {
			return nil
		}
		out[name] = string(raw)
		s = strings.TrimPrefix(rest[value.InputOffset():], ",")
	}
	return out
}
