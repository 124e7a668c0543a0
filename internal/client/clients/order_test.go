package clients

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestInOrder: each client sends manifests in its own order, kubectl as they are.
func TestInOrder(t *testing.T) {
	annotated := func(kind, name, notes string) string {
		return `{apiVersion: example.com/v1, kind: ` + kind + `, metadata: {name: ` + name + `, namespace: team, annotations: {` + notes + `}}}`
	}
	manifests := []string{
		annotated("Widget", "early", `argocd.argoproj.io/sync-wave: "-1"`),
		annotated("Widget", "b", ""),
		annotated("Widget", "a", ""),
		annotated("Job", "pre", "helm.sh/hook: pre-install"),
		annotated("Job", "post", "helm.sh/hook: post-install"),
		`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}}`,
		applies.ConfigMap("settings", "", ""),
		`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets}, spec: {group: example.com, names: {kind: Widget}}}`,
		`{apiVersion: v1, kind: Namespace, metadata: {name: team}}`,
	}
	settings := client.Settings{Namespace: "team", Release: "web"}
	for name, want := range map[string][]string{
		// Both are before what needs them first, whatever their waves.
		"argocd": {"team", "pre", "widgets", "early", "settings", "a", "b", "high", "post"},
		"flux":   {"widgets", "team", "high", "settings", "post", "pre", "a", "b", "early"},
		"helm":   {"pre", "high", "team", "settings", "widgets", "early", "b", "a", "post"},
	} {
		c, err := New(name, "", settings)
		if err != nil {
			t.Fatal(err)
		}
		var writes []engine.Write
		for _, m := range manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		var got []string
		for _, w := range c.InOrder(writes) {
			got = append(got, w.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" || !c.Sorts() {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	kubectl, err := New("kubectl", "", settings)
	if err != nil || kubectl.Sorts() {
		t.Errorf("kubectl sorts what it sends: %v", err)
	}
}
