// Package applies has applies of made-up objects, and a server for tests of what clients send.
package applies

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// Object is an object in YAML.
func Object(t *testing.T, text string) map[string]any {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object, err := jsontree.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// ConfigMap is a manifest in the namespace team, with more metadata (", labels: {…}") and data.
func ConfigMap(name, metadata, data string) string {
	return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ` + name + `, namespace: team` + metadata + `}, data: {` + data + `}}`
}

// Write is an apply of a manifest by a manager, to a live object where there is one.
func Write(t *testing.T, manager, manifest, live string) engine.Write {
	t.Helper()
	u := &unstructured.Unstructured{Object: Object(t, manifest)}
	w := engine.Write{
		Verb: api.Apply, Kind: u.GroupVersionKind(), Namespace: u.GetNamespace(), Name: u.GetName(), Manager: manager,
	}
	w = w.WithBody(merging.JSON(t, manifest), u.Object)
	if live != "" {
		w = w.On(Object(t, live))
	}
	return w
}

// Server only merges, refuses objects that say "refuse: me", and deletes others unless they
// have a finalizer.
func Server() *merging.Server {
	s := *merging.New()
	s.Refuse = func(r api.Request) (api.Response, bool) {
		if strings.Contains(string(r.Body), "refuse: me") || strings.Contains(string(r.Body), `"refuse":"me"`) {
			return api.Response{
				Code:   422,
				Stored: r.Live,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"refused","code":422}`),
			}, true
		}
		if r.Verb != api.Delete {
			return api.Response{}, false
		}
		live, err := jsontree.Decode(r.Live)
		u := &unstructured.Unstructured{Object: live}
		if err == nil && len(u.GetFinalizers()) > 0 {
			return api.Response{Code: 200, Body: r.Live, Stored: r.Live}, true
		}
		return api.Response{Code: 200, Body: r.Live, Deleted: true}, true
	}
	return &s
}

// Lacking is a server that does not serve a kind.
type Lacking struct {
	*merging.Server
	Kind string
}

// Resource implements api.Server.
func (s Lacking) Resource(kind schema.GroupVersionKind) api.Resource {
	r := s.Server.Resource(kind)
	r.Unserved = kind.Kind == s.Kind
	return r
}
