package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

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
		for chunk := range chunks(w.Names) {
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

// chunks gives names in parts that one command takes; no names are one part.
func chunks(names []string) func(func([]string) bool) {
	if len(names) == 0 {
		return func(yield func([]string) bool) { yield(nil) }
	}
	return slices.Chunk(names, mostNames)
}
