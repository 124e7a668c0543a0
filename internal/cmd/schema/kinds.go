package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/ssactl/ssactl/internal/suggest"
)

// UnknownKindError is that of a kind that nothing serves.
type UnknownKindError struct {
	Kind string
	// Nearest are kinds that may be meant, the likeliest first.
	Nearest []string
}

// Error implements error.
func (e *UnknownKindError) Error() string {
	text := fmt.Sprintf("no kind %q is served; custom kinds need their definition (--crds)", e.Kind)
	if len(e.Nearest) > 0 {
		text += "; did you mean " + strings.Join(e.Nearest, ", ") + "?"
	}
	return text
}

// Resolve takes KIND[.GROUP][.FIELD] apart. A kind is typed as for kubectl: kind,
// plural, singular or short name. Of several groups that have it, core comes first,
// then the other built-in ones; of versions, the one that clients prefer, or the one
// that is asked for as GROUP/VERSION. Others are the kinds that may be meant as well.
func Resolve(server Server, typed, apiVersion string) (kind gvk.GroupVersionKind, field string, others []gvk.GroupVersionKind, err error) {
	name, field, _ := strings.Cut(typed, ".")
	all := server.Kinds()
	var found []gvk.GroupVersionKind
	var names []string
	for _, k := range all {
		names = append(names, k.Kind)
		if (apiVersion == "" || k.GroupVersion().String() == apiVersion) && called(server, k, name) {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		return kind, "", nil, &UnknownKindError{Kind: name, Nearest: suggest.Nearest(name, names)}
	}
	slices.SortStableFunc(found, func(a, b gvk.GroupVersionKind) int { return preferred(server, a, b) })
	kind = found[0]
	for _, k := range found {
		if rest, ok := cutGroup(field, k.Group); ok {
			return k, rest, nil, nil
		}
		if k.GroupKind() != kind.GroupKind() && !slices.ContainsFunc(others, func(o gvk.GroupVersionKind) bool { return o.GroupKind() == k.GroupKind() }) {
			others = append(others, k)
		}
	}
	return kind, field, others, nil
}

// called reports whether a kind goes by a name.
func called(server Server, kind gvk.GroupVersionKind, name string) bool {
	r := server.Resource(kind)
	return strings.EqualFold(kind.Kind, name) || strings.EqualFold(r.Resource, name) ||
		slices.ContainsFunc(r.Names, func(other string) bool { return strings.EqualFold(other, name) })
}

func preferred(server Server, a, b gvk.GroupVersionKind) int {
	rank := func(k gvk.GroupVersionKind) int {
		switch {
		case k.Group == "":
			return 0
		case !server.Resource(k).Custom:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Group, b.Group), -version.CompareKubeAwareVersionStrings(a.Version, b.Version))
}

// cutGroup takes a group from the front of a path.
func cutGroup(path, group string) (string, bool) {
	rest, ok := strings.CutPrefix(path, group)
	if !ok || group == "" {
		return "", false
	}
	if rest == "" {
		return "", true
	}
	return strings.CutPrefix(rest, ".")
}
