package cluster

import (
	"cmp"
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
	}
	return cmp.Or(s.namespace, "default")
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

// elsewhere reports whether a document is of another namespace than the one of the
// command line; cluster-scoped kinds have none.
func (s *Scope) elsewhere(id manifest.Identity) bool {
	if resource := s.served.Resource(input.KindOf(id)); resource.Known && !resource.Namespaced {
		return false
	}
	return s.namespace != "" && id.Namespace != "" && id.Namespace != s.namespace
}

// noteElsewhere says once which namespaces of their own manifests have, as Helm and
// Argo CD apply them there.
func (w *World) noteElsewhere() {
	var names []string
	for _, d := range w.Manifests {
		if !w.strict && !w.flags.ByKubectl && w.isWanted(d.Identity) && w.Scope.elsewhere(d.Identity) {
			names = append(names, d.Namespace)
		}
	}
	noun := "manifests name namespaces of their own"
	switch len(names) {
	case 0:
		return
	case 1:
		noun = "manifest names a namespace of its own"
	}
	w.Notices = append(
		w.Notices,
		fmt.Sprintf(
			"%d %s (%s): each is answered in its own, and -n %s is for those without one; --client kubectl refuses them, as kubectl does",
			len(names),
			noun,
			strings.Join(distinct(names), ", "),
			w.namespace,
		),
	)
}

// NoteNamespaces says once which namespaces are taken to exist: something would be
// created in them, which no manifest makes, and no live object is in them. Where the inputs
// claim to have all Namespaces, the server judges, and refuses.
func (w *World) NoteNamespaces(pairs []Pair) {
	if w.absent == nil || w.allNamespaces {
		return
	}
	known := maps.Clone(w.absent.namespaces)
	given := w.givenNamespaces()
	for _, name := range given {
		known[name] = true
	}
	if len(w.Snapshots) > 0 && len(given) > 0 {
		return
	}
	for _, d := range w.Manifests {
		if isNamespace(d.Identity) {
			known[d.Name] = true
		}
	}
	presumed := presumedIn(pairs, known)
	text := "namespaces %s are taken to exist: the inputs have no such Namespaces, and no live object in them"
	switch len(presumed) {
	case 0:
		return
	case 1:
		text = "namespace %s is taken to exist: the inputs have no such Namespace, and no live object in it"
	}
	w.Notices = append(w.Notices, fmt.Sprintf(text, strings.Join(presumed, ", ")))
}

// presumedIn are the namespaces in which pairs create something, and that are not known,
// each once.
func presumedIn(pairs []Pair, known map[string]bool) []string {
	var presumed []string
	for _, p := range pairs {
		name := p.Key.Namespace
		if p.Live == nil && p.Err == nil && name != "" && !known[name] && !server.MakesNamespace(name) {
			presumed = append(presumed, name)
		}
	}
	return distinct(presumed)
}

// givenNamespaces are the names of the Namespaces that the inputs have, but for manifests.
func (w *World) givenNamespaces() (names []string) {
	for _, o := range slices.Concat(w.Live.Kept(), slices.Collect(w.Live.All())) {
		if isNamespace(o.Identity) {
			names = append(names, o.Name)
		}
	}
	for _, d := range w.Definitions {
		if isNamespace(d.Identity) {
			names = append(names, d.Name)
		}
	}
	return names
}

func isNamespace(id manifest.Identity) bool { return id.APIVersion == "v1" && id.Kind == "Namespace" }

