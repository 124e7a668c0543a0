package clients

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestNotSent: each field of the manifest that differs from live and is left out is said, with
// the setting that leaves it out; what is sent, or the same, is not.
func TestNotSent(t *testing.T) {
	const live = `k: live, other: same, annotated: "1"`
	managed := `, managedFields: [{manager: mesh, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}]`
	app := func(rule string) client.Settings {
		return client.Settings{
			Objects: []map[string]any{
				applies.Object(
					t,
					`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: shop, namespace: argocd}, spec: {syncPolicy: {syncOptions: [ServerSideApply=true, RespectIgnoreDifferences=true]}, ignoreDifferences: [`+rule+`]}}`,
				),
			},
		}
	}
	ignoring := func(rule string) client.Settings {
		return client.Settings{
			Objects: []map[string]any{
				applies.Object(
					t,
					`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: shop, namespace: flux}, spec: {ignore: [`+rule+`]}}`,
				),
			},
		}
	}
	const flux = "kustomize.toolkit.fluxcd.io/"
	const byApp, byFlux = "ignoreDifferences of the Application shop spec.ignoreDifferences", "spec.ignore of the Kustomization shop spec.ignore"
	for _, test := range []struct {
		name, client         string
		settings             client.Settings
		manifest, live, data string
		want                 []string
	}{
		{"nothing is left out", "argocd", app(`{kind: Secret, jsonPointers: [/data/k]}`), "", "", `k: git`, nil},
		{"a pointer", "argocd", app(`{kind: ConfigMap, jsonPointers: [/data/k]}`), "", "", `k: git, other: new`, []string{".data.k live -> git, " + byApp + "[0]"}},
		{"the second rule", "argocd", app(`{kind: ConfigMap, jsonPointers: [/data/other]}, {kind: ConfigMap, jqPathExpressions: [.data.k]}`), "", "", `k: git`, []string{".data.k live -> git, " + byApp + "[1]"}},
		{"a whole map", "argocd", app(`{kind: ConfigMap, jsonPointers: [/data]}`), "", "", `k: git, other: new`,
			[]string{".data.k live -> git, " + byApp + "[0]", ".data.other same -> new, " + byApp + "[0]"}},
		{"the fields of a manager", "argocd", app(`{kind: ConfigMap, managedFieldsManagers: [mesh]}`), "", managed, `k: git`, []string{".data.k live -> git, " + byApp + "[0]"}},
		{"the same value", "argocd", app(`{kind: ConfigMap, jsonPointers: [/data/k]}`), "", "", `k: live`, nil},
		{"a path", "flux", ignoring(`{paths: [/data/other]}, {paths: [/data/k], target: {kind: ConfigMap}}`), "", "", `k: git, other: same`, []string{".data.k live -> git, " + byFlux + "[1]"}},
		{"a path of others", "flux", ignoring(`{paths: [/data/k], target: {kind: Secret}}`), "", "", `k: git`, nil},
		{"a flag", "flux", client.Settings{IgnorePaths: []string{"/data"}}, "", "", `k: git`, []string{".data.k live -> git, --ignore-path"}},
		{"only where it is absent", "flux", client.Settings{}, `, annotations: {` + flux + `ssa: IfNotPresent}`, "", `k: git, other: same`, []string{".data.k live -> git, " + flux + "ssa: IfNotPresent"}},
		{"not at all", "flux", client.Settings{}, `, labels: {` + flux + `ssa: Ignore}`, "", `k: git`, []string{".data.k live -> git, " + flux + "ssa: Ignore"}},
		{"disabled on the live object", "flux", client.Settings{}, "", `, annotations: {` + flux + `reconcile: disabled}`, `k: git`, []string{".data.k live -> git, " + flux + "reconcile: disabled on the live object"}},
	} {
		s := test.settings
		s.LineOf = func(setting client.Key, path fieldpath.Path) *report.Source {
			return &report.Source{File: path.String()[1:]}
		}
		c, err := New(test.client, "", s)
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, applies.ConfigMap("a", test.manifest, test.data), applies.ConfigMap("a", test.live, live))
		var got []string
		for _, n := range c.Simulate(t.Context(), applies.Server(), w).NotSent {
			says := fmt.Sprintf("%s %v -> %v, %s", n.Field, n.Live, n.Manifest, n.Setting)
			if n.Source != nil && n.Source.File != "" {
				says += " " + n.Source.File
			}
			got = append(got, says)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.client, test.name, diff)
		}
	}
}

// TestNotCreated: that an absent object is left alone is said of the object.
func TestNotCreated(t *testing.T) {
	c, err := New("flux", "", client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	w := sending.Write(
		t,
		c,
		applies.ConfigMap("a", `, annotations: {kustomize.toolkit.fluxcd.io/reconcile: disabled}`, "k: v"),
		"",
	)
	got := c.Simulate(t.Context(), applies.Server(), w)
	if len(got.NotSent) != 1 || got.NotSent[0].Field != "" || got.Outcome != report.Unchanged {
		t.Errorf("%s, not sent: %v", got.Outcome, got.NotSent)
	}
}
