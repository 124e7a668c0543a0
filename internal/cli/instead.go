package cli

import (
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/suggest"
)

// instead says of a name that no live object has what the live files have instead: in
// other namespaces, of a like name, of the kind, or which kinds.
func (c *cluster) instead(n objectName, all []*live.Object) string {
	if text := c.elsewhere(n, all); text != "" || len(all) == 0 {
		return text
	}
	same := c.ofKind(n, all)
	if nearest, ok := n.nearest(same); ok {
		return "; did you mean " + nearest.String() + "?"
	}
	if len(same) == 0 {
		return "; they have " + some(kindsOfObjects(c.inScope(n, all)))
	}
	var names []string
	for _, o := range same {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return "; they have " + some(slices.Compact(names))
}

// elsewhere says in which other namespaces the objects of a name are, or else
// any; nothing where no namespace was asked for.
func (c *cluster) elsewhere(n objectName, all []*live.Object) string {
	if c.scope.namespace == "" || len(all) == 0 {
		return ""
	}
	matching := slices.DeleteFunc(slices.Clone(all), func(o *live.Object) bool { return !n.matches(c, o.Identity) })
	if len(matching) > 0 {
		return "; " + namespacesOf(matching) + meantNamespace(matching)
	}
	if slices.ContainsFunc(all, func(o *live.Object) bool { return o.Key.Namespace == c.scope.namespace }) {
		return ""
	}
	return "; " + namespacesOf(all)
}

// meantNamespace asks for the only namespace that objects have; empty for several.
func meantNamespace(objects []*live.Object) string {
	first := objects[0].Key.Namespace
	if first == "" || slices.ContainsFunc(objects, func(o *live.Object) bool { return o.Key.Namespace != first }) {
		return ""
	}
	return ": did you mean -n " + first + "?"
}

// inScope are the objects that a name may be of, where it is asked for: in the
// namespace, or in none.
func (c *cluster) inScope(n objectName, all []*live.Object) []*live.Object {
	return slices.DeleteFunc(slices.Clone(all), func(o *live.Object) bool { return !c.inNamespace(o.Key, []objectName{n}) })
}

// ofKind are the live objects that a name could mean if it were another: those of its
// kind.
func (c *cluster) ofKind(n objectName, all []*live.Object) []*live.Object {
	n.name = ""
	return slices.DeleteFunc(c.inScope(n, all), func(o *live.Object) bool { return !n.matches(c, o.Identity) })
}

// nearest is the name that a name may mean, of those of its kind; false where none is
// like it.
func (n objectName) nearest(objects []*live.Object) (objectName, bool) {
	best, distance := n, max(1, len(n.name)/4)+1
	for _, o := range objects[:min(len(objects), mostCompared)] {
		if d := suggest.Distance(n.name, o.Name); d < distance {
			best.name, distance = o.Name, d
		}
	}
	return best, best.name != n.name
}

// kindsOfObjects are the kinds of objects, each once.
func kindsOfObjects(objects []*live.Object) []string {
	var names []string
	for _, o := range objects {
		names = append(names, o.Kind)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namespacesOf reports where objects are instead.
func namespacesOf(objects []*live.Object) string {
	var names []string
	for _, o := range objects {
		if o.Key.Namespace != "" {
			names = append(names, o.Key.Namespace)
		}
	}
	if len(names) == 0 {
		return "theirs are of no namespace"
	}
	slices.Sort(names)
	return "they have some in " + some(slices.Compact(names))
}
