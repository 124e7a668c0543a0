package managedfields_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// TestBare: an object that has a name only is never tracked.
func TestBare(t *testing.T) {
	for text, want := range map[string]bool{
		"{apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: b, uid: u, resourceVersion: '1', creationTimestamp: null, generation: 1}}": true,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, managedFields: []}, data: null}":                                                           true,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}":                                                                            false,
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {a: b}}}":                                                                          false,
		"{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-, name: a-b}}":                                                                      false,
		"{apiVersion: v1, kind: ConfigMap}":                                                                                                               false,
		"{}":                                                                                                                                              false,
	} {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		if got := managedfields.Bare(object); got != want {
			t.Errorf("%s: bare %v", text, got)
		}
	}
}
