package client

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/engine"
)

// TestKubectlPrune: kubectl deletes what it applied client-side, in the namespaces of the
// manifests, if it is of a kind that it prunes; with --prune and a selector alone.
func TestKubectlPrune(t *testing.T) {
	selector, err := labels.Parse("app=shop")
	if err != nil {
		t.Fatal(err)
	}
	const (
		shop    = `labels: {app: shop}`
		applied = `annotations: {` + LastApplied + `: "{}"}`
	)
	settings := Settings{Prune: true, ServerSide: "false", Selector: selector}
	for _, test := range []struct {
		name     string
		key      Key
		metadata string
		want     bool
	}{
		{"applied", Key{"", "ConfigMap", "team", "a"}, shop + ", " + applied, true},
		{"by hand", Key{"", "ConfigMap", "team", "a"}, shop, false},
		{"of another label", Key{"", "ConfigMap", "team", "a"}, "labels: {app: web}, " + applied, false},
		{"of another namespace", Key{"", "ConfigMap", "other", "a"}, shop + ", " + applied, false},
		{"a Deployment", Key{"apps", "Deployment", "team", "a"}, shop + ", " + applied, true},
		{"a Deployment of another group", Key{"example.com", "Deployment", "team", "a"}, shop + ", " + applied, false},
		{"a kind that is not pruned", Key{"", "ServiceAccount", "team", "a"}, shop + ", " + applied, false},
		{"a Namespace", Key{"", "Namespace", "", "a"}, shop + ", " + applied, true},
		{"a ClusterRole", Key{"rbac.authorization.k8s.io", "ClusterRole", "", "a"}, shop + ", " + applied, false},
	} {
		c, err := New("kubectl", "", settings)
		if err != nil {
			t.Fatal(err)
		}
		c.Plan(t.Context(), fake(), []engine.Write{write(t, c, configMap("conf", "", "k: v"), "")})
		live := object(t, "{metadata: {"+test.metadata+"}}")
		policy, got := c.Prunes(test.key, func() map[string]any { return live })
		if got != test.want || got && policy != "Background" || !c.Stops {
			t.Errorf("%s: deleted %v with %q, stops %v", test.name, got, policy, c.Stops)
		}
	}
	settings.Selector = nil
	if _, err := New("kubectl", "", settings); err == nil {
		t.Error("--prune without a selector is no error")
	}
	settings.Selector, settings.ServerSide = selector, "true"
	if _, err := New("kubectl", "", settings); err == nil {
		t.Error("--prune with server-side apply is no error")
	}
}
