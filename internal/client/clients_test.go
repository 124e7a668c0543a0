package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
)

// sent is one object that a client writes to, with what comes of it.
type sent struct {
	name, live, manifest string
	client               func(*testing.T) *client.Client
	// steps are the requests, data what .data is after them, and owners who applies .data.k.
	steps        []string
	data, owners string
}

const manifestOf = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team%s}, data: {k: w}}`

func manifest(metadata string) string { return fmt.Sprintf(manifestOf, metadata) }

// updater is what kubectl apply left, and hers another Apply manager's entry.
var (
	updater = entry("kubectl-client-side-apply", "Update", owned)
	hers    = entry("team-b", "Apply", `{"f:data":{"f:k":{}}}`)
)

func checkSent(t *testing.T, tests []sent) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.client(t)
			s, w := asking(t, c, tt.live, tt.manifest)
			c.Plan(context.Background(), s, []engine.Write{w})
			run := c.Send(context.Background(), s, w)
			if diff := cmp.Diff(tt.steps, steps(run)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			data, _ := json.Marshal(run.Object()["data"])
			if got := strings.ReplaceAll(string(data), `"`, ""); got != tt.data {
				t.Errorf("data is %s, want %s", got, tt.data)
			}
			if got := ownersOf(run.Object(), ".data.k"); got != tt.owners {
				t.Errorf(".data.k is owned by %q, want %q", got, tt.owners)
			}
		})
	}
}

// asking is an apply by a client.
func asking(t *testing.T, c *client.Client, live, manifest string) (api.Server, engine.Write) {
	t.Helper()
	s, w := writing(t, live, manifest)
	w.Manager, w.Force, w.FieldValidation = c.Manager, c.Force, "Strict"
	return s, w
}

func ownersOf(object map[string]any, field string) string {
	var out []string
	for _, e := range managedfields.Of(object).Field(field) {
		for _, by := range e.By {
			out = append(out, by.Manager+" "+by.Operation)
		}
	}
	return strings.Join(out, ", ")
}

