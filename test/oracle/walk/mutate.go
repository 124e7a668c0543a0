package walk

import (
	"encoding/json"
	"math/rand/v2"
	"sort"
)

// strange are values that a field may be set to whatever its type.
var strange = []any{
	nil, "", "x", "0", "1000m", "1", 0.0, 1.0, -1.0, 2147483648.0, 1.5, true, false,
	map[string]any{}, []any{}, []any{"a"}, map[string]any{"a": "b"}, "50%", "2024-01-01T00:00:00Z", "Ünï", "on",
}

// pick gives one of the strange values, which is the caller's own.
func pick(r *rand.Rand) any {
	return clone(strange[r.IntN(len(strange))])
}

// mutate changes a value in up to three places, and gives it.
func mutate(r *rand.Rand, value any) any {
	for range r.IntN(3) + 1 {
		value = change(r, value)
	}
	return value
}

// change walks to a random place and changes it.
func change(r *rand.Rand, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 || r.IntN(6) == 0 {
			return changeMap(r, value)
		}
		key := pickKey(r, value)
		value[key] = change(r, value[key])
		return value
	case []any:
		if len(value) == 0 || r.IntN(3) == 0 {
			return changeList(r, value)
		}
		i := r.IntN(len(value))
		value[i] = change(r, value[i])
		return value
	}
	return changeScalar(r, value)
}

func changeMap(r *rand.Rand, value map[string]any) any {
	if len(value) == 0 {
		value["added"] = pick(r)
		return value
	}
	key := pickKey(r, value)
	switch r.IntN(8) {
	case 0, 1, 2:
		delete(value, key)
	case 3:
		value[key+"x"] = value[key]
		delete(value, key)
	case 4:
		value[key] = pick(r)
	case 5:
		value[key+"2"] = clone(value[key])
	case 6:
		value["added"] = pick(r)
	case 7:
		value[key] = nil
	}
	return value
}

func changeList(r *rand.Rand, value []any) any {
	if len(value) == 0 {
		return []any{pick(r)}
	}
	i := r.IntN(len(value))
	switch r.IntN(6) {
	case 0:
		return append(value[:i:i], value[i+1:]...)
	case 1:
		return append(value, clone(value[i]))
	case 2, 3:
		return append(value, change(r, clone(value[i])))
	case 4:
		j := r.IntN(len(value))
		value[i], value[j] = value[j], value[i]
	case 5:
		return []any{}
	}
	return value
}

func changeScalar(r *rand.Rand, value any) any {
	if r.IntN(5) == 0 {
		return pick(r)
	}
	switch value := value.(type) {
	case string:
		return []any{value + "x", value + "-2", "", value + " ", "web"}[r.IntN(5)]
	case float64:
		return []any{value + 1, value - 1, 0.0, value * 10, -value}[r.IntN(5)]
	case bool:
		return !value
	}
	return pick(r)
}

func pickKey(r *rand.Rand, value map[string]any) string {
	keys := make([]string, 0, len(value))
	for key := range value {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys[r.IntN(len(keys))]
}

// clone copies a JSON value.
func clone(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, item := range value {
			out[key] = clone(item)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = clone(item)
		}
		return out
	}
	return value
}

func decodeObject(raw json.RawMessage) map[string]any {
	var object map[string]any
	// What is no object is nil.
	_ = json.Unmarshal(raw, &object)
	return object
}

// child gives the map at a key, made when it is not there.
func child(object map[string]any, key string) map[string]any {
	found, ok := object[key].(map[string]any)
	if !ok {
		found = map[string]any{}
		object[key] = found
	}
	return found
}