// Named gives the live objects that a run is about, in their order: those that
// the arguments name, else all; and of them those of --namespace, where it is
// given. One without a namespace is of them where a manifest is of it. Where none is left, or
// none has a name, the error says so; but not where there is a problem that may be why.
func (w *World) Named(wanted []input.ObjectName) ([]*live.Object, error) {
	all := w.Live.Objects()
	clusterScoped := map[live.Key]bool{}
	for _, d := range w.Manifests {
		if key := w.Key(d.Identity); key.Namespace == "" {
			clusterScoped[key] = true
		}
	}
	out := where(all, func(o *live.Object) bool {
		return (clusterScoped[o.Key] || w.InNamespace(o.Key, wanted)) &&
			(len(wanted) == 0 || w.anyMatches(wanted, o.Identity))
	})
	for _, n := range wanted {
		if len(w.matching(out, n)) == 0 {
			return nil, fmt.Errorf("the live files have no %s%s%s", n, w.OfNamespace(), w.instead(n, all))
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(all) > 0:
		return nil, fmt.Errorf("the live files have no object%s; %s", w.OfNamespace(), namespacesOf(all))
	case len(w.Problems) == 0:
		return nil, errors.New("the inputs have no live objects")
	}
	return nil, nil
}

// anyMatches reports whether one of some names means an object.
func (s *Served) anyMatches(names []input.ObjectName, o manifest.Identity) bool {
	return slices.ContainsFunc(names, func(n input.ObjectName) bool { return s.Matches(n, o) })
}

// matching are those of some objects that a name means.
func (s *Served) matching(objects []*live.Object, n input.ObjectName) []*live.Object {
	return where(objects, func(o *live.Object) bool { return s.Matches(n, o.Identity) })
}

// checkWanted finds arguments that name no manifest, where none that could not be read may
// be the one.
func (w *World) checkWanted() error {
	for _, n := range w.flags.Wanted {
		one := []input.ObjectName{n}
		if len(w.Problems) == 0 && !slices.ContainsFunc(w.Manifests, func(d manifest.Document) bool {
			return w.InNamespace(w.Key(d.Identity), one) && w.Matches(n, d.Identity)
		}) {
			return fmt.Errorf("the manifests have no %s%s", n, w.OfNamespace())
		}
	}
	return nil
}

// instead says what the live files have instead of a name that none of their objects has:
// in other namespaces, of a like name, of the kind, or which kinds.
func (w *World) instead(name input.ObjectName, all []*live.Object) string {
	if len(all) == 0 {
		return ""
	}
	if w.namespace != "" {
		if elsewhere := w.matching(all, name); len(elsewhere) > 0 {
			return "; " + namespacesOf(elsewhere) + meantNamespace(elsewhere)
		}
		if !slices.ContainsFunc(all, func(o *live.Object) bool { return o.Key.Namespace == w.namespace }) {
			return "; " + namespacesOf(all)
		}
	}
	inScope := where(all, func(o *live.Object) bool { return w.InNamespace(o.Key, []input.ObjectName{name}) })
	meant := name
	meant.Name = ""
	same := eachOf(w.matching(inScope, meant), func(o *live.Object) string { return o.Name })
	meant.Name = suggest.Likeliest(name.Name, same[:min(len(same), mostCompared)])
	switch {
	case meant.Name != "" && meant.Name != name.Name:
		return "; did you mean " + meant.String() + "?"
	case len(same) == 0:
		same = eachOf(inScope, func(o *live.Object) string { return o.Kind })
	}
	return "; they have " + Some(distinct(same))
}

// meantNamespace asks for the only namespace that objects have; empty for several.
func meantNamespace(objects []*live.Object) string {
	first := objects[0].Key.Namespace
	if first == "" || slices.ContainsFunc(objects, func(o *live.Object) bool { return o.Key.Namespace != first }) {
		return ""
	}
	return ": did you mean -n " + first + "?"
}

// namespacesOf reports where objects are instead.
func namespacesOf(objects []*live.Object) string {
	namespaces := eachOf(objects, func(o *live.Object) string { return o.Key.Namespace })
	namespaces = slices.DeleteFunc(distinct(namespaces), func(name string) bool { return name == "" })
	if len(namespaces) == 0 {
		return "theirs are of no namespace"
	}
	return "they have some in " + Some(namespaces)
}

// where are those objects that a condition is true of.
func where(objects []*live.Object, is func(*live.Object) bool) []*live.Object {
	return slices.DeleteFunc(slices.Clone(objects), func(o *live.Object) bool { return !is(o) })
}

func eachOf(objects []*live.Object, of func(*live.Object) string) []string {
	var out []string
	for _, o := range objects {
		out = append(out, of(o))
	}
	return out
}

// distinct are names, sorted and each once.
func distinct(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// Some names a few of many.
func Some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
