package kubectl

import (
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
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
		applied = `annotations: {` + client.LastApplied + `: "{}"}`
	)
	settings := client.Settings{Prune: true, ServerSide: "false", Selector: selector}
	for _, test := range []struct {
		name     string
		key      client.Key
		metadata string
		want     bool
	}{
		{"applied", client.Key{"", "ConfigMap", "team", "a"}, shop + ", " + applied, true},
		{"by hand", client.Key{"", "ConfigMap", "team", "a"}, shop, false},
		{"of another label", client.Key{"", "ConfigMap", "team", "a"}, "labels: {app: web}, " + applied, false},
		{"of another namespace", client.Key{"", "ConfigMap", "other", "a"}, shop + ", " + applied, false},
		{"a Deployment", client.Key{"apps", "Deployment", "team", "a"}, shop + ", " + applied, true},
		{"a Deployment of another group", client.Key{"example.com", "Deployment", "team", "a"}, shop + ", " + applied, false},
		{"a kind that is not pruned", client.Key{"", "ServiceAccount", "team", "a"}, shop + ", " + applied, false},
		{"a Namespace", client.Key{"", "Namespace", "", "a"}, shop + ", " + applied, true},
		{"a ClusterRole", client.Key{"rbac.authorization.k8s.io", "ClusterRole", "", "a"}, shop + ", " + applied, false},
	} {
		c, err := New("", settings)
		if err != nil {
			t.Fatal(err)
		}
		c.Plan(t.Context(), applies.Server(), []engine.Write{sending.Write(t, c, applies.ConfigMap("conf", "", "k: v"), "")})
		live := applies.Object(t, "{metadata: {"+test.metadata+"}}")
		policy, got := c.Prunes(test.key, func() map[string]any { return live })
		if got != test.want || got && policy != "Background" || !c.Stops {
			t.Errorf("%s: deleted %v with %q, stops %v", test.name, got, policy, c.Stops)
		}
	}
	settings.Selector = nil
	if _, err := New("", settings); err == nil {
		t.Error("--prune without a selector is no error")
	}
	settings.Selector, settings.ServerSide = selector, "true"
	if _, err := New("", settings); err == nil {
		t.Error("--prune with server-side apply is no error")
	}
}
