package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Subject is the object of a manifest.
type Subject struct {
	Kind schema.GroupVersionKind
	// Namespace is that of the request; Name is empty where the server makes it.
	Namespace, Name string
}

// Server reports how kinds are served.
type Server interface {
	Resource(schema.GroupVersionKind) api.Resource
	Kinds() []schema.GroupVersionKind
}

// Request is what is to be planned.
type Request struct {
	Subjects []Subject
	Server   Server
	// LookedUp are the built-in kinds that the server looks up while it answers for
	// the subjects.
	LookedUp []schema.GroupKind
	// AllNamespaces asks for all objects of the subjects' kinds.
	AllNamespaces bool
}

// needs is a request while it is planned.
type needs struct {
	Request
	byKind     map[schema.GroupKind]schema.GroupVersionKind
	kinds      map[schema.GroupKind]bool
	namespaces []string
}

// Needs are the fetches for a request: as few as there can be, in which no kind that
// the cluster may lack stands beside another. kubectl gets nothing at all where it does
// not know one of the kinds.
func Needs(q Request) []Fetch {
	n := needs{Request: q, byKind: map[schema.GroupKind]schema.GroupVersionKind{}, kinds: map[schema.GroupKind]bool{}}
	for _, kind := range q.Server.Kinds() {
		n.byKind[kind.GroupKind()] = kind
	}
	for _, s := range q.Subjects {
		n.kinds[s.Kind.GroupKind()] = true
	}
	n.namespaces = namespacesOf(q.Subjects)
	others := n.writers()
	return slices.Concat(n.definitions(others), n.manifests(), n.admission(), others)
}

// namespacesOf are those of subjects.
func namespacesOf(subjects []Subject) []string {
	var names []string
	for _, s := range subjects {
		if s.Namespace != "" {
			names = append(names, s.Namespace)
		}
	}
	return sorted(names)
}

// definitions are those of the kinds that are not built in. A definition is named as
// kinds mostly are: for one that is not, all have to be looked at.
func (n needs) definitions(others []Fetch) []Fetch {
	var names []string
	for kind := range n.kinds {
		if !n.builtIn(kind) {
			names = append(names, DefinitionOf(kind))
		}
	}
	for _, f := range others {
		for _, w := range f.Wanted {
			if f.Optional {
				names = append(names, DefinitionOf(w.GroupKind()))
			}
		}
	}
	return DefinitionsNamed(names)
}

// DefinitionsNamed fetches CustomResourceDefinitions; nothing without names.
func DefinitionsNamed(names []string) []Fetch {
	if len(names) == 0 {
		return nil
	}
	w := AllDefinitions.Wanted[0]
	w.Names = sorted(names)
	return []Fetch{{Reason: Definitions, Wanted: []Wanted{w}}}
}

// AllDefinitions fetches all of them.
var AllDefinitions = Fetch{Reason: Definitions, Wanted: []Wanted{{
	Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition", Type: "customresourcedefinitions.apiextensions.k8s.io",
}}}

// DefinitionOf is the name that the definition of a kind has, most likely.
func DefinitionOf(kind schema.GroupKind) string {
	return plural(kind) + "." + kind.Group
}

func plural(kind schema.GroupKind) string {
	resource, _ := meta.UnsafeGuessKindToResource(kind.WithVersion("v1"))
	return resource.Resource
}

// manifests are the live objects of the subjects.
func (n needs) manifests() []Fetch {
	if n.AllNamespaces {
		return n.everything()
	}
	names := map[place]map[schema.GroupVersionKind][]string{}
	for _, s := range n.Subjects {
		if s.Name == "" {
			continue
		}
		at := place{namespace: s.Namespace}
		if !n.builtIn(s.Kind.GroupKind()) {
			// What has no namespace is not asked for in one: kubectl knows.
			at = place{namespace: cmp.Or(s.Namespace, "default"), custom: s.Kind}
		}
		if names[at] == nil {
			names[at] = map[schema.GroupVersionKind][]string{}
		}
		names[at][s.Kind] = append(names[at][s.Kind], s.Name)
	}
	var out []Fetch
	for _, at := range slices.SortedFunc(maps.Keys(names), place.compare) {
		f := Fetch{Reason: Manifests, Namespace: at.namespace}
		for kind, list := range names[at] {
			f.Wanted = append(f.Wanted, n.wanted(kind, list))
		}
		out = append(out, cut(f)...)
	}
	return out
}

// everything is all objects of the subjects' kinds.
func (n needs) everything() []Fetch {
	f := Fetch{Reason: Manifests, AllNamespaces: true}
	var custom []Fetch
	seen := map[schema.GroupKind]bool{}
	for _, s := range n.Subjects {
		kind := s.Kind.GroupKind()
		if seen[kind] {
			continue
		}
		seen[kind] = true
		if n.builtIn(kind) {
			f.Wanted = append(f.Wanted, n.wanted(s.Kind, nil))
		} else {
			custom = append(custom, Fetch{Reason: Manifests, AllNamespaces: true, Wanted: []Wanted{n.wanted(s.Kind, nil)}})
		}
	}
	slices.SortFunc(custom, func(a, b Fetch) int { return strings.Compare(a.Wanted[0].Type, b.Wanted[0].Type) })
	return append(cut(f), custom...)
}

// admission is what the server looks up, cluster-scoped kinds first.
func (n needs) admission() []Fetch {
	var cluster, beta, spaced []Wanted
	for _, kind := range n.LookedUp {
		served := n.byKind[kind]
		w := n.wanted(served, nil)
		switch {
		case kind.Kind == "Namespace":
			// That of its name is always there: with it, one that is not is known to
			// be absent.
			w.Names = sorted(append(slices.Clone(n.namespaces), "default"))
			cluster = append(cluster, w)
		case strings.HasPrefix(kind.Kind, "MutatingAdmissionPolicy"):
			beta = append(beta, w)
		case n.Server.Resource(served).Namespaced:
			spaced = append(spaced, w)
		default:
			cluster = append(cluster, w)
		}
	}
	return slices.Concat(n.apart(cluster), cut(Fetch{Reason: Admission, Wanted: beta, Optional: true}), n.inNamespaces(Admission, spaced))
}

// writers are the objects that have something written to those of the subjects. The
// cluster may lack all kinds of them that are not built in.
func (n needs) writers() []Fetch {
	var own []Wanted
	var out []Fetch
	for _, kind := range writers.ClaimantsOn(n.kinds, n.scales) {
		if served, ok := n.byKind[kind]; ok && n.builtIn(kind) {
			own = append(own, n.wanted(served, nil))
			continue
		}
		w := Wanted{Group: kind.Group, Kind: kind.Kind, Type: plural(kind) + "." + kind.Group}
		for _, f := range n.inNamespaces(Writers, []Wanted{w}) {
			f.Optional = true
			out = append(out, f)
		}
	}
	return append(n.inNamespaces(Writers, own), out...)
}

// scales reports whether objects of a kind have replicas that others may set: a custom
// kind may.
func (n needs) scales(kind schema.GroupKind) bool {
	served, ok := n.byKind[kind]
	return !ok || slices.Contains(n.Server.Resource(served).Subresources, "scale")
}

func (n needs) builtIn(kind schema.GroupKind) bool {
	served, ok := n.byKind[kind]
	return ok && !n.Server.Resource(served).Custom
}
