package clients

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/merging"
	"github.com/ssactl/ssactl/test/sending"
)

// immutable is a server that refuses to change a field of a live object.
func immutable() *merging.Server {
	s := applies.Server()
	refuse := s.Refuse
	s.Refuse = func(r api.Request) (api.Response, bool) {
		if r.Verb != api.Delete && r.Live != nil && strings.Contains(string(r.Body), "two") {
			return api.Response{
				Code:   422,
				Stored: r.Live,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"field is immutable","code":422}`),
			}, true
		}
		return refuse(r)
	}
	return s
}

// TestVerdictOfSteps: the outcome of an object is what the requests do to it, and not how
// its last state differs from the first one.
func TestVerdictOfSteps(t *testing.T) {
	const argo, flux = "argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/"
	managed := `managedFields: [{manager: mesh, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}, "f:theirs": {}}}}]`
	hook := func(key, events string) string { return `annotations: {` + key + `: "` + events + `"}` }
	for _, test := range []struct {
		name, client   string
		settings       client.Settings
		manifest, live string // metadata
		absent         bool
		data           string
		want           string
	}{
		{"applied", "argocd", client.Settings{}, "", "", false, `k: one`, "Configured"},
		{"refused without force", "flux", client.Settings{}, "", "", false, `k: two`, "Invalid"},
		{"force of Flux", "flux", client.Settings{Force: true}, "", "", false, `k: two`, "Configured recreated"},
		{"its annotation", "flux", client.Settings{}, `annotations: {` + flux + `force: enabled}`, "", false, `k: two`, "Configured recreated"},
		{"its annotation on the live object", "flux", client.Settings{}, "", `annotations: {` + flux + `force: enabled}`, false, `k: two`, "Configured recreated"},
		{"force that is not needed", "flux", client.Settings{Force: true}, "", "", false, `k: one`, "Configured"},
		{"replace and force of Argo CD", "argocd", client.Settings{}, `annotations: {` + argo + `sync-options: "Replace=true,Force=true"}`, "", false, `k: one`, "Configured recreated"},
		{"force alone, client-side", "argocd", client.Settings{ServerSide: "false"}, `annotations: {` + argo + `sync-options: Force=true}`, "", false, `k: two`, "Configured recreated"},
		{"replace alone", "argocd", client.Settings{}, `annotations: {` + argo + `sync-options: Replace=true}`, "", false, `k: one`, "Configured"},
		{"deleted, and not created", "flux", client.Settings{Force: true}, "", "", false, `k: two, refuse: me`, "Invalid deleted"},
		{"created", "argocd", client.Settings{}, `annotations: {` + argo + `sync-options: "Replace=true,Force=true"}`, "", true, `k: one`, "Created"},
		{"a hook that is removed again", "helm", client.Settings{ServerSide: "true"}, `annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-succeeded}`, "", true, `k: one`, "Configured deleted, hook pre-install"},
		{"a hook that stays", "helm", client.Settings{ServerSide: "false"}, hook("helm.sh/hook", "post-install, pre-install"), "", true, `k: one`, "Created, hook pre-install,post-install"},
		{"a hook again", "helm", client.Settings{ServerSide: "true"}, hook("helm.sh/hook", "pre-install"), hook("helm.sh/hook", "pre-install"), false, `k: one`, "Configured recreated, hook pre-install"},
		{"a hook of another event", "helm", client.Settings{ServerSide: "true"}, hook("helm.sh/hook", "test"), "", true, `k: one`, "Unchanged"},
		{"what was no hook", "helm", client.Settings{ServerSide: "true"}, hook("helm.sh/hook", "pre-install"), "", false, `k: one`, "Configured recreated"},
		{"a hook of Argo CD", "argocd", client.Settings{}, hook(argo+"hook", "PreSync"), "", true, `k: one`, "Created, hook PreSync"},
		{"one that is removed again", "argocd", client.Settings{}, `annotations: {` + argo + `hook: PostSync, ` + argo + `hook-delete-policy: HookSucceeded}`, "", true, `k: one`, "Configured deleted, hook PostSync"},
	} {
		c, err := New(test.client, "", test.settings)
		if err != nil {
			t.Fatal(err)
		}
		live := ""
		if !test.absent {
			live = applies.ConfigMap("a", ", "+strings.Trim(cmp.Or(test.live, managed)+", uid: u", ", "), `k: live, theirs: x`)
		}
		metadata := test.manifest
		if metadata != "" {
			metadata = ", " + metadata
		}
		w := sending.Write(t, c, applies.ConfigMap("a", metadata, test.data), live)
		c.Plan(t.Context(), immutable(), []engine.Write{w})
		r := c.Simulate(t.Context(), immutable(), w)
		got := string(r.Outcome)
		if r.Recreated {
			got += " recreated"
		}
		if r.Deleted {
			got += " deleted"
		}
		if r.Hook != "" {
			got += ", hook " + r.Hook
		}
		if got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.client, test.name, got, test.want)
		}
		losers := slices.DeleteFunc(slices.Clone(r.Transfers), func(t report.Transfer) bool {
			return t.Kind == report.Acquired || t.Kind == report.Shared
		})
		if r.Recreated && len(losers) > 0 {
			t.Errorf("%s, %s: fields of a new object are taken from %v", test.client, test.name, fmt.Sprint(losers))
		}
		if r.Deleted && test.absent && r.Live != nil {
			t.Errorf("%s, %s: what the run created counts as live", test.client, test.name)
		}
	}
}

// TestHookIsExpected: that no hook is live is no doubt about the inputs.
func TestHookIsExpected(t *testing.T) {
	for metadata, want := range map[string]int{"": 1, ", annotations: {helm.sh/hook: pre-install}": 0} {
		c, err := New("helm", "", client.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, applies.ConfigMap("a", metadata, "k: v"), "")
		w.Caveats = []report.Caveat{{Kind: api.Input, Rule: report.RuleNoLiveKind, Message: "none"}}
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		got := 0
		for _, reason := range c.Simulate(t.Context(), applies.Server(), w).Confidence.Reasons {
			if reason.Rule == report.RuleNoLiveKind {
				got++
			}
		}
		if got != want {
			t.Errorf("%q: %d doubts, want %d", metadata, got, want)
		}
	}
}
