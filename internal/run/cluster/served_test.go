package cluster

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server/api"
)

// kindsOnly are the kinds that a server has.
type kindsOnly map[schema.GroupVersionKind]string

func (k kindsOnly) Kinds() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for kind := range k {
		out = append(out, kind)
	}
	return out
}

func (k kindsOnly) Resource(kind schema.GroupVersionKind) api.Resource {
	resource, known := k[kind]
	return api.Resource{Known: known, Resource: resource, Namespaced: true}
}

func TestMisnamed(t *testing.T) {
	served := kindsOnly{
		{Version: "v1", Kind: "ConfigMap"}:                              "configmaps",
		{Group: "apps", Version: "v1", Kind: "Deployment"}:              "deployments",
		{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}:    "ingresses",
		{Version: "v1", Kind: "Service"}:                                "services",
		{Group: "serving.knative.dev", Version: "v1", Kind: "Revision"}: "revisions",
	}
	asked := manifest.Document{Identity: manifest.Identity{APIVersion: "example.com/v1", Kind: "Widget", Name: "x"}}
	for name, c := range map[string]struct{ apiVersion, kind, meant string }{
		"as it is served":                {"v1", "ConfigMap", ""},
		"at another version":             {"apps/v1beta1", "Deployment", ""},
		"in another case":                {"v1", "configmap", "apiVersion v1 and kind ConfigMap"},
		"its resource":                   {"v1", "configmaps", "apiVersion v1 and kind ConfigMap"},
		"with a space":                   {"v1", "ConfigMap ", "apiVersion v1 and kind ConfigMap"},
		"a group in another case":        {"Apps/v1", "Deployment", "apiVersion apps/v1 and kind Deployment"},
		"a group that no server has":     {"core/v1", "ConfigMap", "apiVersion v1 and kind ConfigMap"},
		"without its group":              {"v1", "Deployment", "apiVersion apps/v1 and kind Deployment"},
		"of a group that was":            {"extensions/v1beta1", "Ingress", "apiVersion networking.k8s.io/v1 and kind Ingress"},
		"one of a manifest":              {"example.com/v1", "widget", "apiVersion example.com/v1 and kind Widget"},
		"a custom kind of the same name": {"serving.knative.dev/v1", "Service", ""},
		"a custom kind of a like name":   {"other.example.com/v1", "Widget", ""},
		"metadata alone":                 {"meta.k8s.io/v1", "PartialObjectMetadata", "is a PartialObjectMetadata, and no object"},
		"a List of some name":            {"v1", "List", "is a List, and no object"},
	} {
		t.Run(name, func(t *testing.T) {
			k := &liveReading{World: &World{Served: Served{Server: knowing{kinds: served}},
				Inputs: Inputs{Manifests: []manifest.Document{asked}}}}
			id := manifest.Identity{APIVersion: c.apiVersion, Kind: c.kind, Name: "x"}
			err := k.misnamed(func(manifest.Identity) bool { return true })(id)
			if (err == nil) != (c.meant == "") || err != nil && !strings.Contains(err.Error(), c.meant) {
				t.Errorf("got %v, want %q", err, c.meant)
			}
			nobody := k.misnamed(func(id manifest.Identity) bool { return id.Name != "x" })
			if err := nobody(id); err != nil && strings.Contains(err.Error(), "did you mean") {
				t.Errorf("nobody asks about it, and yet: %v", err)
			}
		})
	}
}
