package client_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
)

// TestSettings asks which of several settings a client goes by: of a dump, those that the
// live objects are of.
func TestSettings(t *testing.T) {
	const (
		ours  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team, labels: {app.kubernetes.io/managed-by: Helm, kustomize.toolkit.fluxcd.io/name: web, kustomize.toolkit.fluxcd.io/namespace: flux}, annotations: {"argocd.argoproj.io/tracking-id": "web:/ConfigMap:team/back", meta.helm.sh/release-name: web, meta.helm.sh/release-namespace: team}}}`
		other = `{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: team}}`
	)
	apps := []string{
		`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: other}}`,
		`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web}, spec: {syncPolicy: {syncOptions: [ServerSideApply=true]}}}`,
	}
	kustomizations := []string{
		`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: web, namespace: other}}`,
		`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: web, namespace: flux}, spec: {commonMetadata: {labels: {from: flux}}}}`,
	}
	tests := []struct {
		name, client string
		live         []string
		objects      []string
		// first is the request that is sent; notice begins what is said.
		first, notice string
	}{
		{"the application of the live objects", "argocd", []string{other, ours}, apps, "Apply as argocd-controller: Configured", ""},
		{"no live object says it", "argocd", []string{other}, apps, "Apply as argocd-controller: Configured", "the inputs have several Applications"},
		{"the only application", "argocd", []string{other}, apps[:1], "Patch as argocd-controller: Configured", ""},
		{"the Kustomization of the live objects", "flux", []string{ours}, kustomizations, "DryRun as kustomize-controller: Configured", ""},
		{"no live object is of one", "flux", []string{other}, kustomizations, "DryRun as kustomize-controller: Configured", "the inputs have several Kustomizations"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := client.Settings{Live: liveOf(t, tt.live)}
			for _, o := range tt.objects {
				s.Objects = append(s.Objects, decoded(t, o))
			}
			c := made(t, tt.client, s)
			server, w := asking(t, c, settings(""), manifest(""))
			c.Plan(context.Background(), server, []engine.Write{w})
			if got := steps(c.Send(context.Background(), server, w)); len(got) == 0 || got[0] != tt.first {
				t.Errorf("sends %q, want %q", got, tt.first)
			}
			if got := strings.Join(c.Notices, "; "); !strings.HasPrefix(got, tt.notice) || tt.notice == "" && got != "" {
				t.Errorf("says %q, want %q", got, tt.notice)
			}
		})
	}
}

// liveOf are live objects.
func liveOf(t *testing.T, texts []string) func(func(map[string]any) bool) {
	t.Helper()
	var all []map[string]any
	for _, text := range texts {
		all = append(all, decoded(t, text))
	}
	return slices.Values(all)
}

// TestReleases asks which of several releases is meant.
func TestReleases(t *testing.T) {
	of := func(name, namespace string) map[string]any {
		secret := secretOf(t, 1, "deployed", "csa", "")
		metadata := secret["metadata"].(map[string]any)
		metadata["name"], metadata["namespace"] = "sh.helm.release.v1."+name+".v1", namespace
		return secret
	}
	shop, blue, prod := of("shop", "team"), of("shop.blue", "team"), of("shop", "prod")
	ours := liveOf(t, []string{`{metadata: {labels: {app.kubernetes.io/managed-by: Helm}, annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: prod}}}`})
	for name, tt := range map[string]struct {
		settings client.Settings
		wrong    string
	}{
		"named":                  {client.Settings{Release: "shop", Objects: []map[string]any{blue, shop}}, ""},
		"several":                {client.Settings{Objects: []map[string]any{blue, shop}}, "several Helm releases"},
		"in several namespaces":  {client.Settings{Release: "shop", Objects: []map[string]any{shop, prod}}, "releases shop in several namespaces"},
		"that of -n":             {client.Settings{Namespace: "prod", Objects: []map[string]any{shop, prod}}, ""},
		"that of a live object":  {client.Settings{Objects: []map[string]any{blue, shop, prod}, Live: ours}, ""},
		"another is not decoded": {client.Settings{Release: "shop", Objects: []map[string]any{shop, {"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "sh.helm.release.v1.broken.v1", "namespace": "team"}}}}, ""},
	} {
		_, err := client.New("helm", "", tt.settings)
		if wrong := ""; err != nil {
			wrong = err.Error()
			if tt.wrong == "" || !strings.Contains(wrong, tt.wrong) {
				t.Errorf("%s: %s", name, wrong)
			}
		} else if tt.wrong != "" {
			t.Errorf("%s: no error, want %q", name, tt.wrong)
		}
	}
}
