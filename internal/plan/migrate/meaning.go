package migrate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/ssactl/ssactl/internal/server/api"
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
	x, readable := quantityOf(a)
	y, too := quantityOf(b)
	return readable && too && x.Cmp(y) == 0
}

// quantityOf reads a value of any kind as a quantity, unless that takes no end.
func quantityOf(v any) (resource.Quantity, bool) {
	text := fmt.Sprint(v)
	if api.EndlessQuantity(text) {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(text)
	return q, err == nil
}
