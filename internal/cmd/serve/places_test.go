package serve

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// TestPlaces: a write has the place of the manifest in a file that the command names, with its
// namespace or without, and nothing else has one.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"web.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, namespace: shop}\n---\n" +
			"kind: ConfigMap\napiVersion: v1\nmetadata: {name: b}\n",
		"values.yml": "replicas: 3\n",
		"notes.txt":  "kind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "web.yaml")
	p := placesIn([]string{
		"kubectl", "apply", "--filename=" + file, filepath.Join(dir, "values.yml"), filepath.Join(dir, "notes.txt"), "none.yaml",
	})
	for _, test := range []struct {
		namespace, name, subresource string
		verb                         api.Verb
		line                         int
	}{
		{"shop", "a", "", api.Apply, 1},
		{"shop", "b", "", api.Create, 5},
		{"other", "a", "", api.Apply, 0},
		{"shop", "c", "", api.Apply, 0},
		{"shop", "a", "", api.Delete, 0},
		{"shop", "a", "status", api.Apply, 0},
	} {
		object := []written{{write: engine.Write{
			Verb: test.verb, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: test.namespace,
			Name: test.name, Subresource: test.subresource,
		}}}
		p.locate(object)
		if got := object[0].write.Source; got.Line != test.line || test.line > 0 && got.File != file {
			t.Errorf("%+v: the place is %+v", test, got)
		}
	}
}
