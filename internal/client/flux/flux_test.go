package flux

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// kustomized is a client of a Kustomization whose spec says something.
func kustomized(t *testing.T, spec string, s client.Settings) *client.Client {
	t.Helper()
	s.Objects = append(
		s.Objects,
		applies.Object(
			t,
			`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: apps, namespace: flux-system}, `+spec+`}`,
		),
	)
	c, err := New("", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSkips: which objects a reconciliation leaves alone.
func TestSkips(t *testing.T) {
	live := applies.ConfigMap("a", "", "k: v")
	for _, test := range []struct {
		manifest, live string
		want           bool
	}{
		{applies.ConfigMap("a", "", ""), "", false},
		{applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}`, ""), "", true},
		{applies.ConfigMap("a", `, labels: {kustomize.toolkit.fluxcd.io/reconcile: Disabled}`, ""), "", true},
		{applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/ssa: ignore}`, ""), live, true},
		{applies.ConfigMap("a", "", ""), applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/ssa: Ignore}`, ""), true},
		{applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent}`, ""), live, true},
		{applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent}`, ""), "", false},
		{applies.ConfigMap("a", "", ""), applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent}`, ""), false},
	} {
		var o map[string]any
		if test.live != "" {
			o = applies.Object(t, test.live)
		}
		if _, got := skipping(engine.Write{}, applies.Object(t, test.manifest), o); got != test.want {
			t.Errorf("%s on %s: skips %v", test.manifest, test.live, got)
		}
	}
}

// TestTakeOver: the entries of client-side managers join the Apply entry of the controller.
func TestTakeOver(t *testing.T) {
	entry := func(manager string, operation metav1.ManagedFieldsOperationType, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager:     manager,
			Operation:   operation,
			Subresource: subresource,
			FieldsV1:    metav1.NewFieldsV1(fields),
		}
	}
	const apply, update = metav1.ManagedFieldsOperationApply, metav1.ManagedFieldsOperationUpdate
	const own, a, b, both = "kustomize-controller", `{"f:a":{}}`, `{"f:b":{}}`, `{"f:a":{},"f:b":{}}`
	for _, test := range []struct {
		name          string
		entries, want []metav1.ManagedFieldsEntry
		edited        bool
	}{
		{"nothing to take", []metav1.ManagedFieldsEntry{entry("hpa", update, "scale", b), entry(own, apply, "", a)}, []metav1.ManagedFieldsEntry{entry("hpa", update, "scale", b), entry(own, apply, "", a)}, false},
		{"kubectl's, of every kind", []metav1.ManagedFieldsEntry{entry("kubectl-edit", update, "", a), entry("kubectl", apply, "", b), entry(own, apply, "", a)}, []metav1.ManagedFieldsEntry{entry(own, apply, "", both)}, true},
		{"the first of them becomes its own", []metav1.ManagedFieldsEntry{entry("before-first-apply", update, "", a), entry("helm", update, "", b)}, []metav1.ManagedFieldsEntry{entry("helm", update, "", b), entry(own, apply, "", a)}, true},
		{"its own updates", []metav1.ManagedFieldsEntry{entry(own, update, "", a), entry(own, apply, "", b)}, []metav1.ManagedFieldsEntry{entry(own, apply, "", both)}, true},
		{"not those of a subresource", []metav1.ManagedFieldsEntry{entry("kubectl", update, "scale", a), entry(own, apply, "", b)}, []metav1.ManagedFieldsEntry{entry("kubectl", update, "scale", a), entry(own, apply, "", b)}, false},
		{"fields that cannot be read are not joined", []metav1.ManagedFieldsEntry{entry("kubectl", update, "", "{"), entry(own, apply, "", a)}, []metav1.ManagedFieldsEntry{entry(own, apply, "", a)}, true},
		{"not an override without its name", []metav1.ManagedFieldsEntry{entry("deployer", apply, "", a), entry(own, apply, "", b)}, []metav1.ManagedFieldsEntry{entry("deployer", apply, "", a), entry(own, apply, "", b)}, false},
	} {
		got, edited := fluxOf(client.Settings{}).takeOver(slices.Clone(test.entries))
		if diff := cmp.Diff(test.want, got); diff != "" || edited != test.edited {
			t.Errorf("%s: edited %v (-want +got):\n%s", test.name, edited, diff)
		}
	}
	f := fluxOf(client.Settings{OverrideManagers: []string{"deployer"}})
	if got, _ := f.takeOver([]metav1.ManagedFieldsEntry{entry("deployer", apply, "", a), entry(own, apply, "", b)}); len(
		got,
	) != 1 {
		t.Errorf("an overridden manager keeps its entry: %v", got)
	}
}

