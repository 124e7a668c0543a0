package cluster

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/suggest"
)

// Scope fills in namespaces as kubectl does: documents without one go to the
// namespace of the command line, or to "default".
type Scope struct {
	served interface {
		Resource(schema.GroupVersionKind) api.Resource
	}
	namespace string
	// strict refuses documents of another namespace.
	strict bool
}

// NamespaceOf is the namespace of the request for a document; empty for
// cluster-scoped kinds. A kind that nothing defines is taken to be what the
// document says.
func (s *Scope) NamespaceOf(id manifest.Identity) string {
	resource := s.served.Resource(input.KindOf(id))
	switch {
	case resource.Known && !resource.Namespaced:
		return ""
	case id.Namespace != "":
		return id.Namespace
	case !resource.Known && s.namespace == "":
		return ""
	case s.namespace != "":
		return s.namespace
	}
	return "default"
}

// Key is that of the object of a document, in the namespace of the request.
func (s *Scope) Key(id manifest.Identity) live.Key {
	key := live.KeyOf(id)
	key.Namespace = s.NamespaceOf(id)
	return key
}

// knows reports whether anything given defines the kind of a document.
func (s *Scope) knows(id manifest.Identity) bool { return s.served.Resource(input.KindOf(id)).Known }

// InNamespace reports whether an object is in the namespace of the command line. As with
// kubectl, it is ignored for an object without a namespace that an argument names.
func (s *Scope) InNamespace(k live.Key, wanted []input.ObjectName) bool {
	return s.namespace == "" || k.Namespace == s.namespace || k.Namespace == "" && len(wanted) > 0
}

// OfNamespace is --namespace in the words of a message; empty without it.
func (s *Scope) OfNamespace() string {
	if s.namespace == "" {
		return ""
	}
	return fmt.Sprintf(" in the namespace %q", s.namespace)
}

// conflicting refuses, as kubectl does where it is asked to be strict, a document
// of another namespace than the one of the command line; cluster-scoped kinds have
// none.
func (s *Scope) conflicting(id manifest.Identity) error {
	if s.strict && s.elsewhere(id) {
		return fmt.Errorf("the manifest is of namespace %q, but --namespace is %q", id.Namespace, s.namespace)
	}
	return nil
}

// elsewhere reports whether a document is of another namespace than the one of the
// command line.
func (s *Scope) elsewhere(id manifest.Identity) bool {
	if resource := s.served.Resource(input.KindOf(id)); resource.Known && !resource.Namespaced {
		return false
	}
	return s.namespace != "" && id.Namespace != "" && id.Namespace != s.namespace
}

// noteElsewhere says once which namespaces of their own manifests have, as Helm and
// Argo CD apply them there.
func (c *Cluster) noteElsewhere() {
	found := map[string]bool{}
	n := 0
	for _, document := range c.Manifests {
		if !c.strict && c.isWanted(document.Identity) && c.Scope.elsewhere(document.Identity) {
			found[document.Namespace] = true
			n++
		}
	}
	if n == 0 {
		return
	}
	noun := "manifest names a namespace of its own"
	if n > 1 {
		noun = "manifests name namespaces of their own"
	}
	c.Notices = append(c.Notices, fmt.Sprintf("%d %s (%s): each is answered in its own, and -n %s is for those without one; --namespace-strict refuses them, as kubectl does",
		n, noun, strings.Join(slices.Sorted(maps.Keys(found)), ", "), c.namespace))
}

// NoteNamespaces says once which namespaces are taken to exist: something would be
// created in them, which no manifest makes, and no live object is in them. With any
// Namespace that is live the server judges, and refuses.
func (c *Cluster) NoteNamespaces(pairs []Pair) {
	is := func(o *live.Object) bool { return isNamespace(o.Identity) }
	if c.absent == nil || slices.ContainsFunc(c.Live.Kept(), is) || slices.ContainsFunc(slices.Collect(c.Live.All()), is) ||
		slices.ContainsFunc(c.Definitions, func(d manifest.Document) bool { return isNamespace(d.Identity) }) {
		return
	}
	known := maps.Clone(c.absent.namespaces)
	for _, d := range c.Manifests {
		if isNamespace(d.Identity) {
			known[d.Name] = true
		}
	}
	presumed := map[string]bool{}
	for _, p := range pairs {
		name := p.Key.Namespace
		if p.Live == nil && p.Err == nil && name != "" && !known[name] && !server.MakesNamespace(name) {
			presumed[name] = true
		}
	}
	if len(presumed) == 0 {
		return
	}
	text := "namespace %s is taken to exist: no Namespace is given, and no live object in it"
	if len(presumed) > 1 {
		text = "namespaces %s are taken to exist: no Namespace is given, and no live object in them"
	}
	c.Notices = append(c.Notices, fmt.Sprintf(text, strings.Join(slices.Sorted(maps.Keys(presumed)), ", ")))
}

