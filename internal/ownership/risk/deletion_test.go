package risk

import (
	"strings"
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
		{"an Application", "argoproj.io/v1alpha1", "Application", "child",
			`{"metadata":{"finalizers":["resources-finalizer.argocd.argoproj.io/background"]},"status":{"resources":[{},{}]}}`, `{}`,
			[]string{"error deletes-more: : deleting the Application child deletes all that it has deployed, 2 objects by its status"}},
		{"an Application without its finalizer", "argoproj.io/v1alpha1", "Application", "child", `{"status":{"resources":[{}]}}`, `{}`, []string{}},
		{"a Kustomization", "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "child", `{"metadata":{"finalizers":["finalizers.fluxcd.io"]},"spec":{"prune":true}}`, `{}`,
			[]string{"error deletes-more: : deleting the Kustomization child deletes all that it has deployed"}},
		{"a Kustomization that does not prune", "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "child", `{"metadata":{"finalizers":["finalizers.fluxcd.io"]},"spec":{"prune":false}}`, `{}`, []string{}},
		{"a Kustomization that orphans", "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "child",
			`{"metadata":{"finalizers":["finalizers.fluxcd.io"]},"spec":{"prune":true,"deletionPolicy":"Orphan"}}`, `{}`, []string{}},
		{"a suspended one", "kustomize.toolkit.fluxcd.io/v1", "Kustomization", "child",
			`{"metadata":{"finalizers":["finalizers.fluxcd.io"]},"spec":{"prune":true,"suspend":true}}`, `{}`, []string{}},
		{"any other", "v1", "ConfigMap", "a", `{}`, `{}`, []string{}},
	} {
		r := report.Result{
			Outcome:   report.Configured,
			Operation: report.Delete,
			Manager:   "helm",
			Live:      lab.Object(tt.live),
			Object:    lab.Object(tt.after),
			Target:    report.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Name: tt.object},
		}
		if diff := cmp.Diff(tt.want, said(Of(r, nil, given))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	deleting := report.Result{
		Outcome:   report.Unchanged,
		Operation: report.Delete,
		Target:    report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"},
	}
	if risks := Of(deleting, nil, given); len(risks) > 0 {
		t.Errorf("of one that is being deleted: %v", said(risks))
	}
}

// TestRecreation: what is lost where a client deletes an object and creates it again, as bad
// as that is; fields of the new object have no losers.
func TestRecreation(t *testing.T) {
	const bound, retains, deletes = `{"spec":{"volumeName":"v"}}`, `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain"}}}`,
		`{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"}}}`
	for _, tt := range []struct {
		apiVersion, kind, live, hook, want string
	}{
		{"v1", "PersistentVolumeClaim", bound, "", "error deleting the claim deletes its data, unless the reclaim policy of its volume is Retain"},
		{"v1", "PersistentVolumeClaim", `{}`, "", "note the former claim is bound to no volume"},
		{"apps/v1", "StatefulSet", retains, "", "warning all of its Pods are deleted, and started anew; their claims stay"},
		{"apps/v1", "StatefulSet", deletes, "", "error deleting the StatefulSet deletes the PersistentVolumeClaims"},
		{"apps/v1", "Deployment", `{}`, "", "warning all of its Pods are deleted at once"},
		{"apps/v1", "DaemonSet", `{}`, "", "warning all of its Pods are deleted at once"},
		{"batch/v1", "Job", `{}`, "", "warning the Job runs a second time"},
		{"batch/v1", "CronJob", `{}`, "", "warning its Jobs are deleted"},
		{"v1", "Pod", `{}`, "", "warning its containers stop"},
		{"v1", "Service", `{}`, "", "warning it gets another cluster IP"},
		{"v1", "ConfigMap", `{}`, "", "note in between there is none"},
		{"rbac.authorization.k8s.io/v1", "RoleBinding", `{}`, "", "note in between there is none"},
		{"example.com/v1", "Database", `{}`, "", "warning the objects that it owns are deleted with it"},
		{"v1", "Namespace", `{}`, "", "error deleting the namespace x deletes all objects in it"},
		{"batch/v1", "Job", `{}`, "PreSync", ""},
		{"v1", "PersistentVolumeClaim", bound, "PreSync", "error deleting the claim deletes its data"},
	} {
		r := report.Result{
			Outcome:   report.Configured,
			Operation: report.Apply,
			Manager:   "flux",
			Recreated: true,
			Force:     true,
			Hook:      tt.hook,
			Live: lab.Object(
				tt.live,
			),
			Object:  lab.Object(`{}`),
			Target:  report.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Name: "x"},
			Changes: []report.Change{{Field: ".spec.paused", Kind: report.Modified, Reason: report.ReasonDefaulted}},
			Transfers: []report.Transfer{
				{Field: ".spec.a", Manager: "hpa", Operation: "Update", Kind: report.Overridden, Cause: report.ByForce},
			},
			Client: &report.Sequence{Name: "flux"},
		}
		risks := Of(r, nil, Counts{})
		got := ""
		for _, k := range risks {
			got += string(k.Severity) + " " + strings.TrimPrefix(k.Message.String(), "the object is deleted and created again: ")
			if fix := FixOf(r, k); !strings.Contains(fix, "force setting") {
				t.Errorf("%s: the fix is %q", tt.kind, fix)
			}
		}
		if len(risks) > 1 || tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s: %q, want %q", tt.hook, tt.kind, got, tt.want)
		}
	}
}