// TestDrifted: what Flux compares of an object with its dry run.
func TestDrifted(t *testing.T) {
	const live = `{metadata: {labels: {a: b}, resourceVersion: "1"}, data: {k: v, other: x}, status: {a: 1}}`
	for _, test := range []struct {
		name, tried string
		ignored     []string
		want        bool
	}{
		{"the same", live, nil, false},
		{"only the version and the status", `{metadata: {labels: {a: b}, resourceVersion: "2"}, data: {k: v, other: x}, status: {a: 2}}`, nil, false},
		{"a label", `{metadata: {labels: {a: c}}, data: {k: v, other: x}}`, nil, true},
		{"an annotation", `{metadata: {labels: {a: b}, annotations: {a: c}}, data: {k: v, other: x}}`, nil, true},
		{"no annotations are empty ones", `{metadata: {labels: {a: b}, annotations: {}}, data: {k: v, other: x}}`, nil, false},
		{"a value", `{metadata: {labels: {a: b}}, data: {k: w, other: x}}`, nil, true},
		{"an ignored value", `{metadata: {labels: {a: b}}, data: {k: w, other: x}}`, []string{"/data/k"}, false},
		{"another one as well", `{metadata: {labels: {a: b}}, data: {k: w, other: y}}`, []string{"/data/k"}, true},
	} {
		if got := drifted(applies.Object(t, live), applies.Object(t, test.tried), objects.Pointers(test.ignored)); got != test.want {
			t.Errorf("%s: drifted %v", test.name, got)
		}
	}
}