func made(t *testing.T, name string, s client.Settings) *client.Client {
	t.Helper()
	c, err := client.New(name, "", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestArgoCD(t *testing.T) {
	argo := func(server string, objects ...string) func(*testing.T) *client.Client {
		return func(t *testing.T) *client.Client {
			s := client.Settings{ServerSide: server}
			for _, o := range objects {
				s.Objects = append(s.Objects, decoded(t, o))
			}
			return made(t, "argocd", s)
		}
	}
	app := func(options, rest string) string {
		return fmt.Sprintf(
			`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web}, spec: {syncPolicy: {syncOptions: [%s]}%s}}`,
			options,
			rest,
		)
	}
	ignoredBy := func(how, what string) string {
		return fmt.Sprintf(`, ignoreDifferences: [{group: "", kind: ConfigMap, %s: [%s]}]`, how, what)
	}
	ignored := ignoredBy("jsonPointers", "/data/k")
	options := func(text string) string { return `, annotations: {argocd.argoproj.io/sync-options: "` + text + `"}` }
	checkSent(t, []sent{
		{
			name:     "moves entries first, and forces",
			live:     settings(note, updater, hers),
			manifest: manifest(""),
			client:   argo(""),
			steps: []string{
				"MoveEntries as argocd-application-controller: Configured",
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "no migration: kubectl's own comes behind",
			live:     settings(note, updater),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true, ClientSideApplyMigration=false", "")),
			steps: []string{
				"Apply as argocd-controller: Configured",
				"MoveEntries as argocd-controller: Configured",
				"ApplyAgain as argocd-controller: Configured",
			},
			data:   "{k:w}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "other Update entries stay",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{},"f:old":{}}}`)),
			manifest: manifest(""),
			client:   argo(""),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w,old:gone}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "ignored fields keep their values",
			live:     settings("", hers),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true, RespectIgnoreDifferences=true", ignored)),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored by a jq expression",
			live:     settings("", hers),
			manifest: manifest(""),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("jqPathExpressions", `'.data | .k'`)),
			),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored by its manager",
			live:     settings("", hers),
			manifest: manifest(""),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("managedFieldsManagers", "team-b")),
			),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:v,old:gone}",
			owners: "argocd-controller Apply, team-b Apply",
		},
		{
			name:     "ignored and not live",
			live:     settings("", hers),
			manifest: strings.Replace(manifest(""), "k: w", "new: w", 1),
			client: argo(
				"",
				app("ServerSideApply=true, RespectIgnoreDifferences=true", ignoredBy("jsonPointers", "/data/new")),
			),
			steps:  []string{"Apply as argocd-controller: Configured"},
			data:   "{k:v,old:gone}",
			owners: "team-b Apply",
		},
		{
			name:     "ignored only in the view",
			live:     settings("", hers),
			manifest: manifest(""),
			client:   argo("", app("ServerSideApply=true", ignored)),
			steps: []string{
				"Apply as argocd-controller: Configured",
			},
			data:   "{k:w,old:gone}",
			owners: "argocd-controller Apply",
		},
		{
			name:     "an Application without ServerSideApply",
			live:     settings(note, updater),
			manifest: manifest(""),
			client:   argo("", app("", "")),
			steps:    []string{"Patch as argocd-controller: Configured"},
			data:     "{k:w}",
			owners:   "argocd-controller Update",
		},
		{
			name:     "ServerSideApply=false",
			live:     settings(note, updater),
			manifest: manifest(options("ServerSideApply=false")),
			client:   argo(""),
			steps:    []string{"Patch as argocd-controller: Configured"},
			data:     "{k:w}",
			owners:   "argocd-controller Update",
		},
		{name: "Replace=true", live: settings("", hers), manifest: manifest(options("Replace=true")), client: argo("false"),
			steps: []string{
				"Replace as argocd-application-controller: Configured",
			}, data: "{k:w}", owners: "argocd-application-controller Update"},
		{
			name:     "Force=true, Replace=true",
			live:     settings("", hers),
			manifest: manifest(options("Force=true,Replace=true")),
			client:   argo("false"),
			steps: []string{
				"Delete as argocd-application-controller: Configured",
				"Create as argocd-application-controller: Created",
			},
			data:   "{k:w}",
			owners: "argocd-application-controller Update",
		},
		{name: "Force=true", live: settings("", hers), manifest: manifest(options("Force=true")), client: argo(""),
			steps: []string{"Apply as argocd-controller: Invalid"}, data: "null"},
		{
			name:     "an annotation that is no JSON ends the sync",
			live:     settings(`"kubectl.kubernetes.io/last-applied-configuration": '{"apiVers'`, updater),
			manifest: manifest(""),
			client:   argo(""),
			steps:    []string{"Apply as argocd-controller: Invalid"},
			data:     "null",
		},
		{name: "absent", manifest: manifest(""), client: argo(""),
			steps: []string{"Apply as argocd-controller: Created"}, data: "{k:w}", owners: "argocd-controller Apply"},
	})
}

