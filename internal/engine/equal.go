package engine

import (
	"maps"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// equal compares JSON values: numbers by value, 1 and 1.0 alike, and null
// only with null.
func equal(a, b any) bool {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && x == y
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && (jsontree.Same(x, y) || maps.EqualFunc(x, y, equal))
	case []any:
		y, ok := b.([]any)
		return ok && (jsontree.Same(x, y) || slices.EqualFunc(x, y, equal))
	case int64:
		switch y := b.(type) {
		case int64:
			return x == y
		case float64:
			return float64(x) == y
		}
	case float64:
		if y, ok := b.(int64); ok {
			return x == float64(y)
		}
	}
	return reflect.DeepEqual(a, b)
}

// Stores reports whether a stored value is the one that is asked for: whether it has
// all of it, and at most more keys in maps. It is what tells another spelling from the
// same value, everywhere.
func Stores(v, asked any) bool {
	switch want := asked.(type) {
	case map[string]any:
		have, ok := v.(map[string]any)
		return ok && containsKeys(have, want)
	case []any:
		have, ok := v.([]any)
		return ok && containsItems(have, want)
	default:
		return equal(v, asked)
	}
}

func containsKeys(have, want map[string]any) bool {
	for k, w := range want {
		if h, has := have[k]; !has && w != nil || has && !Stores(h, w) {
			return false
		}
	}
	return true
}

func containsItems(have, want []any) bool {
	if len(have) != len(want) {
		return false
	}
	for i := range want {
		if !Stores(have[i], want[i]) {
			return false
		}
	}
	return true
}
