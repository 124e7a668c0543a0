package snapshot

import (
	"maps"
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ParametersOf are the objects that admission policies take as parameters, as their
// bindings name them, in these namespaces where a binding names none: all of the kind
// where a binding selects them by labels. Policies and bindings are in one list.
func ParametersOf(policies []map[string]any, namespaces []string) []Fetch {
	kinds := map[string]schema.GroupVersionKind{}
	for _, p := range policies {
		if kind, ok := paramKind(p); ok {
			name, _ := fieldtree.Value(p, "metadata", "name").(string)
			kinds[name] = kind
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
		for _, namespace := range ownOr(ref, namespaces) {
			key := at{kind, namespace}
			names[key] = append(names[key], name)
			all[key] = all[key] || name == ""
		}
	}
	var out []Fetch
	for _, key := range slices.SortedFunc(maps.Keys(names), func(a, b at) int {
		return place{a.namespace, a.kind}.compare(place{b.namespace, b.kind})
	}) {
		w := Wanted{Group: key.kind.Group, Kind: key.kind.Kind, Type: key.kind.Kind + "." + key.kind.Version + "." + key.kind.Group, Names: sorted(names[key])}
		if all[key] {
			w.Names = nil
		}
		out = append(out, cut(Fetch{Reason: Parameters, Namespace: key.namespace, Wanted: []Wanted{w}})...)
	}
	return out
}

// paramKind is the kind of a policy's parameters.
func paramKind(policy map[string]any) (schema.GroupVersionKind, bool) {
	apiVersion, _ := fieldtree.Value(policy, "spec", "paramKind", "apiVersion").(string)
	kind, _ := fieldtree.Value(policy, "spec", "paramKind", "kind").(string)
	return schema.FromAPIVersionAndKind(apiVersion, kind), kind != ""
}

// ownOr is the namespace of a paramRef, or else the namespaces of the objects that are
// judged: of a cluster-scoped kind, kubectl takes any.
func ownOr(ref map[string]any, namespaces []string) []string {
	if namespace, _ := ref["namespace"].(string); namespace != "" {
		return []string{namespace}
	}
	if len(namespaces) == 0 {
		return []string{""}
	}
	return namespaces
}
