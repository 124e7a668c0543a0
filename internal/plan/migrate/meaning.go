package migrate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// sameMeaning reports whether a stored value can be the server's spelling of
// what was said: an equal quantity, or the same with defaults filled in.
func sameMeaning(said, is any) bool {
	switch said := said.(type) {
	case map[string]any:
		live, ok := is.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range said {
			if has, ok := live[k]; !ok || !sameMeaning(v, has) {
				return false
			}
		}
		return true
	case []any:
		live, ok := is.([]any)
		if !ok || len(live) != len(said) {
			return false
		}
		for i := range said {
			if !sameMeaning(said[i], live[i]) {
				return false
			}
		}
		return true
	}
	return same(said, is) || sameQuantity(said, is)
}

func sameQuantity(a, b any) bool {
	x, err := resource.ParseQuantity(fmt.Sprint(a))
	if err != nil {
		return false
	}
	y, err := resource.ParseQuantity(fmt.Sprint(b))
	return err == nil && x.Cmp(y) == 0
}
