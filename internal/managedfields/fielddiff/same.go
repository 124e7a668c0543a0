package fielddiff

import (
	"maps"
	"reflect"
	"slices"
)

// same compares JSON values as reflect.DeepEqual does, in a fraction of its time.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, same)
	}
	return reflect.DeepEqual(a, b)
}
