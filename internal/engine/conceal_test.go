package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestConceal: of a refusal, and of warnings, what depends on a field that was made from a Secret is masked, and
// the rest is said. The value of the live object counts too.
func TestConceal(t *testing.T) {
	quoting := func(r api.Request) (api.Response, bool) {
		read := func(text []byte) map[string]any {
			var object struct{ Data map[string]any }
			_ = json.Unmarshal(text, &object)
			return object.Data
		}
		body, live := read(r.Body), read(r.Live)
		cause := func(field, message string) map[string]any { return map[string]any{"field": field, "message": message} }
		status, _ := json.Marshal(map[string]any{
			"kind": "Status", "status": "Failure", "reason": "Invalid", "code": 422,
			"message": "url is " + body["url"].(string),
			"details": map[string]any{"causes": []any{
				cause("data.url", "is "+body["url"].(string)), cause("data.url", "was "+live["url"].(string)), cause("data.plain", "is "+body["plain"].(string)),
			}},
		})
		return api.Response{Code: 422, Body: status, Warnings: []string{"begins with " + body["url"].(string)[:1], "is deprecated"}}, true
	}
	s := *merging.New()
	s.Refuse = quoting
	w := Write{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "a", Name: "b", Manager: "m",
	}
	object := func(url string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "b", "namespace": "a"},
			"data": map[string]any{"url": url, "plain": "shown"}}
	}
	w, err := w.Send(object("hunter2"))
	if err != nil {
		t.Fatal(err)
	}
	w = w.On(object("former"))
	for _, derived := range [][]disguise.Path{nil, {{"data", "url"}}} {
		w.Derived = derived
		r := Simulate(context.Background(), &s, w)
		said := r.Status.Message + " " + strings.Join(r.Warnings, " ")
		for _, c := range r.Causes {
			said += " " + c.Message
		}
		for text, secret := range map[string]bool{"hunter2": true, "former": true, "begins with h": true, "shown": false, "is deprecated": false} {
			if want := derived == nil || !secret; strings.Contains(said, text) != want {
				t.Errorf("with %v derived: %q in %q, want %v", derived, text, said, want)
			}
		}
	}
}
