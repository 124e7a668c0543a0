package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/auth/rbac/reconciliation"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/applies"
)

// TestWithoutNulls removes what is null from maps, and keeps it in lists.
func TestWithoutNulls(t *testing.T) {
	o := applies.Object(t, `{a: null, b: {c: null, d: [{e: null, f: 1}, null]}}`)
	objects.WithoutNulls(o)
	if diff := cmp.Diff(applies.Object(t, `{b: {d: [{f: 1}, null]}}`), o); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAnnotated: a manifest has itself as its last-applied annotation, without a former one.
func TestAnnotated(t *testing.T) {
	m := applies.Object(
		t,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: former}}}`,
	)
	got := objects.Decode(Annotated(m))
	const want = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}` + "\n"
	if text := string(LastManifest(got)); text != want {
		t.Errorf("%q", text)
	}
	if again := string(Annotated(objects.Decode(Annotated(got)))); again != string(Annotated(got)) {
		t.Error("the annotation has itself")
	}
	if text := LastManifest(applies.Object(t, `{metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: 1}}}`)); len(
		text,
	) != 0 {
		t.Errorf("an annotation that is no text is %q", text)
	}
}

// TestPatchOf is the patch of kubectl's client-side apply.
func TestPatchOf(t *testing.T) {
	deployment, widget := schema.GroupVersionKind{
		Group:   "apps",
		Version: "v1",
		Kind:    "Deployment",
	}, schema.GroupVersionKind{
		Group:   "example.com",
		Version: "v1",
		Kind:    "Widget",
	}
	for _, test := range []struct {
		name                     string
		kind                     schema.GroupVersionKind
		original, modified, live string
		verb                     api.Verb
		want                     string
	}{
		{"a list by its keys", deployment, `{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"1"},{"name":"gone"}]}}}}`,
			`{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"2"}]}}}}`,
			`{spec: {template: {spec: {containers: [{name: a, image: "1"}, {name: gone}, {name: other}]}}}}`, api.StrategicPatch,
			`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"image":"2","name":"a"},{"$patch":"delete","name":"gone"}]}}}}`},
		{"a list as a whole", widget, `{"spec":{"list":[1]}}`, `{"spec":{"list":[2]}}`, `{spec: {list: [1, 3], other: x}}`, api.MergePatch, `{"spec":{"list":[2]}}`},
		{"nothing", widget, ``, `{"spec":{"a":1}}`, `{spec: {a: 1, b: 2}}`, api.MergePatch, `{}`},
		{"an annotation that is no JSON", widget, `{`, `{}`, `{}`, "", errLastApplied.Error()},
		{"another object", widget, ``, `{"kind":"Other"}`, `{kind: Widget}`, api.MergePatch, "precondition failed for: map[kind:Other]"},
	} {
		verb, patch, err := patchOf(test.kind, []byte(test.original), []byte(test.modified), applies.Object(t, test.live))
		got := string(patch)
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(test.want, got); diff != "" || verb != test.verb {
			t.Errorf("%s: %s (-want +got):\n%s", test.name, verb, diff)
		}
	}
}

