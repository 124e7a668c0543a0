package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/clients"
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
	c, err := clients.New(name, "", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPrunes: which live objects are deleted that no manifest names.
func TestPrunes(t *testing.T) {
	helm, err := clients.New(
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
			c, _ = clients.New("helm", "4", client.Settings{Namespace: "team", Release: "shop"})
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
