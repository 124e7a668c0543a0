package server

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestNotServed: a group without a dot is none that anybody could define.
func TestNotServed(t *testing.T) {
	server := newServer(t, Options{})
	for _, c := range []struct {
		apiVersion, kind string
		code             int
		alike            []string
	}{
		{"app/v1", "Deployment", 404, []string{"apps/v1, Kind=Deployment"}},
		{"v1", "Deploymnet", 404, []string{"apps/v1, Kind=Deployment"}},
		{"v1", "Configmap", 404, []string{"/v1, Kind=ConfigMap"}},
		{"extensions/v1beta1", "Ingress", 404, []string{"networking.k8s.io/v1, Kind=Ingress"}},
		{"lab.example.com/v1", "Gadget", 201, nil},
		{"apps/v1", "Nonsense", 404, nil},
	} {
		kind := schema.FromAPIVersionAndKind(c.apiVersion, c.kind)
		answer, err := server.Do(context.Background(), api.Request{
			Verb: api.Apply, Kind: kind, Namespace: "d", Name: "web", Manager: "m",
			Body: fmt.Appendf(nil, "apiVersion: %s\nkind: %s\nmetadata:\n  name: web\n  namespace: d\n", c.apiVersion, c.kind),
		})
		if err != nil || answer.Code != c.code {
			t.Errorf("%s: %d, %v; want %d\n%s", kind, answer.Code, err, c.code, answer.Body)
		}
		foreign := kind.Group == "app" || kind.Group == "extensions"
		if told := len(answer.Unsimulated) > 0; c.code == 404 && told != foreign {
			t.Errorf("%s: not simulated: %v", kind, answer.Unsimulated)
		}
		var got []string
		for _, k := range server.Alike(kind) {
			got = append(got, k.String())
		}
		if diff := cmp.Diff(c.alike, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", kind, diff)
		}
	}
}
