package kubectl

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/shell"
)

func TestPatch(t *testing.T) {
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	tests := []struct {
		name   string
		object Object
		patch  Patch
		want   string
	}{
		{
			"namespaced",
			Object{Resource: deployments, Namespace: "shop", Name: "web"},
			Patch{Type: JSONPatch, Body: []byte(`[{"op":"remove","path":"/metadata/labels"}]`)},
			`kubectl patch deployments.v1.apps/web -n shop --type=json -p '[{"op":"remove","path":"/metadata/labels"}]'`,
		},
		{
			"subresource and field manager",
			Object{Resource: deployments, Namespace: "shop", Name: "web"},
			Patch{Type: MergePatch, Subresource: "scale", Manager: "me", Body: []byte(`{}`)},
			`kubectl patch deployments.v1.apps/web -n shop --subresource=scale --field-manager=me --type=merge -p '{}'`,
		},
		{
			"core group, cluster-scoped",
			Object{Resource: schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, Name: "n1"},
			Patch{Type: MergePatch, Body: []byte(`{}`)},
			`kubectl patch nodes/n1 --type=merge -p '{}'`,
		},
		{
			"names that a shell would run",
			Object{Resource: deployments, Namespace: "$(id)", Name: "a b'; rm -rf ~"},
			Patch{Type: MergePatch, Body: []byte(`{"a":"it's"}`)},
			`kubectl patch 'deployments.v1.apps/a b'\''; rm -rf ~' -n '$(id)' --type=merge -p '{"a":"it'\''s"}'`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shell.Command(tt.object.Patch(tt.patch)...)); diff != "" {
				t.Errorf("Patch (-want +got):\n%s", diff)
			}
		})
	}
}
