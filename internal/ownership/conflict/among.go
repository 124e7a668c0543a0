package conflict

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// NamesAmong are the names of the given fields of an object, and of the maps,
// lists and items that they are in: other fields are not found, so that fewer
// steps tell them apart.
func NamesAmong(types typed.ParseableType, object map[string]any, paths []fieldpath.Path) *Names {
	n := &Names{types: types, shape: managedfields.ShapeOf(types), live: object}
	seen := map[string]bool{}
	for _, p := range paths {
		for end := 1; end <= len(p); end++ {
			if field := p[:end].String(); !seen[field] {
				seen[field] = true
				n.paths, n.fields = append(n.paths, p[:end].Copy()), append(n.fields, field)
			}
		}
	}
	return n
}
