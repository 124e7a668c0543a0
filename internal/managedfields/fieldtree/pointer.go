package fieldtree

import (
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Pointers are the JSON pointers (RFC 6901) of what is at path in a tree, in
// order: none where it does not exist, several where list items are repeated.
func Pointers(shape managedfields.Shape, tree any, path fieldpath.Path) []string {
	return pointers(shape, tree, path, "")
}

func pointers(shape managedfields.Shape, v any, path fieldpath.Path, at string) []string {
	if len(path) == 0 {
		return []string{at}
	}
	var out []string
	switch v := v.(type) {
	case map[string]any:
		if name := path[0].FieldName; name != nil {
			if child, ok := v[*name]; ok {
				step := strings.NewReplacer("~", "~0", "/", "~1").Replace(*name)
				return pointers(shape.Field(*name), child, path[1:], at+"/"+step)
			}
		}
	case []any:
		for _, i := range Matching(shape, v, path[0]) {
			out = append(out, pointers(shape.Item(), v[i], path[1:], at+"/"+strconv.Itoa(i))...)
		}
	}
	return out
}