func TestFlux(t *testing.T) {
	with := func(s client.Settings) func(*testing.T) *client.Client {
		return func(t *testing.T) *client.Client { return made(t, "flux", s) }
	}
	flux := with(client.Settings{})
	note := func(text string) string { return `, annotations: {kustomize.toolkit.fluxcd.io/` + text + `}` }
	tried, moved, applied := "DryRun as kustomize-controller: Configured", "MoveEntries as kustomize-controller: Configured", "Apply as kustomize-controller: Configured"
	own := entry("kustomize-controller", "Apply", `{"f:data":{"f:k":{}}}`)
	checkSent(t, []sent{
		{
			name:     "takes over what kubectl wrote, and forces",
			live:     settings(`"kubectl.kubernetes.io/last-applied-configuration": '{}'`, updater, hers),
			manifest: manifest(""),
			client:   flux,
			steps:    []string{tried, moved, applied},
			data:     "{k:w}",
			owners:   "kustomize-controller Apply",
		},
		{
			name:     "other managers stay",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{},"f:old":{}}}`)),
			manifest: manifest(""),
			client:   flux,
			steps:    []string{tried, applied},
			data:     "{k:w,old:gone}",
			owners:   "kustomize-controller Apply",
		},
		{
			name:     "but not with --override-manager",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{},"f:old":{}}}`)),
			manifest: manifest(""),
			client:   with(client.Settings{OverrideManagers: []string{"deployer"}}),
			steps:    []string{tried, moved, applied},
			data:     "{k:w}",
			owners:   "kustomize-controller Apply",
		},
		{
			name:     "no drift, no apply",
			live:     settings("", own, entry("deployer", "Update", `{"f:data":{"f:old":{}}}`)),
			manifest: strings.Replace(manifest(""), "k: w", "k: v", 1),
			client:   flux,
			steps:    []string{tried},
			data:     "{k:v,old:gone}",
			owners:   "kustomize-controller Apply",
		},
		{
			name:     "a misspelled field is dropped",
			live:     settings("", own),
			manifest: strings.Replace(manifest(""), "}, data:", "}, dta: {a: b}, data:", 1),
			client:   flux,
			steps:    []string{tried, applied},
			data:     "{k:w,old:gone}",
			owners:   "kustomize-controller Apply",
		},
		{name: "Merge", live: settings("", updater), manifest: manifest(note("ssa: Merge")), client: flux,
			steps: []string{tried, applied}, data: "{k:w,old:gone}", owners: "kustomize-controller Apply"},
		{
			name:     "Ignore",
			live:     settings("", updater),
			manifest: manifest(note("ssa: Ignore")),
			client:   flux,
			data:     "{k:v,old:gone}",
			owners:   "kubectl-client-side-apply Update",
		},
		{
			name:     "IfNotPresent",
			live:     settings("", updater),
			manifest: manifest(note("ssa: IfNotPresent")),
			client:   flux,
			data:     "{k:v,old:gone}",
			owners:   "kubectl-client-side-apply Update",
		},
		{name: "IfNotPresent, absent", manifest: manifest(note("ssa: IfNotPresent")), client: flux,
			steps: []string{
				"DryRun as kustomize-controller: Created",
				"Apply as kustomize-controller: Created",
			}, data: "{k:w}", owners: "kustomize-controller Apply"},
		{
			name:     "reconcile: disabled",
			live:     settings("", updater),
			manifest: manifest(note("reconcile: disabled")),
			client:   flux,
			data:     "{k:v,old:gone}",
			owners:   "kubectl-client-side-apply Update",
		},
		{
			name:     "an ignored field of another applier",
			live:     settings("", hers, own),
			manifest: strings.Replace(manifest(`, labels: {a: b}`), "k: w", "k: w, extra: m", 1),
			client:   with(client.Settings{IgnorePaths: []string{"/data/k"}}),
			steps:    []string{tried, applied},
			data:     "{extra:m,k:v,old:gone}",
			owners:   "team-b Apply",
		},
		{
			name:     "an ignored field of an updater",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{}}}`)),
			manifest: manifest(`, labels: {a: b}`),
			client:   with(client.Settings{IgnorePaths: []string{"/data/k"}}),
			steps:    []string{tried, applied},
			data:     "{k:v,old:gone}",
			owners:   "deployer Update, kustomize-controller Apply",
		},
		{name: "immutable", live: settings("", own) + "immutable: true\n", manifest: manifest(""), client: flux,
			steps: []string{"DryRun as kustomize-controller: Invalid"}, data: "null"},
		{
			name:     "immutable, with force",
			live:     settings("", own) + "immutable: true\n",
			manifest: manifest(note("force: enabled")),
			client:   flux,
			steps: []string{
				"DryRun as kustomize-controller: Invalid", "Delete as kustomize-controller: Configured",
				"DryRun as kustomize-controller: Created", "Apply as kustomize-controller: Created",
			},
			data:   "{k:w}",
			owners: "kustomize-controller Apply",
		},
	})
}

// TestFluxStages: what is refused keeps the objects of its stage from being applied, and
// those of later stages from being tried.
func TestFluxStages(t *testing.T) {
	c := made(t, "flux", client.Settings{})
	var s api.Server
	var writes []engine.Write
	for _, text := range []string{
		`{apiVersion: v1, kind: Namespace, metadata: {name: new}}`,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: w}}`,
		`{apiVersion: v1, kind: Service, metadata: {name: back, namespace: team}, spec: {ports: [{port: 0}]}}`,
	} {
		var w engine.Write
		s, w = asking(t, c, "", text)
		if w.Kind.Kind == "Namespace" {
			w.Namespace = ""
		}
		writes = append(writes, w)
	}
	c.Plan(context.Background(), s, writes)
	var got []string
	for _, w := range writes {
		got = append(got, strings.Join(steps(c.Send(context.Background(), s, w)), "; "))
	}
	want := []string{
		"DryRun as kustomize-controller: Created; Apply as kustomize-controller: Created",
		"DryRun as kustomize-controller: Created", "DryRun as kustomize-controller: Invalid",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
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
			c, err := client.New("helm", version, s)
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
			c, err := client.New("helm", "4", client.Settings{Namespace: "team", Objects: []map[string]any{
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

// TestPrunes: which live objects are deleted that no manifest names.
func TestPrunes(t *testing.T) {
	helm, err := client.New(
		"helm",
		"4",
		client.Settings{
			Namespace:       "team",
			Release:         "shop",
			ReleaseManifest: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: back}\n"),
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	s, w := asking(t, helm, "", manifest(""))
	w.Name = "other"
	helm.Plan(context.Background(), s, []engine.Write{w})
	flux := made(
		t,
		"flux",
		client.Settings{
			Prune: true,
			Objects: []map[string]any{
				decoded(
					t,
					`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: apps, namespace: flux-system}}`,
				),
			},
		},
	)
	argo := made(
		t,
		"argocd",
		client.Settings{
			Prune: true,
			Objects: []map[string]any{
				decoded(t, `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web}}`),
			},
		},
	)
	const tracked, labels = `argocd.argoproj.io/tracking-id: "web:/ConfigMap:team/back"`, `labels: {kustomize.toolkit.fluxcd.io/name: apps, kustomize.toolkit.fluxcd.io/namespace: flux-system}`
	for _, tt := range []struct {
		client   *client.Client
		metadata string
		want     string
	}{
		{helm, ``, "Background"},
		{helm, `, annotations: {helm.sh/resource-policy: keep}`, ""},
		{flux, `, ` + labels, "Background"},
		{flux, `, ` + labels + `, annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}`, ""},
		{flux, `, labels: {kustomize.toolkit.fluxcd.io/name: other, kustomize.toolkit.fluxcd.io/namespace: flux-system}`, ""},
		{argo, `, annotations: {` + tracked + `}`, "Foreground"},
		{argo, `, annotations: {` + tracked + `, argocd.argoproj.io/sync-options: Prune=false}`, ""},
		{argo, `, annotations: {argocd.argoproj.io/tracking-id: "other:/ConfigMap:team/back"}`, ""},
	} {
		live := decoded(t, manifest(tt.metadata))
		if tt.client == argo {
			argo.Spare = func(yield func(client.Key, func() map[string]any) bool) {
				yield(client.Key{Kind: "ConfigMap", Namespace: "team", Name: "back"}, func() map[string]any { return live })
			}
			argo.Plan(context.Background(), s, []engine.Write{w})
		}
		policy, prune := tt.client.Prunes(
			client.Key{Kind: "ConfigMap", Namespace: "team", Name: "back"},
			func() map[string]any { return live },
		)
		if want := tt.want != ""; prune != want || prune && policy != tt.want {
			t.Errorf("%s%s: %v %s, want %s", tt.client.Name, tt.metadata, prune, policy, tt.want)
		}
	}
}

// TestAgain: a second run of each client changes no value.
func TestAgain(t *testing.T) {
	for _, name := range []string{"argocd", "flux", "helm"} {
		c := map[string]*client.Client{"argocd": made(t, "argocd", client.Settings{}), "flux": made(t, "flux", client.Settings{})}[name]
		if c == nil {
			c, _ = client.New("helm", "4", client.Settings{Namespace: "team", Release: "shop"})
		}
		s, w := asking(t, c, "", whole)
		c.Plan(context.Background(), s, []engine.Write{w})
		first := c.Send(context.Background(), s, w)
		again := w.On(first.Object())
		c.Plan(context.Background(), s, []engine.Write{again})
		got := c.Send(context.Background(), s, again).Whole()
		if len(got.Changes) > 0 {
			t.Errorf("%s: again: %v", name, got.Changes)
		}
	}
}

// TestReleaseIsBounded: a Secret that is none is an error without its text.
func TestReleaseIsBounded(t *testing.T) {
	secret := secretOf(t, 1, "deployed", "ssa", "")
	for _, data := range []string{"", "!", base64.StdEncoding.EncodeToString([]byte("aGVsbG8=")), base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte{0x1f, 0x8b, 0x08, 1})))} {
		secret["data"] = map[string]any{"release": data}
		if _, err := client.New("helm", "4", client.Settings{Objects: []map[string]any{secret}}); err == nil ||
			strings.Contains(err.Error(), "hello") {
			t.Errorf("%q: %v", data, err)
		}
	}
	if !slices.Contains(about.Names(), "helm") {
		t.Error("helm is not named")
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"auto": "auto ", "none": "none ", "helm": "helm 4", "helm@3": "helm 3", "helm@4.3.1": "helm 4", "helm@v3.22": "helm 3", "kubectl@1": "kubectl 1.37",
		"kubectl@1.36.3": "kubectl 1.36", "kubectl@1.3": "", "kubectl@": "", "none@1": "", "tanka": "",
	} {
		name, version, err := about.Parse(text)
		if got := name + " " + version; err == nil && got != want || err != nil && want != "" {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}
