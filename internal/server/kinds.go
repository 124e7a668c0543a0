package server

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kinds are the kinds that are served, by group, version and kind.
func (s *Server) Kinds() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for _, kind := range s.types.schemas.Kinds() {
		if r, err := s.catalog.find(kind); err == nil && r != nil && s.types.served(kind.GroupVersion()) {
			out = append(out, kind)
		}
	}
	for kind, crd := range s.custom.all() {
		for _, v := range crd.Spec.Versions {
			if v.Served {
				out = append(out, kind.WithVersion(v.Name))
			}
		}
	}
	slices.SortFunc(out, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(out)
}
