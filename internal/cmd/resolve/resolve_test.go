package resolve

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

const web = `# of the team
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    tier: front # ours
  annotations: {team: web, note: ours}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: main # the key
        image: b
      - name: sidecar
        image: d
`

const (
	main    = `.spec.template.spec.containers[name="main"]`
	sidecar = `.spec.template.spec.containers[name="sidecar"]`
)

// TestRun resolves conflicts of a manifest with what flux and an autoscaler own.
func TestRun(t *testing.T) {
	server := merging.New()
	live := server.Object(
		t,
		merging.Writing{
			Verb:     api.Apply,
			Manager:  "flux",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {tier: back}}, spec: {template: {spec: {containers: [{name: main, image: a}, {name: sidecar, image: c}]}}}}`,
		},
		merging.Writing{
			Verb:     api.MergePatch,
			Manager:  "autoscaler",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, spec: {replicas: 5}}`,
		},
	)
	for _, test := range []struct {
		name   string
		choice Choice
		// want are the outcomes, the steps that are taken, and the notices; or the error.
		want []string
		// gone and new are the lines that the manifest loses and gets.
		gone, new []string
	}{
		{"nothing is asked", Choice{}, []string{"Conflicted, then Conflicted"}, nil, nil},
		{"one field", Choice{StopManaging: []string{"spec.replicas"}}, []string{"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Done"}, []string{"replicas: 3"}, nil},
		{"a field of one item", Choice{UseLiveValue: []string{"main.image"}}, []string{"Conflicted, then Conflicted", main + ".image: UseLiveValue is Done; flux Agrees"}, []string{"image: b"}, []string{"image: a"}},
		{"all get the live value", Choice{Rest: UseLiveValue}, []string{
			"Conflicted, then Configured", ".metadata.labels.tier: UseLiveValue is Done; flux Agrees", ".spec.replicas: UseLiveValue is Done; autoscaler Overwrites",
			main + ".image: UseLiveValue is Done; flux Agrees", sidecar + ".image: UseLiveValue is Done; flux Agrees",
		}, []string{"tier: front # ours", "replicas: 3", "image: b", "image: d"}, []string{"tier: back # ours", "replicas: 5", "image: a", "image: c"}},
		{"all go, with the items and maps that are left without", Choice{Rest: StopManaging}, []string{
			"Conflicted, then Configured", ".metadata.labels.tier: StopManaging is Done", ".spec.replicas: StopManaging is Done",
			main + ".image: StopManaging is Done, with " + main, sidecar + ".image: StopManaging is Done, with " + sidecar,
		}, []string{"labels:", "tier: front # ours", "spec:", "replicas: 3", "template:", "spec:", "containers:", "- name: main # the key", "image: b", "- name: sidecar", "image: d"}, nil},
		{"those of one owner", Choice{Rest: StopManaging, OwnedBy: []string{"autoscaler", "nobody"}}, []string{
			"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Done", "--owned-by nobody: it owns no field that conflicts",
		}, []string{"replicas: 3"}, nil},
		{"all but one", Choice{Rest: UseLiveValue, OwnedBy: []string{"autoscaler"}, StopManaging: []string{".spec.replicas"}}, []string{
			"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Done",
		}, []string{"replicas: 3"}, nil},
		{"both of one field", Choice{StopManaging: []string{"spec.replicas"}, UseLiveValue: []string{".spec.replicas"}}, []string{
			".spec.replicas is asked to leave the manifest and to take the live value (spec.replicas, .spec.replicas)"}, nil, nil},
		{"no such field", Choice{StopManaging: []string{"spec.replica"}}, []string{"--stop-managing spec.replica: no such field; did you mean .spec.replicas?"}, nil, nil},
		{"one that does not conflict", Choice{StopManaging: []string{"metadata.name"}}, []string{
			"Conflicted, then Conflicted", "--stop-managing metadata.name: the field does not conflict"}, nil, nil},
		{"one that does not conflict, by its field path", Choice{StopManaging: []string{".metadata.annotations.note"}},
			[]string{"Conflicted, then Conflicted", ".metadata.annotations.note: StopManaging is Done"},
			[]string{"annotations: {team: web, note: ours}"}, []string{"annotations: {team: web}"}},
		{"one of several", Choice{StopManaging: []string{"image"}}, []string{
			`--stop-managing image: field "image" may be any of ` + main + ".image, " + sidecar + ".image"}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := NewFile("web.yaml", []byte(web), manifest.Options{})
			document := file.documents[0]
			var decoded map[string]any
			if err := json.Unmarshal(document.JSON(), &decoded); err != nil {
				t.Fatal(err)
			}
			in := Input{File: file, Document: document, Write: engine.Write{
				Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Name: "web",
				Manager: "ci", Body: document.JSON(), Decoded: decoded, Live: live, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			}}
			d, err := Run(t.Context(), server, report.Run{}, []Input{in}, test.choice)
			if diff := cmp.Diff(test.want, said(d, err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.gone, without(web, string(file.Text()))); diff != "" {
				t.Errorf("lines that go (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.new, without(string(file.Text()), web)); diff != "" {
				t.Errorf("lines that come (-want +got):\n%s", diff)
			}
		})
	}
}

// said is what came of the manifest.
func said(d Document, err error) []string {
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	out := []string{string(d.Objects[0].Before) + ", then " + string(d.Objects[0].After)}
	for _, s := range d.Objects[0].Steps {
		if s.Action == Leave {
			continue
		}
		line := s.Field + ": " + string(s.Action) + " is " + string(s.Outcome)
		if s.Removed != "" {
			line += ", with " + s.Removed
		}
		for _, c := range s.Consequences {
			line += "; " + c.Manager + " " + string(c.Kind)
		}
		if s.Reason != "" {
			line += ": " + s.Reason
		}
		out = append(out, line)
	}
	return append(out, d.Notices...)
}

// without are the lines of a text that another does not have.
func without(text, other string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(other, line) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
