package client_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

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
