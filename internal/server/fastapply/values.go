package fastapply

import (
	"maps"
	"slices"
)

// same compares two trees; floats and null are equal to nothing here.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	}
	return scalar(a) && a == b
}

// definite reports whether a tree has neither floats nor null.
func definite(v any) bool { return !some(v, odd) }

// hasFloat reports whether a tree has a float.
func hasFloat(v any) bool { return some(v, func(v any) bool { return v != nil && odd(v) }) }

// odd reports whether a value is a float, or null.
func odd(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return !scalar(v)
}

// isHollow reports whether a tree has null, or an empty map or list.
func isHollow(v any) bool {
	return some(v, func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			return len(v) == 0
		case []any:
			return len(v) == 0
		}
		return v == nil
	})
}

// some reports whether a tree, or anything in it, is what is asked for.
func some(v any, is func(any) bool) bool {
	if is(v) {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			if some(value, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return some(item, is) })
	}
	return false
}

func scalar(v any) bool {
	switch v.(type) {
	case string, int64, bool:
		return true
	}
	return false
}
