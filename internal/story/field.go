package story

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Lookup finds a field of an object by its path as the API server writes it. A name may have
// dots, as those of annotations do: the longest one that is there counts.
func Lookup(object any, field string) (any, bool) {
	if field == "" {
		return object, true
	}
	switch v := object.(type) {
	case map[string]any:
		if rest, is := strings.CutPrefix(field, "."); is {
			return lookupName(v, rest)
		}
	case []any:
		if which, rest, is := selector(field); is {
			return lookupItem(v, which, rest)
		}
	}
	return nil, false
}

// lookupName finds a field below one of the names that a path may begin with.
func lookupName(object map[string]any, path string) (any, bool) {
	var names []string
	for name := range object {
		if below, is := strings.CutPrefix(path, name); is && (below == "" || below[0] == '.' || below[0] == '[') {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		if found, is := Lookup(object[name], path[len(name):]); is {
			return found, true
		}
	}
	return nil, false
}

// lookupItem finds a field in the items that a selector means.
func lookupItem(list []any, which func(int, any) bool, path string) (any, bool) {
	for i, item := range list {
		if which(i, item) {
			if found, is := Lookup(item, path); is {
				return found, true
			}
		}
	}
	return nil, false
}

// selector reads [key="value",…], [="value"] or [3] at the beginning of a path.
func selector(field string) (which func(int, any) bool, rest string, ok bool) {
	if !strings.HasPrefix(field, "[") {
		return nil, "", false
	}
	end := closing(field)
	if end < 0 {
		return nil, "", false
	}
	inside, rest := field[1:end], field[end+1:]
	if n, err := strconv.Atoi(inside); err == nil {
		return func(i int, _ any) bool { return i == n }, rest, true
	}
	keys := map[string]any{}
	for inside != "" {
		name, value, is := strings.Cut(inside, "=")
		if !is {
			return nil, "", false
		}
		decoder := json.NewDecoder(strings.NewReader(value))
		var v any
		if err := decoder.Decode(&v); err != nil {
			return nil, "", false
		}
		keys[name] = v
		inside = strings.TrimPrefix(value[decoder.InputOffset():], ",")
	}
	return func(_ int, item any) bool {
		if v, set := keys[""]; set && len(keys) == 1 {
			return Equal(v, item)
		}
		object, is := item.(map[string]any)
		for name, v := range keys {
			is = is && Equal(v, object[name])
		}
		return is
	}, rest, true
}

// closing is where the bracket that a path begins with is closed; -1 for nowhere.
func closing(field string) int {
	quoted := false
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			return i
		}
	}
	return -1
}

// Equal compares JSON values, numbers by value.
func Equal(a, b any) bool { return reflect.DeepEqual(normal(a), normal(b)) }

func normal(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case int:
		return float64(v)
	case map[string]any:
		out := map[string]any{}
		for k, one := range v {
			out[k] = normal(one)
		}
		return out
	case []any:
		out := []any{}
		for _, one := range v {
			out = append(out, normal(one))
		}
		return out
	}
	return v
}

// Shown is a value in one line.
func Shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// Nested is an object that has a value at a field of plain names, as .spec.paused.
func Nested(field string, value any) map[string]any {
	name, rest, below := strings.Cut(strings.TrimPrefix(field, "."), ".")
	if !below {
		return map[string]any{name: value}
	}
	return map[string]any{name: Nested(rest, value)}
}
