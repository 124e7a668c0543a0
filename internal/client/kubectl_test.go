package client_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

const owned = `{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:data":{".":{},"f:k":{},"f:old":{}}}`

// settings is a ConfigMap whose data one Update entry owns, with the annotation.
func settings(note string, entries ...string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: back
  namespace: team
  uid: u
  resourceVersion: "7"
  labels: {tier: web}
  annotations: {%s}
  managedFields: [%s]
data: {k: v, old: gone}
`, note, strings.Join(entries, ","))
}

func entry(manager, operation, fields string) string {
	return fmt.Sprintf(
		`{"manager":%q,"operation":%q,"apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":%s}`,
		manager, operation, fields,
	)
}

const note = `"kubectl.kubernetes.io/last-applied-configuration": '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{},"name":"back","namespace":"team"},"data":{"k":"v","old":"gone"}}'`

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: team
  uid: u
  resourceVersion: "7"
  generation: 3
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"web","namespace":"team"},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"main","image":"web:1","env":[{"name":"A","value":"1"}]}]}}}}'
  managedFields:
  - {manager: hpa, operation: Update, subresource: scale, apiVersion: apps/v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}
  - manager: kubectl-client-side-apply
    operation: Update
    apiVersion: apps/v1
    time: "2026-01-01T00:00:00Z"
    fieldsType: FieldsV1
    fieldsV1:
      f:metadata: {f:annotations: {".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}}}
      f:spec:
        f:minReadySeconds: {}
        f:revisionHistoryLimit: {}
        f:selector: {}
        f:template:
          f:metadata: {f:labels: {".": {}, f:app: {}}}
          f:spec: {f:containers: {'k:{"name":"main"}': {".": {}, f:image: {}, f:name: {}, f:env: {".": {}, 'k:{"name":"A"}': {".": {}, f:name: {}, f:value: {}}}}}}
spec:
  replicas: 7
  minReadySeconds: 5
  revisionHistoryLimit: 3
  selector: {matchLabels: {app: web}}
  strategy: {type: Recreate}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: main, image: "web:1", env: [{name: A, value: "1"}]}]
`

const whole = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: team}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: "web:1"}]}}}}`

// TestKubectl has what kubectl was seen to do: its requests, what they remove, and
// who owns the annotation in the end.
func TestKubectl(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: v}}`
	const part = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {extra: "1"}}`
	migrates := []string{
		"Apply as kubectl: Configured", "KeepAnnotation as kubectl-last-applied: Configured",
		"MoveEntries as kubectl: Configured", "ApplyAgain as kubectl: Configured",
	}
	another := []string{
		"Apply as team-b: Configured",
		"MoveEntries as team-b: Configured",
		"ApplyAgain as team-b: Configured",
	}
	one := []string{"Apply as kubectl: Configured"}
	tests := []struct {
		name, live, manifest, manager, subresource string
		force                                      bool
		steps, losses                              []string
		keeps                                      string
	}{
		{
			name:     "client-side",
			live:     settings(note, entry("kubectl-client-side-apply", "Update", owned)),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			losses:   []string{".data.old Removed of kubectl-client-side-apply"},
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "as another manager",
			live:     settings(note, entry("kubectl-client-side-apply", "Update", owned)),
			manifest: part,
			manager:  "team-b",
			steps:    another,
			losses:   []string{".data.k Removed of kubectl-client-side-apply", ".data.old Removed of kubectl-client-side-apply"},
		},
		{
			name:     "of kubectl-create",
			live:     settings(note, entry("kubectl-create", "Update", owned)),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			losses:   []string{".data.old Removed of kubectl-create"},
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "of any name",
			live:     settings(note, entry("deployer", "Update", owned)),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			losses:   []string{".data.old Removed of deployer"},
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "of two",
			live:     settings(note, entry("deployer", "Update", owned), entry("kubectl-client-side-apply", "Update", owned)),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			losses:   []string{".data.old Removed of deployer, kubectl-client-side-apply"},
			keeps:    "kubectl-last-applied",
		},
		{
			name: "what others own stays",
			live: settings(
				note,
				entry("deployer", "Update", owned),
				entry("kubectl-edit", "Update", `{"f:data":{"f:old":{}}}`),
			),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			keeps:    "kubectl-last-applied",
		},
		{
			name: "a broken annotation",
			live: settings(
				`"kubectl.kubernetes.io/last-applied-configuration": '{"apiVers'`,
				entry("deployer", "Update", owned),
			),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates,
			losses:   []string{".data.old Removed of deployer"},
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "no annotation",
			live:     settings("", entry("kubectl-client-side-apply", "Update", `{"f:data":{".":{},"f:k":{},"f:old":{}}}`)),
			manifest: part,
			manager:  "kubectl",
			steps:    one,
		},
		{
			name: "an Apply entry owns the annotation",
			live: settings(
				note,
				entry(
					"kubectl-last-applied",
					"Apply",
					`{"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}`,
				),
				entry("kubectl-client-side-apply", "Update", `{"f:data":{".":{},"f:k":{},"f:old":{}}}`),
			),
			manifest: manifest,
			manager:  "kubectl",
			steps:    one,
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "no manager owns the annotation",
			live:     settings(note, entry("a", "Apply", `{"f:data":{"f:k":{}}}`)),
			manifest: manifest,
			manager:  "kubectl",
			steps:    migrates[:2],
			keeps:    "kubectl-last-applied",
		},
		{
			name:     "a conflict",
			live:     settings(note, entry("kubectl-client-side-apply", "Update", owned)),
			manifest: strings.Replace(manifest, "k: v", "k: w", 1),
			manager:  "team-b",
			steps:    []string{"Apply as team-b: Conflicted"},
			keeps:    "kubectl-client-side-apply",
		},
		{
			name:     "a conflict, forced",
			live:     settings(note, entry("kubectl-client-side-apply", "Update", owned)),
			manifest: strings.Replace(manifest, "k: v", "k: w", 1),
			manager:  "team-b",
			force:    true,
			steps:    another,
			losses:   []string{".data.old Removed of kubectl-client-side-apply"},
		},
		{name: "no live object", manifest: manifest, manager: "kubectl", steps: []string{"Apply as kubectl: Created"}},
		{
			name:     "items and defaults",
			live:     deployment,
			manifest: whole,
			manager:  "kubectl",
			steps:    migrates,
			keeps:    "kubectl-last-applied",
			losses: []string{
				".spec.minReadySeconds Removed of kubectl-client-side-apply", ".spec.revisionHistoryLimit Modified of kubectl-client-side-apply",
				`.spec.template.spec.containers[name="main"].env[name="A"] Removed of kubectl-client-side-apply`,
			},
		},
		{
			name:     "the second apply is refused",
			live:     deployment,
			manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: team, labels: {a: b}}}`,
			manager:  "team-b",
			steps:    []string{another[0], another[1], "ApplyAgain as team-b: Invalid"},
			keeps:    "team-b",
		},
		{
			name:        "a scale",
			live:        deployment,
			subresource: "scale",
			manifest:    `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web, namespace: team}, spec: {replicas: 7}}`,
			manager:     "kubectl",
			steps:       one,
			keeps:       "kubectl-client-side-apply",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, w := writing(t, tt.live, tt.manifest)
			w.Manager, w.Force, w.Subresource = tt.manager, tt.force, tt.subresource
			if tt.subresource == "scale" {
				w.Kind = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
			}
			run := client.Kubectl(context.Background(), s, w)
			if diff := cmp.Diff(tt.steps, steps(run)); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.losses, losses(run)); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
			left := run.Object()
			if left == nil {
				left = w.LiveObject
			}
			if diff := cmp.Diff(tt.keeps, annotationOwners(left)); diff != "" {
				t.Errorf("owners of the annotation (-want +got):\n%s", diff)
			}
			checkAgain(t, s, w, run)
		})
	}
}

// TestMovesQuietly: what is seen to lose nothing moves the same in a run, and loses nothing there.
func TestMovesQuietly(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: v, old: gone}}`
	const annotation = `"f:kubectl.kubernetes.io/last-applied-configuration":{}`
	mine := entry("kubectl-client-side-apply", "Update", owned)
	noted := entry("b", "Update", `{"f:metadata":{"f:annotations":{".":{},"f:note":{}}}}`)
	for _, test := range []struct {
		name, live, manifest string
		quiet                bool
	}{
		{"all of it is applied", settings(note, mine), manifest, true},
		{"another annotation, with an owner", settings(note+", note: a", mine, noted), manifest, true},
		{"another annotation, without", settings(note+", note: a", mine), manifest, false},
		{"others own the rest", settings(note, mine, entry("b", "Update", `{"f:data":{"f:old":{}}}`)),
			strings.Replace(manifest, ", old: gone", "", 1), true},
		{"nobody owns the rest", settings(note, mine), strings.Replace(manifest, ", old: gone", "", 1), false},
		{"of two managers", settings(note, mine, entry("c", "Update", `{"f:metadata":{"f:annotations":{`+annotation+`}}}`)),
			manifest, true},
		{"by a subresource", settings(note, strings.Replace(mine, `"apiVersion"`, `"subresource":"status","apiVersion"`, 1)),
			manifest, false},
		{
			"at a version that nobody serves, which goes",
			settings(note, strings.Replace(mine, `"apiVersion":"v1"`, `"apiVersion":"v2"`, 1)), manifest, true,
		},
		{"without the annotation", settings("note: a", mine), manifest, false},
	} {
		s, w := writing(t, test.live, test.manifest)
		w.Manager = "team-b"
		run := client.Kubectl(context.Background(), s, w)
		moved, quiet := client.MovesQuietly(run.First().Object)
		if quiet != test.quiet {
			t.Errorf("%s: quiet %v, want %v", test.name, quiet, test.quiet)
		}
		if quiet && (!slices.Equal(moved, run.Moved()) || len(losses(run)) > 0) {
			t.Errorf("%s: moves %v; the run moves %v and loses %v", test.name, moved, run.Moved(), losses(run))
		}
	}
}

