package client_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/clients"
)

func TestHelm(t *testing.T) {
	const before = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: back}\ndata: {k: v, old: gone}\n"
	with := func(version string, s client.Settings, method string) func(*testing.T) *client.Client {
		return func(t *testing.T) *client.Client {
			s.Namespace = "team"
			if method != "install" {
				s.Objects = []map[string]any{secretOf(t, 1, "superseded", "ssa", ""), secretOf(t, 2, "deployed", method, before)}
			} else {
				s.Release = "shop"
			}
			c, err := clients.New("helm", version, s)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	const released = `meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: team`
	ours := func(entries ...string) string {
		return strings.Replace(settings(released, entries...), "tier: web", "app.kubernetes.io/managed-by: Helm", 1)
	}
	updates, applies := entry(
		"helm",
		"Update",
		`{"f:data":{"f:k":{},"f:old":{}}}`,
	), entry(
		"helm",
		"Apply",
		`{"f:data":{"f:k":{},"f:old":{}}}`,
	)
	last := func(status string) func(*testing.T) *client.Client {
		return func(t *testing.T) *client.Client {
			c, err := clients.New("helm", "4", client.Settings{Namespace: "team", Objects: []map[string]any{
				secretOf(t, 1, "deployed", "csa", before), secretOf(t, 2, status, "csa", before),
			}})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	checkSent(t, []sent{
		{name: "another upgrade runs", live: ours(updates), manifest: manifest(""), client: last("pending-upgrade"),
			steps: []string{"Apply as helm: Invalid"}, data: "null"},
		{name: "an install after helm uninstall --keep-history", manifest: manifest(""), client: last("uninstalled"),
			steps: []string{"Apply as helm: Created"}, data: "{k:w}", owners: "helm Apply"},
		{
			name:     "a client-side release: no conflict",
			live:     ours(updates, hers),
			manifest: manifest(""),
			client:   with("4", client.Settings{}, "csa"),
			steps:    []string{"Patch as helm: Configured"},
			data:     "{k:w}",
			owners:   "helm Update",
		},
		{
			name:     "of Helm 3, which says no method",
			live:     ours(updates),
			manifest: manifest(""),
			client:   with("4", client.Settings{}, ""),
			steps:    []string{"Patch as helm: Configured"},
			data:     "{k:w}",
			owners:   "helm Update",
		},
		{name: "by Helm 3", live: ours(updates), manifest: manifest(""), client: with("3", client.Settings{}, "ssa"),
			steps: []string{"Patch as helm: Configured"}, data: "{k:w}", owners: "helm Update"},
		{
			name:     "a server-side release",
			live:     ours(applies),
			manifest: manifest(""),
			client:   with("4", client.Settings{}, "ssa"),
			steps:    []string{"Apply as helm: Configured"},
			data:     "{k:w}",
			owners:   "helm Apply",
		},
		{name: "a conflict", live: ours(applies, hers), manifest: manifest(""), client: with("4", client.Settings{}, "ssa"),
			steps: []string{"Apply as helm: Conflicted"}, data: "null"},
		{
			name:     "a conflict, forced",
			live:     ours(applies, hers),
			manifest: manifest(""),
			client:   with("4", client.Settings{ForceConflicts: true}, "ssa"),
			steps:    []string{"Apply as helm: Configured"},
			data:     "{k:w}",
			owners:   "helm Apply",
		},
		{
			name:     "to server-side",
			live:     ours(updates),
			manifest: manifest(""),
			client:   with("4", client.Settings{ServerSide: "true"}, "csa"),
			steps: []string{
				"MoveEntries as helm: Configured",
				"Apply as helm: Configured",
			},
			data:   "{k:w}",
			owners: "helm Apply",
		},
		{
			name:     "the patch of entries stands",
			live:     ours(updates, hers),
			manifest: manifest(""),
			client:   with("4", client.Settings{ServerSide: "true"}, "csa"),
			steps: []string{
				"MoveEntries as helm: Configured",
				"Apply as helm: Conflicted",
			},
			data:   "{k:v,old:gone}",
			owners: "helm Apply, team-b Apply",
		},
		{
			name:     "force client-side",
			live:     ours(updates),
			manifest: manifest(""),
			client:   with("4", client.Settings{ForceConflicts: true}, "csa"),
			steps:    []string{"Patch as helm: Invalid"},
			data:     "null",
		},
		{name: "an install", manifest: manifest(""), client: with("4", client.Settings{}, "install"),
			steps: []string{"Apply as helm: Created"}, data: "{k:w}", owners: "helm Apply"},
		{name: "an install by Helm 3", manifest: manifest(""), client: with("3", client.Settings{}, "install"),
			steps: []string{"Create as helm: Created"}, data: "{k:w}", owners: "helm Update"},
		{
			name:     "what exists is not taken",
			live:     settings("", hers),
			manifest: manifest(""),
			client:   with("4", client.Settings{}, "install"),
			steps:    []string{"Apply as helm: Invalid"},
			data:     "null",
		},
		{
			name:     "but with --take-ownership",
			live:     settings("", updater),
			manifest: manifest(""),
			client:   with("4", client.Settings{TakeOwnership: true, ForceConflicts: true}, "install"),
			steps:    []string{"Apply as helm: Configured"},
			data:     "{k:w,old:gone}",
			owners:   "helm Apply",
		},
		{
			name:     "what becomes a hook leaves the release",
			live:     settings("", hers),
			manifest: manifest(`, annotations: {helm.sh/hook: post-rollback}`),
			client:   with("4", client.Settings{}, "ssa"),
			steps:    []string{"Delete as helm: Configured"},
			data:     "null",
		},
		{
			name:     "also a hook that ran",
			live:     settings("", hers),
			manifest: manifest(`, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}`),
			client:   with("4", client.Settings{}, "ssa"),
			steps:    []string{"Delete as helm: Configured", "Apply as helm: Created", "Delete as helm: Configured"},
			data:     "null",
		},
		{
			name:     "a hook",
			live:     settings("", hers),
			manifest: manifest(`, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}`),
			client:   with("4", client.Settings{}, "install"),
			steps:    []string{"Delete as helm: Configured", "Apply as helm: Created"},
			data:     "{k:w}",
			owners:   "helm Apply",
		},
		{
			name: "a hook that is deleted again",
			live: settings("", hers),
			manifest: manifest(
				`, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}`,
			),
			client: with("4", client.Settings{}, "install"),
			steps:  []string{"Delete as helm: Configured", "Apply as helm: Created", "Delete as helm: Configured"},
			data:   "null",
		},
		{
			name:     "a hook of another event",
			live:     settings("", hers),
			manifest: manifest(`, annotations: {helm.sh/hook: post-rollback}`),
			client:   with("4", client.Settings{}, "install"),
			data:     "{k:v,old:gone}",
			owners:   "team-b Apply",
		},
	})
}

// secretOf is the Secret of a revision of a release.
func secretOf(t *testing.T, version int, status, method, manifest string) map[string]any {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"name": "shop", "namespace": "team", "version": version, "manifest": manifest, "apply_method": method, "info": map[string]any{"status": status},
	})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	inner := base64.StdEncoding.EncodeToString(packed.Bytes())
	return map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": fmt.Sprintf("sh.helm.release.v1.shop.v%d", version), "namespace": "team"},
		"data": map[string]any{"release": base64.StdEncoding.EncodeToString([]byte(inner))},
	}
}

// TestReleaseIsBounded: a Secret that is none is an error without its text.
func TestReleaseIsBounded(t *testing.T) {
	secret := secretOf(t, 1, "deployed", "ssa", "")
	for _, data := range []string{"", "!", base64.StdEncoding.EncodeToString([]byte("aGVsbG8=")), base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte{0x1f, 0x8b, 0x08, 1})))} {
		secret["data"] = map[string]any{"release": data}
		if _, err := clients.New("helm", "4", client.Settings{Objects: []map[string]any{secret}}); err == nil ||
			strings.Contains(err.Error(), "hello") {
			t.Errorf("%q: %v", data, err)
		}
	}
	if !slices.Contains(about.Names(), "helm") {
		t.Error("helm is not named")
	}
}