// TestLostOnTheWay: an object that the client deletes, and does not create again, is said
// whether the end is a refusal or not.
func TestLostOnTheWay(t *testing.T) {
	live := lab.Object(`{}`)
	for _, tt := range []struct {
		name string
		r    report.Result
		want []string
	}{
		{"a refusal", report.Result{Outcome: report.Invalid, Operation: report.Create, Deleted: true, Live: live},
			[]string{"error deletes-more: : the client deletes the object before this refusal, and it stays deleted"}},
		{"a refusal while finalizers keep it", report.Result{Outcome: report.Invalid, Operation: report.Delete, Live: live,
			Object: lab.Object(`{"metadata":{"deletionTimestamp":"2026-11-28T00:00:00Z"}}`)},
			[]string{"error deletes-more: : the client deletes the object before this refusal: it goes as soon as its finalizers are removed"}},
		{"a refusal that deletes nothing", report.Result{Outcome: report.Invalid, Operation: report.Create, Live: live}, nil},
		{"another object is refused", report.Result{Outcome: report.Configured, Operation: report.Apply, Deleted: true, Live: live},
			[]string{"error deletes-more: : the client deletes the object, and does not create it again"}},
		{"a hook", report.Result{Outcome: report.Configured, Operation: report.Delete, Deleted: true, Hook: "PreSync"}, []string{}},
	} {
		if diff := cmp.Diff(tt.want, said(Of(tt.r, nil, Counts{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestNotApplied: what the client leaves out is a warning at the line of the manifest, but of
// replicas that an autoscaler sets a note.
func TestNotApplied(t *testing.T) {
	at := &report.Source{File: "app.yaml", Line: 21}
	r := report.Result{
		Outcome:   report.Unchanged,
		Operation: report.Apply,
		Manager:   "argocd-controller",
		Target:    report.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
		NotSent: []report.NotSent{
			{
				Field:    ".spec.paused",
				Live:     true,
				Manifest: false,
				Setting:  "ignoreDifferences of the Application shop",
				Source:   at,
				Line:     &report.Source{File: "web.yaml", Line: 7},
			},
			{Field: ".spec.replicas", Live: int64(7), Manifest: int64(3), Setting: "--ignore-path"},
		},
	}
	want := []string{
		"warning not-applied: .spec.paused: the manifest has this value, and it is not sent: ignoreDifferences of the Application shop (app.yaml:21)",
		"warning not-applied: .spec.replicas: the manifest has this value, and it is not sent: --ignore-path",
	}
	risks := Of(r, nil, Counts{})
	if diff := cmp.Diff(want, said(risks)); diff != "" || risks[0].Source.Line != 7 {
		t.Errorf("at %v (-want +got):\n%s", risks[0].Source, diff)
	}
	f := finder{Result: r, autoscaler: "HorizontalPodAutoscaler web"}
	if got := f.notSent()[1].Severity; got != report.SeverityNote {
		t.Errorf("of an autoscaler: %s", got)
	}
}
