package kubectl

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
			`kubectl patch --namespace=shop --type=json --patch='[{"op":"remove","path":"/metadata/labels"}]' -- deployments.v1.apps/web`,
		},
		{
			"subresource and field manager",
			Object{Resource: deployments, Namespace: "shop", Name: "web"},
			Patch{Type: MergePatch, Subresource: "scale", Manager: "me", Body: []byte(`{}`)},
			`kubectl patch --namespace=shop --subresource=scale --field-manager=me --type=merge --patch='{}' -- deployments.v1.apps/web`,
		},
		{
			"core group, cluster-scoped",
			Object{Resource: schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, Name: "n1"},
			Patch{Type: MergePatch, Body: []byte(`{}`)},
			`kubectl patch --type=merge --patch='{}' -- nodes/n1`,
		},
		{
			"a name that a shell would run",
			Object{Resource: deployments, Namespace: "shop", Name: "a b'; rm -rf ~"},
			Patch{Type: MergePatch, Body: []byte(`{"a":"it's"}`)},
			`kubectl patch --namespace=shop --type=merge --patch='{"a":"it'\''s"}' -- 'deployments.v1.apps/a b'\''; rm -rf ~'`,
		},
		{
			"a file",
			Object{Resource: deployments, Namespace: "shop", Name: "web"},
			Patch{Type: JSONPatch, File: "-x.json"},
			`kubectl patch --namespace=shop --type=json --patch-file=./-x.json -- deployments.v1.apps/web`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.object.Patch(tt.patch).String()); diff != "" {
				t.Errorf("Patch (-want +got):\n%s", diff)
			}
		})
	}
}
