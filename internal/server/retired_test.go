package server

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/ssactl/ssactl/internal/server/api"
)

func TestRemovedIn(t *testing.T) {
	server := newServer(t, Options{})
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"batch/v1beta1", "CronJob", "1.25"},
		{"extensions/v1beta1", "Ingress", "1.22"},
		{"batch/v1", "CronJob", ""},
		{"autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.26"},
		{"policy/v1beta1", "PodSecurityPolicy", "1.25"},
		{"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "1.22"},
		{"example.com/v1", "Gadget", ""},
	} {
		if got := server.RemovedIn(schema.FromAPIVersionAndKind(c.apiVersion, c.kind)); got != c.want {
			t.Errorf("%s %s: removed in %q, want %q", c.apiVersion, c.kind, got, c.want)
		}
	}
}

// The version that a retired one is said to be served as is the one that the
// server prefers.
func TestServedAsIsPreferred(t *testing.T) {
	server := newServer(t, Options{})
	serves := func(k schema.GroupVersionKind) bool { return server.Resource(k).Known }
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		for kind := range legacyscheme.Scheme.KnownTypes(gv) {
			retired := schema.GroupVersionKind{Group: gv.Group, Version: "v0", Kind: kind}
			want := ""
			for _, v := range legacyscheme.Scheme.PrioritizedVersionsForGroup(gv.Group) {
				if want == "" && serves(v.WithKind(kind)) {
					want = v.String()
				}
			}
			if got := api.ServedAs(retired, serves); got != want && want != "" {
				t.Errorf("%s: served as %s, want %s", retired, got, want)
			}
		}
	}
}
