package fields

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/ssactl/ssactl/internal/suggest"
)

// orMeant is an error about something that is not there, with what may be meant.
func orMeant(nearest []string, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if len(nearest) > 0 {
		text += "; did you mean " + strings.Join(nearest, ", ") + "?"
	}
	return errors.New(text)
}

var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// find follows a path as people type it: with or without a dot in front, with or
// without items of lists, and only the end of it where one field alone ends so.
func (w walker) find(root place, typed string) (place, error) {
	var names []string
	for _, name := range strings.Split(inBrackets.ReplaceAllString(typed, ""), ".") {
		if name != "" {
			names = append(names, name)
		}
	}
	at, rest := w.follow(root, names)
	// Where none begins so: the one field that ends with the names, or with as many of the
	// first as one does.
	for n := len(names); n > 0 && len(rest) == len(names); n-- {
		ends := w.ending(root, names[:n])
		switch {
		case len(ends) == 1:
			at, rest = ends[0], names[n:]
		case len(ends) > 1 && n == len(names):
			return place{}, fmt.Errorf(
				"%d fields end with %q: write more of the path, such as %s or %s",
				len(ends),
				typed,
				ends[0],
				ends[1],
			)
		}
	}
	if len(rest) == 0 {
		return at, nil
	}
	return place{}, orMeant(
		w.nearest(at, rest[0]),
		"no field %q: %s has no such field",
		typed,
		cmp.Or(at.String(), "the object"),
	)
}

// follow goes along names, in any case, as far as there are fields of them.
func (w walker) follow(at place, names []string) (place, []string) {
	for i, name := range names {
		children := w.children(at)
		j := slices.IndexFunc(children, func(c place) bool { return strings.EqualFold(c.path[len(c.path)-1], name) })
		if j < 0 {
			return at, names[i:]
		}
		at = children[j]
	}
	return at, nil
}

// ending are the fields whose paths end with names, those of the shortest path first,
// where there is one that is shorter than all others alone.
func (w walker) ending(root place, names []string) []place {
	var out []place
	for level := []place{root}; len(level) > 0 && len(out) == 0; {
		var next []place
		for _, p := range level {
			if at, rest := w.follow(p, names); len(rest) == 0 {
				out = append(out, at)
			}
			for _, child := range w.children(p) {
				if !child.recursive() && len(child.path) < maxDeep {
					next = append(next, child)
				}
			}
		}
		level = next
	}
	return out
}

// maxDeep bounds how deep an end is looked for.
const maxDeep = 24

// nearest are the fields that are most like one that is not there.
func (w walker) nearest(p place, name string) []string {
	var names []string
	paths := map[string]string{}
	for _, child := range w.children(p) {
		own := child.path[len(child.path)-1]
		names, paths[own] = append(names, own), child.String()
	}
	out := suggest.Nearest(name, names)
	for i, own := range out {
		out[i] = paths[own]
	}
	return out
}

// Resolve takes KIND[.GROUP][.FIELD] apart. A kind is typed as for kubectl: kind,
// plural, singular or short name. Of several groups that have it, core comes first,
// then the other built-in ones; of versions, the one that clients prefer, or the one
// that is asked for as GROUP/VERSION. Others are the kinds that may be meant as well.
func Resolve(
	server Server,
	typed, apiVersion string,
) (kind gvk.GroupVersionKind, field string, others []gvk.GroupVersionKind, err error) {
	name, field, _ := strings.Cut(typed, ".")
	var found []gvk.GroupVersionKind
	var names []string
	for _, k := range server.Kinds() {
		r := server.Resource(k)
		called := func(other string) bool { return strings.EqualFold(other, name) }
		names = append(names, k.Kind)
		if (apiVersion == "" || k.GroupVersion().String() == apiVersion) &&
			(called(k.Kind) || called(r.Resource) || slices.ContainsFunc(r.Names, called)) {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		return kind, "", nil, orMeant(
			suggest.Nearest(name, names),
			"no kind %q is served; custom kinds need their definition (--crds)",
			name,
		)
	}
	slices.SortStableFunc(found, func(a, b gvk.GroupVersionKind) int { return preferred(server, a, b) })
	kind = found[0]
	for _, k := range found {
		if rest, ok := cutGroup(field, k.Group); ok {
			return k, rest, nil, nil
		}
		if k.GroupKind() != kind.GroupKind() &&
			!slices.ContainsFunc(others, func(o gvk.GroupVersionKind) bool { return o.GroupKind() == k.GroupKind() }) {
			others = append(others, k)
		}
	}
	return kind, field, others, nil
}

// preferred compares kinds of one name: the first is meant rather.
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
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(a.Group, b.Group),
		-version.CompareKubeAwareVersionStrings(a.Version, b.Version),
	)
}

// cutGroup takes a group from the front of a path.
func cutGroup(path, group string) (string, bool) {
	rest, ok := strings.CutPrefix(path, group)
	if !ok || group == "" || rest == "" {
		return "", ok && group != ""
	}
	return strings.CutPrefix(rest, ".")
}
