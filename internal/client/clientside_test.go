package client_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/report"
)

// TestClientSideApply has what kubectl apply without --server-side sends, and what it
// changes: it never conflicts, and removes what only the annotation has.
func TestClientSideApply(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: w}}`
	updater := entry("kubectl-client-side-apply", "Update", owned)
	tests := []struct {
		name, live, manifest string
		steps, changes       []string
		code                 int
	}{
		{
			name:     "absent",
			manifest: `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: w, gone: null}}`,
			code:     201,
			steps: []string{
				"Create as kubectl-client-side-apply: Created",
			},
			changes: []string{"Added .data.k", "Added .metadata.annotations"},
		},
		{name: "live", live: settings(note, updater), manifest: manifest, code: 200,
			steps:   []string{"Patch as kubectl-client-side-apply: Configured"},
			changes: []string{"Modified .data.k", "Removed .data.old", "Modified .metadata.annotations"}},
		{
			name:     "another applies the value",
			live:     settings(note, updater, entry("team-b", "Apply", `{"f:data":{"f:k":{}}}`)),
			manifest: manifest,
			code:     200,
			steps:    []string{"Patch as kubectl-client-side-apply: Configured"},
			changes:  []string{"Modified .data.k", "Removed .data.old", "Modified .metadata.annotations"},
		},
		{
			name:     "no annotation",
			live:     settings("", entry("deployer", "Update", `{"f:data":{"f:k":{},"f:old":{}}}`)),
			manifest: manifest,
			code:     200,
			steps:    []string{"Patch as kubectl-client-side-apply: Configured"},
			changes:  []string{"Modified .data.k", "Added .metadata.annotations"},
		},
		{
			name:     "a broken annotation",
			live:     settings(`"kubectl.kubernetes.io/last-applied-configuration": '{"apiVers'`, updater),
			manifest: manifest,
			steps:    []string{"Patch as kubectl-client-side-apply: Invalid"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, w := writing(t, tt.live, tt.manifest)
			kubectl := made(t, "kubectl", client.Settings{ServerSide: "false"})
			w.Manager = kubectl.Manager
			run := kubectl.Send(context.Background(), s, w)
			if diff := cmp.Diff(tt.steps, steps(run)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			whole := run.Whole()
			if diff := cmp.Diff(tt.changes, changes(whole)); diff != "" || whole.Code != tt.code {
				t.Errorf("code %d, changes (-want +got):\n%s", whole.Code, diff)
			}
		})
	}
}

// TestClientSideAgain: a second apply of the same manifest sends nothing.
func TestClientSideAgain(t *testing.T) {
	for _, manifest := range []string{whole, `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: "<w>"}}`} {
		s, w := writing(t, "", manifest)
		kubectl := made(t, "kubectl", client.Settings{ServerSide: "false"})
		w.Manager = kubectl.Manager
		first := kubectl.Send(context.Background(), s, w).Whole()
		again := kubectl.Send(context.Background(), s, onto(w, first.Object))
		if len(again.Steps) > 0 || again.Whole().Outcome != report.Unchanged {
			t.Errorf("%s: again: %v", manifest, steps(again))
		}
	}
}

// changes are those of a result; all of an annotation or a label is one.
func changes(r report.Result) []string {
	var out []string
	for _, c := range r.Changes {
		field := c.Field
		if i := strings.Index(field, ".metadata."); i == 0 {
			field = strings.Join(strings.SplitN(field, ".", 4)[:3], ".")
		}
		text := string(c.Kind) + " " + field
		if ours := c.Field == ".kind" || c.Field == ".apiVersion" || field == ".metadata.name" || field == ".metadata.namespace"; !ours {
			out = append(out, text)
		}
	}
	return out
}
