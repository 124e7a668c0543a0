package server

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

const acceptingDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.lab.example.com}
spec:
  group: lab.example.com
  scope: Namespaced
  names: {plural: gadgets, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, maximum: 9}
          tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
          pair: {type: object, x-kubernetes-validations: [{rule: self.a < self.b}], properties: {a: {type: integer}, b: {type: integer}}}
`

// TestAccepts: what a create would refuse with 422 is not accepted.
func TestAccepts(t *testing.T) {
	raw, err := yaml.YAMLToJSON([]byte(acceptingDefinition))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{CRDs: [][]byte{raw}})
	if err != nil {
		t.Fatal(err)
	}
	kind := schema.GroupVersionKind{Group: "lab.example.com", Version: "v1", Kind: "Gadget"}
	object := func(key string, v any) map[string]any {
		o := map[string]any{"apiVersion": "lab.example.com/v1", "kind": "Gadget", "metadata": map[string]any{"name": "a", "namespace": "lab"}}
		o[key] = v
		return o
	}
	for _, c := range []struct {
		kind   schema.GroupVersionKind
		object map[string]any
		want   bool
	}{
		{kind, object("size", int64(9)), true},
		{kind, object("size", int64(10)), false},
		{kind, object("tags", []any{"a", "a"}), false},
		{kind, object("pair", map[string]any{"a": int64(1), "b": int64(2)}), true},
		{kind, object("pair", map[string]any{"a": int64(2), "b": int64(2)}), false},
		{kind, object("metadata", map[string]any{"name": "A b", "namespace": "lab"}), false},
		{kind, object("metadata", map[string]any{"name": "a"}), false},
		{kind.GroupKind().WithVersion("v2"), object("size", int64(9)), false},
		{schema.GroupVersionKind{Group: "lab.example.com", Version: "v1", Kind: "Other"}, object("size", int64(9)), false},
		{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, object("data", map[string]any{}), false},
	} {
		if got := s.Accepts(c.kind, c.object); got != c.want {
			t.Errorf("%s %v: %t, want %t", c.kind, c.object, got, c.want)
		}
	}
}

// TestStoredDefinition: what two versions of the API say alike is stored alike.
func TestStoredDefinition(t *testing.T) {
	old := `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: gadgets.lab.example.com}
spec:
  group: lab.example.com
  scope: Namespaced
  preserveUnknownFields: false
  names: {plural: gadgets, kind: Gadget, singular: gadget, listKind: GadgetList}
  version: v1
  validation: {openAPIV3Schema: {type: object, properties: {size: {type: integer, maximum: 9}}}}
`
	raw, err := yaml.YAMLToJSON([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	got, err := StoredDefinition(raw)
	if err != nil {
		t.Fatal(err)
	}
	spec := got["spec"].(map[string]any)
	version := spec["versions"].([]any)[0].(map[string]any)
	if got["apiVersion"] != "apiextensions.k8s.io/v1" || version["name"] != "v1" || version["schema"] == nil || spec["conversion"] == nil {
		t.Errorf("got %v", got)
	}
}