// TestIgnoreRules: which paths of spec.ignore are those of an object.
func TestIgnoreRules(t *testing.T) {
	o := applies.Object(
		t,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: team, labels: {app: web}, annotations: {a: b}}}`,
	)
	for rule, want := range map[string]bool{
		`{paths: [/spec]}`: true,
		`{paths: [/spec], target: {kind: Deployment, group: apps}}`: true,
		`{paths: [/spec], target: {kind: Deploy}}`:                  false,
		`{paths: [/spec], target: {kind: "Deploy.*"}}`:              true,
		`{paths: [/spec], target: {name: "("}}`:                     false,
		`{paths: [/spec], target: {version: v2}}`:                   false,
		`{paths: [/spec], target: {labelSelector: "app in (web)"}}`: true,
		`{paths: [/spec], target: {labelSelector: "app=other"}}`:    false,
		`{paths: [/spec], target: {labelSelector: "=="}}`:           false,
		`{paths: [/spec], target: {annotationSelector: "a"}}`:       true,
		`{paths: [/spec], target: {annotationSelector: "missing"}}`: false,
		`{paths: [/spec], target: {namespace: team, name: web}}`:    true,
		`{paths: [/spec], target: {namespace: other, name: "w.*"}}`: false,
	} {
		f := &flux{Client: &client.Client{}}
		f.read(applies.Object(t, `{spec: {ignore: [`+rule+`]}}`))
		if got := len(f.rulesFor(o)) > 0; got != want {
			t.Errorf("%s is of the object: %v", rule, got)
		}
	}
}

// TestSettle: an ignored path that drifted is left to its applier, or has its live value.
func TestSettle(t *testing.T) {
	const applied = `, managedFields: [{manager: team-b, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}]`
	for _, test := range []struct {
		name, path, live, tried string
		ok                      bool
		want                    string
	}{
		{"not drifted", "/data/k", applies.ConfigMap("a", "", "k: w"), applies.ConfigMap("a", "", "k: w"), true, applies.ConfigMap("a", "", "k: w")},
		{"applied by another", "/data/k", applies.ConfigMap("a", applied, "k: v"), applies.ConfigMap("a", "", "k: w"), true, applies.ConfigMap("a", "", "")},
		{"what is in it is applied by another", "/data", applies.ConfigMap("a", applied, "k: v"), applies.ConfigMap("a", "", "k: w"), true, `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: team}}`},
		{"only live", "/data/k", applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("a", "", "k: w"), true, applies.ConfigMap("a", "", "k: v")},
		{"not in the manifest", "/data/other", applies.ConfigMap("a", "", "other: v"), applies.ConfigMap("a", "", "k: w"), false, applies.ConfigMap("a", "", "k: w")},
	} {
		f := fluxOf(client.Settings{})
		manifest := applies.Object(t, applies.ConfigMap("a", "", "k: w"))
		ok := f.settle(objects.ParsePointer(test.path), manifest, applies.Object(t, test.live), applies.Object(t, test.tried))
		if diff := cmp.Diff(applies.Object(t, test.want), manifest); ok != test.ok || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.name, ok, diff)
		}
	}
}

// TestNormalized: a manifest as its Go type writes it.
func TestNormalized(t *testing.T) {
	kind := func(group, version, kind string) engine.Write {
		return engine.Write{Kind: schema.GroupVersionKind{Group: group, Version: version, Kind: kind}}
	}
	for _, test := range []struct {
		name           string
		w              engine.Write
		manifest, want string
		dropped        int
	}{
		{"a port has a protocol", kind("", "v1", "Service"), `{apiVersion: v1, kind: Service, spec: {ports: [{port: 80}, {port: 53, protocol: UDP}]}}`,
			`{apiVersion: v1, kind: Service, metadata: {creationTimestamp: null}, spec: {ports: [{port: 80, protocol: TCP, targetPort: 0}, {port: 53, protocol: UDP, targetPort: 0}]}}`, 0},
		{"stringData is in data", kind("", "v1", "Secret"), `{apiVersion: v1, kind: Secret, stringData: {a: b}}`,
			`{apiVersion: v1, kind: Secret, metadata: {creationTimestamp: null}, data: {a: Yg==}}`, 0},
		{"unknown fields are gone", kind("", "v1", "ConfigMap"), `{apiVersion: v1, kind: ConfigMap, dta: {a: b}, data: {a: b}}`,
			`{apiVersion: v1, kind: ConfigMap, metadata: {creationTimestamp: null}, data: {a: b}}`, 1},
		{"roles stay", kind("rbac.authorization.k8s.io", "v1", "Role"), `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{verbs: [get]}], x: 1}`,
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, rules: [{verbs: [get]}], x: 1}`, 0},
		{"so do custom resources, but their status", kind("example.com", "v1", "Widget"), `{apiVersion: example.com/v1, kind: Widget, spec: {a: 1}, status: {b: 1}}`,
			`{apiVersion: example.com/v1, kind: Widget, metadata: {creationTimestamp: null}, spec: {a: 1}}`, 0},
		{"a definition with a CA that is none", kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {conversion: {webhook: {clientConfig: {caBundle: "Cg==", url: u}}}}, status: {a: 1}}`,
			`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {creationTimestamp: null}, spec: {conversion: {webhook: {clientConfig: {url: u}}}}, status: {a: 1}}`, 0},
	} {
		got, dropped := normalized(test.w, applies.Object(t, test.manifest))
		if diff := cmp.Diff(applies.Object(t, test.want), got); diff != "" || len(dropped) != test.dropped {
			t.Errorf("%s: dropped %v (-want +got):\n%s", test.name, dropped, diff)
		}
	}
}

// TestFluxOrder is the order in which a reconciliation comes to objects.
func TestFluxOrder(t *testing.T) {
	c := fluxOf(client.Settings{}).Client
	var writes []engine.Write
	for _, m := range []string{
		`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: v}}`,
		`{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: team}}`,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, namespace: team}}`,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: team}}`,
		`{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}}`,
		`{apiVersion: v1, kind: Namespace, metadata: {name: team}}`,
		`{apiVersion: example.com/v1, kind: BackupClass, metadata: {name: b}}`,
	} {
		writes = append(writes, sending.Write(t, c, m, ""))
	}
	slices.SortStableFunc(writes, inFluxOrder)
	var got []string
	for _, w := range writes {
		got = append(got, w.Kind.Kind+" "+w.Name)
	}
	want := []string{
		"Namespace team", "StorageClass s", "BackupClass b", "Deployment a", "Deployment b", "Job j",
		"ValidatingWebhookConfiguration v",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReconciliation: what is refused ends the reconciliation, and nothing of its stage is
// applied.
func TestReconciliation(t *testing.T) {
	namespace := `{apiVersion: v1, kind: Namespace, metadata: {name: team}}`
	for _, test := range []struct {
		name      string
		manifests []string
		want      map[string]string
	}{
		{"all are accepted", []string{applies.ConfigMap("a", "", "k: v"), namespace}, map[string]string{
			"Namespace team": "DryRun Created; Apply Created", "ConfigMap a": "DryRun Created; Apply Created"}},
		{"one of the last stage", []string{applies.ConfigMap("b", "", "refuse: me"), applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("c", "", "k: v"), namespace}, map[string]string{
			"Namespace team": "DryRun Created; Apply Created",
			"ConfigMap a":    "DryRun Created; not applied: ConfigMap b is refused, and with it the reconciliation",
			"ConfigMap b":    "DryRun Invalid; refused",
			"ConfigMap c":    "not applied: ConfigMap b is refused, and with it the reconciliation; kustomize-controller tries four objects at a time, and may have moved the entries of this one",
		}},
		{"one of the first stage", []string{applies.ConfigMap("a", "", "k: v"), `{apiVersion: v1, kind: Namespace, metadata: {name: team, annotations: {refuse: me}}}`}, map[string]string{
			"Namespace team": "DryRun Invalid; refused", "ConfigMap a": "not applied: Namespace team is refused, and with it the reconciliation"}},
		{"a stage that waits for what is left alone", []string{applies.ConfigMap("a", "", "k: v"), `{apiVersion: v1, kind: Namespace, metadata: {name: team, annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}}}`}, map[string]string{
			"Namespace team": "Apply Invalid; timeout waiting for: [Namespace/team status: 'NotFound']",
			"ConfigMap a":    "not applied: Namespace team is refused, and with it the reconciliation"}},
	} {
		c := kustomized(t, "spec: {}", client.Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sending.All(t, c, writes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestKustomization: objects get the labels of their Kustomization and what it says of all.
func TestKustomization(t *testing.T) {
	c := kustomized(t, `spec: {commonMetadata: {labels: {team: a}, annotations: {note: b}}}`, client.Settings{})
	w := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")
	c.Plan(t.Context(), applies.Server(), []engine.Write{w})
	run := c.Send(t.Context(), applies.Server(), w)
	got := run.Object()
	want := map[string]string{
		"team":                                  "a",
		"kustomize.toolkit.fluxcd.io/name":      "apps",
		"kustomize.toolkit.fluxcd.io/namespace": "flux-system",
	}
	if diff := cmp.Diff(want, objects.Labels(got)); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"note": "b"}, objects.Annotations(got)); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

// TestInventory: with an inventory, what it does not have is not pruned.
func TestInventory(t *testing.T) {
	c := kustomized(
		t,
		`spec: {prune: true}, status: {inventory: {entries: [{id: team_a__b_rbac.authorization.k8s.io_Role, v: v1}]}}`,
		client.Settings{},
	)
	live := applies.Object(
		t,
		`{metadata: {labels: {kustomize.toolkit.fluxcd.io/name: apps, kustomize.toolkit.fluxcd.io/namespace: flux-system}}}`,
	)
	for key, want := range map[client.Key]bool{
		{Group: "rbac.authorization.k8s.io", Kind: "Role", Namespace: "team", Name: "a:b"}: true,
		{Group: "rbac.authorization.k8s.io", Kind: "Role", Namespace: "team", Name: "a"}:   false,
	} {
		if _, prune := c.Prunes(key, func() map[string]any { return live }); prune != want {
			t.Errorf("%v is pruned: %v", key, prune)
		}
	}
	if _, prune := kustomized(t, "spec: {}", client.Settings{}).Prunes(client.Key{}, func() map[string]any { return live }); prune {
		t.Error("pruned without being told to")
	}
}

// fluxOf is a reconciliation with some settings.
func fluxOf(s client.Settings) *flux { return newFlux(&client.Client{Program: about.Flux}, s) }

// TestUnbuilt: what a manifest shows of the work that is left to the Kustomization.
func TestUnbuilt(t *testing.T) {
	for _, test := range []struct {
		name, manifest        string
		substitutes, decrypts bool
		want                  string
	}{
		{"a variable", applies.ConfigMap("a", "", `k: "x${name:=y}"`), true, false, "the manifest has ${name:=y}, which the Kustomization substitutes"},
		{"where none is substituted", applies.ConfigMap("a", "", `k: "${name}"`), false, true, ""},
		{"an object that is left alone", applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}`, `k: "${name}"`), true, true, ""},
		{"no variable", applies.ConfigMap("a", "", `k: "$name ${1} $(name)"`), true, true, ""},
		{"an encrypted one", `{apiVersion: v1, kind: Secret, metadata: {name: s}, sops: {version: "3"}}`, false, true, "the manifest is encrypted, and the Kustomization decrypts it"},
		{"where none is decrypted", `{apiVersion: v1, kind: Secret, metadata: {name: s}, sops: {version: "3"}}`, true, false, ""},
	} {
		f := &flux{substitutes: test.substitutes, decrypts: test.decrypts}
		if got := f.unbuilt(applies.Object(t, test.manifest)); got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