// checkAgain: a second kubectl finds nothing to migrate, and changes nothing.
func checkAgain(t *testing.T, s api.Server, w engine.Write, run client.Run) {
	t.Helper()
	if _, refused := run.Refused(); refused || run.Object() == nil {
		return
	}
	again := client.Kubectl(context.Background(), s, w.On(run.Object()))
	if got := again.Whole(); len(again.Steps) != 1 || len(got.Changes) > 0 {
		t.Errorf("again: %v, changes %v", steps(again), got.Changes)
	}
}

// TestWhole: the changes of a run are those from the live object to what it leaves.
func TestWhole(t *testing.T) {
	s, w := writing(
		t,
		settings(note, entry("deployer", "Update", owned)),
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: w, extra: "1"}}`,
	)
	w.Manager = "kubectl"
	got := map[string]string{}
	for _, c := range client.Kubectl(context.Background(), s, w).Whole().Changes {
		got[c.Field] = string(c.Kind)
	}
	want := map[string]string{
		".data.extra": "Added", ".data.k": "Modified", ".data.old": "Removed",
		".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration": "Modified",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func writing(t *testing.T, live, manifest string) (api.Server, engine.Write) {
	t.Helper()
	s, err := server.New(
		server.Options{Objects: [][]byte{[]byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"team"}}`)}},
	)
	if err != nil {
		t.Fatal(err)
	}
	body := decoded(t, manifest)
	gv, err := schema.ParseGroupVersion(body["apiVersion"].(string))
	if err != nil {
		t.Fatal(err)
	}
	w := engine.Write{
		Verb:      api.Apply,
		Kind:      gv.WithKind(body["kind"].(string)),
		Namespace: "team",
		Name:      body["metadata"].(map[string]any)["name"].(string),
	}
	w, err = w.Send(body)
	if err != nil {
		t.Fatal(err)
	}
	if live != "" {
		w = w.On(decoded(t, live))
	}
	return s, w
}

func onto(w engine.Write, live map[string]any) engine.Write { return w.On(live) }

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return maps.Clone(out)
}

func steps(run client.Run) []string {
	var out []string
	for _, s := range run.Steps {
		out = append(out, fmt.Sprintf("%s as %s: %s", s.Request, s.Result.Manager, s.Result.Outcome))
	}
	return out
}

func losses(run client.Run) []string {
	var out []string
	for _, l := range run.Losses() {
		out = append(out, fmt.Sprintf("%s %s of %s", l.Field, l.Kind, strings.Join(l.Owners, ", ")))
	}
	return out
}

func annotationOwners(object map[string]any) string {
	var out []string
	for _, e := range managedfields.Of(object).Field(".metadata.annotations." + client.LastApplied) {
		for _, by := range e.By {
			out = append(out, by.Manager)
		}
	}
	return strings.Join(out, ", ")
}
