package fielddiff

import "reflect"

// same compares JSON values as reflect.DeepEqual does, in a fraction of its time.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && (a == nil) == (b == nil) && sameValues(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && sameItems(a, b)
	}
	return reflect.DeepEqual(a, b)
}

func sameValues(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for key, value := range a {
		if other, has := b[key]; !has || !same(value, other) {
			return false
		}
	}
	return true
}

func sameItems(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}