func isNamespace(id manifest.Identity) bool { return id.APIVersion == "v1" && id.Kind == "Namespace" }

// Named gives the live objects that a run is about, in their order: those that
// the arguments name, else all; and of them those of --namespace, where it is
// given. Where none is left, or none has a name, the error says so; but not where there is
// a problem that may be why.
func (c *Cluster) Named(wanted []input.ObjectName) ([]*live.Object, error) {
	var out []*live.Object
	all := c.Live.Objects()
	for _, o := range all {
		if c.InNamespace(o.Key, wanted) && (len(wanted) == 0 || c.anyMatches(wanted, o.Identity)) {
			out = append(out, o)
		}
	}
	for _, n := range wanted {
		if !slices.ContainsFunc(out, func(o *live.Object) bool { return c.Matches(n, o.Identity) }) {
			return nil, fmt.Errorf("the live files have no %s%s%s", n, c.OfNamespace(), choice{c, n, all}.instead())
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(all) > 0:
		return nil, fmt.Errorf("the live files have no object%s; %s", c.OfNamespace(), namespacesOf(all))
	case len(c.Problems) == 0:
		return nil, errors.New("the inputs have no live objects")
	}
	return nil, nil
}

// anyMatches reports whether one of some names means an object.
func (s *Served) anyMatches(names []input.ObjectName, o manifest.Identity) bool {
	return slices.ContainsFunc(names, func(n input.ObjectName) bool { return s.Matches(n, o) })
}

// checkWanted finds arguments that name no manifest, where none that could not be read may
// be the one.
func (c *Cluster) checkWanted() error {
	for _, n := range c.flags.Wanted {
		one := []input.ObjectName{n}
		if len(c.Problems) == 0 && !slices.ContainsFunc(c.Manifests, func(d manifest.Document) bool {
			return c.InNamespace(c.Key(d.Identity), one) && c.Matches(n, d.Identity)
		}) {
			return fmt.Errorf("the manifests have no %s%s", n, c.OfNamespace())
		}
	}
	return nil
}

// choice is a name that no live object has, and the live objects that it may mean.
type choice struct {
	*Cluster
	name input.ObjectName
	all  []*live.Object
}

// instead says of a name that no live object has what the live files have instead: in
// other namespaces, of a like name, of the kind, or which kinds.
func (c choice) instead() string {
	if text := c.elsewhere(); text != "" || len(c.all) == 0 {
		return text
	}
	anyName := c.name
	anyName.Name = ""
	same := c.matching(c.inScope(), anyName)
	compared := same[:min(len(same), mostCompared)]
	if nearest := suggest.Likeliest(c.name.Name, eachOf(compared, nameOf)); nearest != "" && nearest != c.name.Name {
		anyName.Name = nearest
		return "; did you mean " + anyName.String() + "?"
	}
	if len(same) == 0 {
		return "; they have " + namesOf(c.inScope(), func(o *live.Object) string { return o.Kind })
	}
	return "; they have " + namesOf(same, nameOf)
}

// elsewhere says in which other namespaces the objects of a name are, or else
// any; nothing where no namespace was asked for.
func (c choice) elsewhere() string {
	if c.namespace == "" || len(c.all) == 0 {
		return ""
	}
	if matching := c.matching(c.all, c.name); len(matching) > 0 {
		return "; " + namespacesOf(matching) + meantNamespace(matching)
	}
	if slices.ContainsFunc(c.all, func(o *live.Object) bool { return o.Key.Namespace == c.namespace }) {
		return ""
	}
	return "; " + namespacesOf(c.all)
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
func (c choice) inScope() []*live.Object {
	return slices.DeleteFunc(slices.Clone(c.all), func(o *live.Object) bool { return !c.InNamespace(o.Key, []input.ObjectName{c.name}) })
}

// matching are those of some objects that a name means.
func (c choice) matching(objects []*live.Object, n input.ObjectName) []*live.Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o *live.Object) bool { return !c.Matches(n, o.Identity) })
}

// namesOf names a few of what objects have, sorted and each once.
func namesOf(objects []*live.Object, of func(*live.Object) string) string {
	names := eachOf(objects, of)
	slices.Sort(names)
	return Some(slices.Compact(names))
}

func eachOf(objects []*live.Object, of func(*live.Object) string) []string {
	var out []string
	for _, o := range objects {
		out = append(out, of(o))
	}
	return out
}

func nameOf(o *live.Object) string { return o.Name }

// namespacesOf reports where objects are instead.
func namespacesOf(objects []*live.Object) string {
	placed := slices.DeleteFunc(slices.Clone(objects), func(o *live.Object) bool { return o.Key.Namespace == "" })
	if len(placed) == 0 {
		return "theirs are of no namespace"
	}
	return "they have some in " + namesOf(placed, func(o *live.Object) string { return o.Key.Namespace })
}

// Some names a few of many.
func Some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
