package ignore

import "encoding/json"

// identities are the fields that name an item in most lists of Kubernetes, in
// the order in which they are tried.
var identities = []string{"name", "key", "type", "containerPort", "port", "mountPath", "ip", "uid"}

// partners gives for each item of object the position of the live item that
// it was, or -1: by a field that names every item of both lists, by value for
// lists of plain values, and else by position.
func partners(live, object []any) []int {
	name := nameOf(live, object)
	at := map[string][]int{}
	for i, item := range live {
		at[name(i, item)] = append(at[name(i, item)], i)
	}
	out := make([]int, len(object))
	for i, item := range object {
		// Of equal values, the first goes with the first.
		n := name(i, item)
		if out[i] = -1; len(at[n]) > 0 {
			out[i], at[n] = at[n][0], at[n][1:]
		}
	}
	return out
}

func nameOf(lists ...[]any) func(int, any) string {
	for _, field := range identities {
		if namesAll(field, lists) {
			return func(_ int, item any) string { return text(item.(map[string]any)[field]) }
		}
	}
	if plain(lists) {
		return func(_ int, item any) string { return text(item) }
	}
	return func(i int, _ any) string { return text(i) }
}

// namesAll reports whether each item of each list has the field, and no two of
// one list the same.
func namesAll(field string, lists [][]any) bool {
	for _, list := range lists {
		seen := map[string]bool{}
		for _, item := range list {
			m, _ := item.(map[string]any)
			v, ok := m[field]
			if !ok || seen[text(v)] {
				return false
			}
			seen[text(v)] = true
		}
	}
	return true
}

func plain(lists [][]any) bool {
	for _, list := range lists {
		for _, item := range list {
			switch item.(type) {
			case map[string]any, []any:
				return false
			}
		}
	}
	return true
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
