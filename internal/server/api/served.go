package api

import "k8s.io/apimachinery/pkg/runtime/schema"

// versions are those that kinds of Kubernetes have had, in the order in which a
// server prefers them: of autoscaling, the only group that has both, v2.
var versions = []string{"v2", "v1", "v1beta3", "v1beta2", "v1beta1", "v2beta2", "v2beta1", "v1alpha3", "v1alpha2", "v1alpha1"}

// moved are the groups that kinds of old groups went to.
var moved = map[string][]string{"extensions": {"apps", "networking.k8s.io", "policy"}}

// ServedAs is an API version at which a kind is served, of those that kinds of
// Kubernetes have had, in its group or the one that it went to; empty for none.
func ServedAs(kind schema.GroupVersionKind, serves func(schema.GroupVersionKind) bool) string {
	for _, group := range append([]string{kind.Group}, moved[kind.Group]...) {
		for _, version := range versions {
			gv := schema.GroupVersion{Group: group, Version: version}
			if serves(gv.WithKind(kind.Kind)) {
				return gv.String()
			}
		}
	}
	return ""
}
