package kubectl

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestCheck: no name that a server takes is refused, and none that bends a command line
// is taken.
func TestCheck(t *testing.T) {
	apps := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	core := func(kind string) schema.GroupVersionKind { return schema.GroupVersionKind{Version: "v1", Kind: kind} }
	type identity struct {
		kind            schema.GroupVersionKind
		namespace, name string
	}
	for _, ok := range []identity{
		{apps, "shop", "web"}, {apps, "shop", ""}, {core("Namespace"), "", "shop"}, {core("ConfigMap"), "0", "kube-root-ca.crt"},
		{schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, "", "system:controller:expand (a) Ü"},
		{schema.GroupVersionKind{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3", Kind: "FlowSchema"}, "", "catch-all"},
		{schema.GroupVersionKind{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"}, "", "v1.apps"},
		{schema.GroupVersionKind{Group: "a.example.com", Version: "v1alpha1", Kind: "X"}, strings.Repeat("n", 63), strings.Repeat("n", 253)},
	} {
		if err := Check(ok.kind, ok.namespace, ok.name); err != nil {
			t.Errorf("%+v: %v", ok, err)
		}
	}
	bad := []string{
		"-A", "--raw=/x", "--kubeconfig=evil", "a\nb", "a/b", "..", "%2e", "a\x1b[31m", "a\u202eb",
		"a\u0085", "\xff", strings.Repeat("n", 2000),
	}
	for _, text := range bad {
		for _, wrong := range []identity{
			{apps, "shop", text}, {apps, text, "web"}, {core(text), "shop", "web"},
			{schema.GroupVersionKind{Group: text, Version: "v1", Kind: "K"}, "shop", "web"}, {schema.GroupVersionKind{Group: "g", Version: text, Kind: "K"}, "shop", "web"},
		} {
			if Check(wrong.kind, wrong.namespace, wrong.name) == nil {
				t.Errorf("%+v is taken", wrong)
			}
		}
		object := Object{
			Resource:  schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
			Namespace: "shop",
			Name:      text,
		}
		other := Object{Resource: schema.GroupVersionResource{Version: "v1", Resource: text}, Name: "web"}
		for _, line := range []string{
			object.Fetch().String(), object.Patch(Patch{}).String(), other.Unannotate("a").String(),
			Get{Selections: []Selection{{"pods", []string{"web", text}}}}.YAML().String(), Get{Selections: []Selection{{Type: text}}}.Command(Client{}).String(),
			Get{Namespace: text, Selections: []Selection{{Type: "pods"}}}.YAML().String(),
		} {
			if line != "" {
				t.Errorf("%q makes %s", text, line)
			}
		}
	}
}
