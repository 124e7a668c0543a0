package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/suggest"
)

// instead says of a name that no live object has what the live files have instead: in
// other namespaces, of a like name, of the kind, or which kinds.
func (c *Cluster) instead(n input.ObjectName, all []*live.Object) string {
	if text := c.elsewhere(n, all); text != "" || len(all) == 0 {
		return text
	}
	same := c.ofKind(n, all)
	if nearest, ok := nearest(n, same); ok {
		return "; did you mean " + nearest.String() + "?"
	}
	if len(same) == 0 {
		return "; they have " + Some(kindsOfObjects(c.inScope(n, all)))
	}
	var names []string
	for _, o := range same {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	return "; they have " + Some(slices.Compact(names))
}

// elsewhere says in which other namespaces the objects of a name are, or else
// any; nothing where no namespace was asked for.
func (c *Cluster) elsewhere(n input.ObjectName, all []*live.Object) string {
	if c.Scope.namespace == "" || len(all) == 0 {
		return ""
	}
	matching := slices.DeleteFunc(slices.Clone(all), func(o *live.Object) bool { return !Matches(n, c, o.Identity) })
	if len(matching) > 0 {
		return "; " + namespacesOf(matching) + meantNamespace(matching)
	}
	if slices.ContainsFunc(all, func(o *live.Object) bool { return o.Key.Namespace == c.Scope.namespace }) {
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
func (c *Cluster) inScope(n input.ObjectName, all []*live.Object) []*live.Object {
	return slices.DeleteFunc(slices.Clone(all), func(o *live.Object) bool { return !c.InNamespace(o.Key, []input.ObjectName{n}) })
}

// ofKind are the live objects that a name could mean if it were another: those of its
// kind.
func (c *Cluster) ofKind(n input.ObjectName, all []*live.Object) []*live.Object {
	n.Name = ""
	return slices.DeleteFunc(c.inScope(n, all), func(o *live.Object) bool { return !Matches(n, c, o.Identity) })
}

// nearest is the name that a name may mean, of those of its kind; false where none is
// like it.
func nearest(n input.ObjectName, objects []*live.Object) (input.ObjectName, bool) {
	best, distance := n, max(1, len(n.Name)/4)+1
	for _, o := range objects[:min(len(objects), mostCompared)] {
		if d := suggest.Distance(n.Name, o.Name); d < distance {
			best.Name, distance = o.Name, d
		}
	}
	return best, best.Name != n.Name
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
	return "they have some in " + Some(slices.Compact(names))
}

// Some names a few of many.
func Some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
