package server

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/suggest"
)

// mostAlike is how many kinds are offered for one that is not served.
const mostAlike = 2

// Alike gives the built-in kinds that one which is not served may be meant to be,
// the likeliest first, each at the version that clients prefer: of a like name, and
// best in a group of a like name.
func (s *Server) Alike(kind schema.GroupVersionKind) []schema.GroupVersionKind {
	type candidate struct {
		kind     schema.GroupVersionKind
		distance int
	}
	typed := strings.ToLower(kind.Kind)
	var list []candidate
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		for name := range legacyscheme.Scheme.KnownTypes(gv) {
			known := gv.WithKind(name)
			d := suggest.Distance(typed, strings.ToLower(name))
			if d > max(1, len(typed)/4) || slices.ContainsFunc(list, func(c candidate) bool { return c.kind.GroupKind() == known.GroupKind() }) {
				continue
			}
			if s.Resource(known).Known {
				list = append(list, candidate{known, 100*d + suggest.Distance(kind.Group, gv.Group)})
			}
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.kind.Group, b.kind.Group), cmp.Compare(a.kind.Kind, b.kind.Kind))
	})
	var out []schema.GroupVersionKind
	for _, c := range list[:min(len(list), mostAlike)] {
		out = append(out, c.kind)
	}
	return out
}
