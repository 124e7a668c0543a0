package risk

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

// TestDeletion: what a deletion takes with the object.
func TestDeletion(t *testing.T) {
	given := Counts{}
	foo, settings := schema.GroupKind{Group: "example.com", Kind: "Foo"}, schema.GroupKind{Kind: "ConfigMap"}
	given.Add(foo, "shop")
	given.Add(foo, "shop")
	given.Add(foo, "team")
	given.Add(settings, "shop")
	given.Add(schema.GroupKind{Kind: "Namespace"}, "")
	for _, tt := range []struct {
		name, apiVersion, kind, object, live, after string
		want                                        []string
	}{
		{"a namespace", "v1", "Namespace", "shop", `{}`, `{}`, []string{"error deletes-more: : deleting the namespace shop deletes all objects in it, 3 of them in the live files"}},
		{"a namespace without live objects", "v1", "Namespace", "empty", `{}`, `{}`, []string{"error deletes-more: : deleting the namespace empty deletes all objects in it; the live files have none"}},
		{"a definition", "apiextensions.k8s.io/v1", "CustomResourceDefinition", "foos.example.com", `{"spec":{"group":"example.com","names":{"kind":"Foo"}}}`, `{}`,
			[]string{"error deletes-more: : deleting the definition foos.example.com deletes all objects of its kind, 3 of them in the live files, in 2 namespaces"}},
		{"a claim", "v1", "PersistentVolumeClaim", "data", `{"spec":{"volumeName":"v"}}`, `{}`, []string{"error deletes-more: : deleting the claim deletes its data, unless the reclaim policy of its volume is Retain"}},
		{"a claim that is not bound", "v1", "PersistentVolumeClaim", "data", `{"spec":{}}`, `{}`, []string{}},
		{"a volume", "v1", "PersistentVolume", "v", `{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`, `{}`, []string{"error deletes-more: : deleting the volume deletes its data: its reclaim policy is Delete"}},
		{"a volume that is retained", "v1", "PersistentVolume", "v", `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`, `{}`, []string{}},
		{"a StatefulSet", "apps/v1", "StatefulSet", "db", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}`, `{}`, []string{}},
		{"a StatefulSet with its claims", "apps/v1", "StatefulSet", "db", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"}}}`, `{}`,
			[]string{"error deletes-more: : deleting the StatefulSet deletes the PersistentVolumeClaims of its Pods: its retention policy is Delete"}},
		{"a StatefulSet that orphans them", "apps/v1", "StatefulSet", "db", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"}}}`, `{"metadata":{"finalizers":["orphan"]}}`, []string{}},
		{"any other", "v1", "ConfigMap", "a", `{}`, `{}`, []string{}},
	} {
		r := report.Result{Outcome: report.Configured, Operation: report.Delete, Manager: "helm", Live: lab.Object(tt.live), Object: lab.Object(tt.after),
			Target: report.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Name: tt.object}}
		if diff := cmp.Diff(tt.want, said(Of(r, nil, given))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	deleting := report.Result{Outcome: report.Unchanged, Operation: report.Delete, Target: report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"}}
	if risks := Of(deleting, nil, given); len(risks) > 0 {
		t.Errorf("of one that is being deleted: %v", said(risks))
	}
}
