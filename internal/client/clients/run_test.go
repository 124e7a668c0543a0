package clients

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestOptions: which clients take a flag, and which one has a field manager.
func TestOptions(t *testing.T) {
	for option, want := range map[string][]string{
		"prune": {"kubectl", "argocd", "flux"}, "server-side": {"kubectl", "helm", "argocd"}, "release": {"helm"}, "none": nil,
	} {
		if diff := cmp.Diff(want, about.With(option)); diff != "" {
			t.Errorf("--%s (-want +got):\n%s", option, diff)
		}
	}
	for manager, want := range map[string]string{"kustomize-controller": "flux", "helm": "helm", "bob": "", "": ""} {
		if about, is := about.Managing(manager); about.Name != want || is != (want != "") {
			t.Errorf("%s: %q", manager, about.Name)
		}
	}
	for _, test := range []struct {
		kind schema.GroupKind
		name string
		want bool
	}{
		{about.Applications, "web", true}, {about.Kustomizations, "web", true}, {about.Secrets, "sh.helm.release.v1.web.v1", true}, {about.Secrets, "web", false},
		{schema.GroupKind{Kind: "ConfigMap"}, "sh.helm.release.v1.web.v1", false},
	} {
		if got := client.IsSetting(test.kind, test.name); got != test.want {
			t.Errorf("%s %s is a setting: %v", test.kind, test.name, got)
		}
	}
	if !about.Helm.IsSetting(applies.Object(t, `{apiVersion: v1, kind: Secret}`)) ||
		about.Kubectl.IsSetting(map[string]any{}) {
		t.Error("a client has settings of another kind")
	}
}

// TestRefuse: a refused object is not sent, and what the client says is the answer.
func TestRefuse(t *testing.T) {
	c, err := New("kubectl", "", client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	w := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")
	c.Refuse(client.KeyOf(w), "not today")
	for name, got := range map[string]report.Result{"sent": c.Simulate(t.Context(), applies.Server(), w), "contested": c.Unforced(t.Context(), applies.Server(), w)} {
		want := report.Invalid
		if name == "contested" {
			// kubectl itself is asked of the server.
			want = report.Created
		}
		if got.Outcome != want {
			t.Errorf("%s: %s %s", name, got.Outcome, got.Answer().Message)
		}
	}
	if unknown, err := New("other", "", client.Settings{}); unknown != nil || err != nil {
		t.Errorf("%v, %v", unknown, err)
	}
}

// TestContested is the request in which a manifest may conflict.
func TestContested(t *testing.T) {
	live := applies.ConfigMap(
		"a",
		`, uid: u, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}`,
		"k: v",
	)
	for _, test := range []struct {
		name, client string
		settings     client.Settings
		verb         api.Verb
		refused      string
	}{
		{"kubectl", "kubectl", client.Settings{ForceConflicts: true}, api.Apply, ""},
		{"Argo CD, without force", "argocd", client.Settings{}, api.Apply, ""},
		{"a client that patches: the apply that is asked", "argocd", client.Settings{ServerSide: "false"}, api.Apply, ""},
		{"Helm refuses what is not its own", "helm", client.Settings{Release: "shop", Namespace: "team"}, "", "unable to continue with install"},
	} {
		c, err := New(test.client, "", test.settings)
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, applies.ConfigMap("a", "", "k: w"), live)
		w.Force = true
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		sent, refusal := c.Contested(t.Context(), applies.Server(), w)
		switch {
		case test.refused != "" && (refusal == nil || !strings.HasPrefix(refusal.Answer().Message, test.refused)):
			t.Errorf("%s: %v", test.name, refusal)
		case test.refused == "" && (refusal != nil || sent.Verb != test.verb || sent.Force):
			t.Errorf("%s: %s, force %v, %v", test.name, sent.Verb, sent.Force, refusal)
		}
	}
	c, err := New("flux", "", client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	stays := sending.Write(t, c, applies.ConfigMap("a", "", "k: w"), live)
	c.Stopped[client.KeyOf(stays)] = client.Stop{Notice: "not applied: another object is refused"}
	sent, refusal := c.Contested(t.Context(), applies.Server(), stays)
	if refusal != nil || objects.Annotations(client.Live(sent))[client.LastApplied] != "" {
		t.Errorf(
			"what another object keeps from being applied is asked on %s before its entries move (%v)",
			sent.Live,
			refusal,
		)
	}
	var none *client.Client
	w := sending.Write(t, &client.Client{}, applies.ConfigMap("a", "", "k: w"), "")
	if got := none.Unforced(t.Context(), applies.Server(), w); got.Outcome != report.Created {
		t.Errorf("the bare request is %s", got.Outcome)
	}
}
