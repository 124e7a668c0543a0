package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
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
	// Settings is the custom kind that the client takes settings from; empty for none.
	Settings schema.GroupKind
	// AllNamespaces asks for all objects of the subjects' kinds.
	AllNamespaces bool
}

// namespaces are those of the subjects, sorted.
func (q Request) namespaces() []string {
	var names []string
	for _, s := range q.Subjects {
		if s.Namespace != "" {
			names = append(names, s.Namespace)
		}
	}
	return sorted(names)
}

// needs is a request while it is planned.
type needs struct {
	Request
	byKind map[schema.GroupKind]schema.GroupVersionKind
	kinds  map[schema.GroupKind]bool
	// namespaces are those of the subjects.
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
	n.namespaces = q.namespaces()
	others := slices.Concat(n.writers(), n.settings())
	return slices.Concat(n.definitions(others), n.manifests(), n.admission(), others)
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
	resource, _ := meta.UnsafeGuessKindToResource(kind.WithVersion("v1"))
	return resource.Resource + "." + kind.Group
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
	return slices.Concat(
		n.apart(cluster),
		cut(Fetch{Reason: Admission, Wanted: beta, Optional: true}),
		n.inNamespaces(Admission, spaced),
	)
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
		w := Wanted{Group: kind.Group, Kind: kind.Kind, Type: DefinitionOf(kind)}
		for _, f := range n.inNamespaces(Writers, []Wanted{w}) {
			f.Optional = true
			out = append(out, f)
		}
	}
	return append(n.inNamespaces(Writers, own), out...)
}

// settings are those of the client, which are in a namespace of its own: what is live says
// which of them is meant.
func (n needs) settings() []Fetch {
	if n.Settings.Empty() {
		return nil
	}
	w := Wanted{Group: n.Settings.Group, Kind: n.Settings.Kind, Type: DefinitionOf(n.Settings)}
	return []Fetch{{Reason: Settings, Wanted: []Wanted{w}, AllNamespaces: true, Optional: true}}
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

// place is where the objects of one fetch are.
type place struct {
	namespace string
	// custom is the kind where it is not built in, else zero.
	custom schema.GroupVersionKind
}

func (p place) compare(other place) int {
	return cmp.Or(strings.Compare(p.custom.String(), other.custom.String()), strings.Compare(p.namespace, other.namespace))
}

// apart are cluster-scoped objects, those with names first.
func (n needs) apart(list []Wanted) []Fetch {
	named, all := Fetch{Reason: Admission}, Fetch{Reason: Admission}
	for _, w := range list {
		if w.Names != nil {
			named.Wanted = append(named.Wanted, w)
		} else {
			all.Wanted = append(all.Wanted, w)
		}
	}
	return append(cut(named), cut(all)...)
}

// inNamespaces is all objects of some kinds in the namespaces of the subjects, and in
// those that are subjects.
func (n needs) inNamespaces(reason Reason, list []Wanted) []Fetch {
	if n.AllNamespaces {
		return cut(Fetch{Reason: reason, Wanted: list, AllNamespaces: true})
	}
	namespaces := slices.Clone(n.namespaces)
	for _, s := range n.Subjects {
		if s.Kind.Group == "" && s.Kind.Kind == "Namespace" && s.Name != "" {
			namespaces = append(namespaces, s.Name)
		}
	}
	var out []Fetch
	for _, namespace := range sorted(namespaces) {
		out = append(out, cut(Fetch{Reason: reason, Wanted: slices.Clone(list), Namespace: namespace})...)
	}
	return out
}

// wanted names a kind to kubectl: one that is built in without its version, since the
// cluster may not serve it any more, and any other at the version of the manifest.
func (n needs) wanted(kind schema.GroupVersionKind, names []string) Wanted {
	w := Wanted{Group: kind.Group, Kind: kind.Kind, Names: sorted(names)}
	switch r := n.Server.Resource(n.byKind[kind.GroupKind()]); {
	case !n.builtIn(kind.GroupKind()):
		w.Type = kind.Kind + "." + kind.Version + "." + kind.Group
	case kind.Group == "":
		w.Type = r.Resource
	default:
		w.Type = r.Resource + "." + kind.Group
	}
	return w
}

// sorted gives names once each, and nil for none.
func sorted(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// mostNames is how many objects one command names.
const mostNames = 200

// cut makes of a fetch as many as commands can be long; nothing of an empty one.
func cut(f Fetch) []Fetch {
	slices.SortFunc(f.Wanted, func(a, b Wanted) int { return strings.Compare(a.Type, b.Type) })
	var out []Fetch
	part, count := f, 0
	part.Wanted = nil
	for _, w := range f.Wanted {
		chunks := [][]string{nil}
		if len(w.Names) > 0 {
			chunks = slices.Collect(slices.Chunk(w.Names, mostNames))
		}
		for _, chunk := range chunks {
			if count+len(chunk) > mostNames {
				out, count = append(out, part), 0
				part.Wanted = nil
			}
			w.Names = chunk
			part.Wanted, count = append(part.Wanted, w), count+len(chunk)
		}
	}
	if len(part.Wanted) > 0 {
		out = append(out, part)
	}
	return out
}

// ParametersOf are the objects that admission policies take as parameters, as their
// bindings name them, in these namespaces where a binding names none: all of the kind
// where a binding selects them by labels. Policies and bindings are in one list.
func ParametersOf(policies []map[string]any, namespaces []string) []Fetch {
	kinds := map[string]schema.GroupVersionKind{}
	for _, p := range policies {
		apiVersion, _ := fieldtree.Value(p, "spec", "paramKind", "apiVersion").(string)
		if kind, _ := fieldtree.Value(p, "spec", "paramKind", "kind").(string); kind != "" {
			name, _ := fieldtree.Value(p, "metadata", "name").(string)
			kinds[name] = schema.FromAPIVersionAndKind(apiVersion, kind)
		}
	}
	type at struct {
		kind      schema.GroupVersionKind
		namespace string
	}
	// No names are all.
	names := map[at][]string{}
	all := map[at]bool{}
	for _, b := range policies {
		policy, _ := fieldtree.Value(b, "spec", "policyName").(string)
		kind, ok := kinds[policy]
		if !ok {
			continue
		}
		ref, _ := fieldtree.Value(b, "spec", "paramRef").(map[string]any)
		name, _ := ref["name"].(string)
		places := namespaces
		if namespace, _ := ref["namespace"].(string); namespace != "" {
			places = []string{namespace}
		} else if len(namespaces) == 0 {
			// Of cluster-scoped objects: kubectl takes any namespace.
			places = []string{""}
		}
		for _, namespace := range places {
			key := at{kind, namespace}
			names[key] = append(names[key], name)
			all[key] = all[key] || name == ""
		}
	}
	var out []Fetch
	for _, key := range slices.SortedFunc(maps.Keys(names), func(a, b at) int {
		return place{a.namespace, a.kind}.compare(place{b.namespace, b.kind})
	}) {
		w := Wanted{
			Group: key.kind.Group,
			Kind:  key.kind.Kind,
			Type:  key.kind.Kind + "." + key.kind.Version + "." + key.kind.Group,
			Names: sorted(names[key]),
		}
		if all[key] {
			w.Names = nil
		}
		out = append(out, cut(Fetch{Reason: Parameters, Namespace: key.namespace, Wanted: []Wanted{w}})...)
	}
	return out
}