// TestManifestOf: a manifest is a copy in the namespace of the write.
func TestManifestOf(t *testing.T) {
	w := applies.Write(t, "", applies.ConfigMap("a", "", "k: v"), "")
	w.Namespace = "other"
	m := Manifest(w)
	if objects.Text(m, "metadata", "namespace") != "other" ||
		objects.Text(w.Decoded.(map[string]any), "metadata", "namespace") != "team" {
		t.Errorf("the manifest is %v", m)
	}
	for name, w := range map[string]engine.Write{"as JSON": {JSON: []byte(`{"data":{"k":"v"}}`)}, "as text": {Body: []byte(`{"data":{"k":"v"}}`)}} {
		if got := objects.Text(Manifest(w), "data", "k"); got != "v" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := Manifest(engine.Write{Body: []byte("text")}); got != nil {
		t.Errorf("a text is %v", got)
	}
}

// TestUndecodable: metadata that do not fit their Go type.
func TestUndecodable(t *testing.T) {
	for metadata, want := range map[string]bool{``: false, `, labels: {a: b}`: false, `, labels: {a: 1}`: true, `, labels: [a]`: true, `, finalizers: {a: b}`: true} {
		err := Undecodable(applies.Write(t, "", applies.ConfigMap("a", metadata, "k: v"), ""))
		if (err != nil) != want {
			t.Errorf("%s: %v", metadata, err)
		}
	}
}

// TestNamed: kubectl fills in the namespace, where the annotation of a live object shows it.
func TestNamed(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`
	for live, want := range map[string]string{
		"": "", applies.ConfigMap("a", "", ""): "",
		applies.ConfigMap("a", `, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}`, ""): "team",
	} {
		w := applies.Write(t, "", manifest, live)
		w.Namespace = "team"
		if got := objects.Text(manifestOfBody(named(w)), "metadata", "namespace"); got != want {
			t.Errorf("on %q it is sent in %q, want %q", live, got, want)
		}
	}
}

func manifestOfBody(w engine.Write) map[string]any { return objects.Decode(w.Body) }

// TestReconciled is what kubectl auth reconcile does.
func TestReconciled(t *testing.T) {
	kind := func(k string) schema.GroupVersionKind {
		return schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: k}
	}
	role := func(kind, rules string) string {
		return `{apiVersion: rbac.authorization.k8s.io/v1, kind: ` + kind + `, metadata: {name: r, namespace: team}, rules: [` + rules + `]}`
	}
	binding := func(kind, ref, subject string) string {
		return `{apiVersion: rbac.authorization.k8s.io/v1, kind: ` + kind + `, metadata: {name: r, namespace: team}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ` + ref +
			`}, subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: ` + subject + `}]}`
	}
	const get, list = `{verbs: [get], apiGroups: [""], resources: [pods]}`, `{verbs: [list], apiGroups: [""], resources: [pods]}`
	for _, test := range []struct {
		name, kind, manifest, live string
		want                       reconciliation.ReconcileOperation
		// rules, or subjects, are those of the object.
		items int
	}{
		{"absent", "Role", role("Role", get), "", reconciliation.ReconcileCreate, 1},
		{"a rule is missing", "Role", role("Role", list), role("Role", get), reconciliation.ReconcileUpdate, 2},
		{"nothing is missing", "ClusterRole", role("ClusterRole", get), role("ClusterRole", get+", "+list), reconciliation.ReconcileNone, 2},
		{"a cluster role is absent", "ClusterRole", role("ClusterRole", get), "", reconciliation.ReconcileCreate, 1},
		{"a subject is missing", "RoleBinding", binding("RoleBinding", "r", "b"), binding("RoleBinding", "r", "a"), reconciliation.ReconcileUpdate, 2},
		{"another role", "RoleBinding", binding("RoleBinding", "s", "a"), binding("RoleBinding", "r", "a"), reconciliation.ReconcileRecreate, 1},
		{"a cluster binding", "ClusterRoleBinding", binding("ClusterRoleBinding", "s", "a"), binding("ClusterRoleBinding", "r", "a"), reconciliation.ReconcileRecreate, 1},
		{"an absent binding", "ClusterRoleBinding", binding("ClusterRoleBinding", "s", "a"), "", reconciliation.ReconcileCreate, 1},
	} {
		var live map[string]any
		if test.live != "" {
			live = applies.Object(t, test.live)
		}
		operation, got, err := Reconciled(kind(test.kind), applies.Object(t, test.manifest), live)
		if n := len(rulesAndSubjects(got)); err != nil || operation != test.want || n != test.items {
			t.Errorf("%s: %s, %d rules or subjects, %v", test.name, operation, n, err)
		}
	}
	if _, _, err := Reconciled(kind("Role"), applies.Object(t, `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: 1}`), nil); err == nil {
		t.Error("a role of a wrong type is reconciled")
	}
}

func rulesAndSubjects(object map[string]any) []any {
	return append(objects.List(object, "rules"), objects.List(object, "subjects")...)
}

// TestUpgrade: entries join the Apply entry as csaupgrade joins them, and the patch says it.
func TestUpgrade(t *testing.T) {
	entry := func(manager, operation, fields string) string {
		return `{manager: ` + manager + `, operation: ` + operation + `, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: ` + fields + `}`
	}
	const noted = `{"f:metadata": {"f:annotations": {"f:kubectl.kubernetes.io/last-applied-configuration": {}}}}`
	of := func(entries string) map[string]any {
		return applies.Object(t, applies.ConfigMap("a", `, resourceVersion: "7", managedFields: [`+entries+`]`, "k: v"))
	}
	both := of(
		entry(
			"kubectl-edit",
			"Update",
			noted,
		) + ", " + entry(
			"kubectl-client-side-apply",
			"Update",
			noted,
		) + ", " + entry(
			"hpa",
			"Update",
			`{"f:data": {}}`,
		),
	)
	if diff := cmp.Diff([]string{"kubectl-client-side-apply", "kubectl-edit"}, AnnotationUpdaters(both)); diff != "" {
		t.Errorf("updaters (-want +got):\n%s", diff)
	}
	if got := AnnotationUpdaters(of(entry("hpa", "Update", `{"f:data": {"f:k": {}}}`))); got != nil {
		t.Errorf("updaters are %v", got)
	}
	upgraded, err := Upgrade(both, AnnotationUpdaters(both), "kubectl", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range objects.Entries(upgraded) {
		got = append(got, e.Manager+" "+string(e.Operation))
	}
	if diff := cmp.Diff([]string{"kubectl Apply", "hpa Update"}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	patch := UpgradePatch(upgraded)
	if len(patch) != 2 || patch[0].Path != "/metadata/managedFields" || patch[1].Value != "7" {
		t.Errorf("the patch is %v", patch)
	}
	if same, err := Upgrade(both, []string{"nobody"}, "kubectl", ""); same != nil || err != nil {
		t.Errorf("without an entry: %v, %v", same, err)
	}
	if patch := UpgradePatch(applies.Object(t, applies.ConfigMap("a", "", ""))); patch[0].Value != nil {
		t.Errorf("no entries are %v", patch[0].Value)
	}
}
