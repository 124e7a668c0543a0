package resolve

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/clients"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// inputsOf are the documents of a file, applied by ci to the live object that is the same for
// all of them.
func inputsOf(t *testing.T, text string, live []byte) []Input {
	t.Helper()
	file := NewFile("web.yaml", []byte(text), manifest.Options{})
	var out []Input
	for _, d := range file.documents {
		var decoded map[string]any
		if err := json.Unmarshal(d.JSON(), &decoded); err != nil {
			t.Fatal(err)
		}
		out = append(out, Input{File: file, Document: d, Write: engine.Write{
			Verb: api.Apply, Kind: schema.FromAPIVersionAndKind(d.APIVersion, d.Kind), Namespace: d.Namespace, Name: d.Name,
			Manager: "ci", Body: d.JSON(), Decoded: decoded, Live: live, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		}})
	}
	return out
}

func applied(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Apply, Manager: manager, Manifest: manifest}
}

func updated(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Update, Manager: manager, Manifest: manifest}
}

const head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"

// refusing is a server that refuses what a function says.
func refusing(refused func(r api.Request) bool) *merging.Server {
	s := *merging.New()
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code:   422,
				Stored: r.Live,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"Required value","code":422}`),
			}, refused(
				r,
			)
	}
	return &s
}

// TestSession resolves fields that depend on others, that cannot be edited, or that are
// needed.
func TestSession(t *testing.T) {
	server := merging.New()
	owned := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {%s}}`
	creates := refusing(func(r api.Request) bool { return r.Live == nil && !strings.Contains(string(r.Body), "replicas") })
	strict := refusing(func(r api.Request) bool { return r.Live != nil && !strings.Contains(string(r.Body), "replicas") })
	for _, test := range []struct {
		name         string
		server       api.Server
		writes       []merging.Writing
		manifest     string
		choice       Choice
		decided      map[string]Action
		want         []string
		text, gone   string
		withoutAFile bool
	}{
		{name: "an anchor goes once its alias is gone", writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1, minReadySeconds: 1"))},
			manifest: head + "spec:\n  replicas: &r 3\n  minReadySeconds: *r\n", choice: Choice{Rest: StopManaging},
			want: []string{"Conflicted, then Configured", ".spec.minReadySeconds: StopManaging is Done", ".spec.replicas: StopManaging is Done"}, gone: "replicas"},
		{name: "an anchor whose alias stays does not", writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1"))},
			manifest: head + "spec:\n  replicas: &r 3\n  minReadySeconds: *r\n", choice: Choice{Rest: StopManaging},
			want: []string{"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Refused: an alias elsewhere refers to it"}},
		{name: "what a new object needs stays, where all are edited alike", server: creates, writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1"))},
			manifest: head + "spec:\n  replicas: 3\n", choice: Choice{Rest: StopManaging},
			want: []string{"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Refused: without the field the server would not create the object: --stop-managing with its name removes it"}},
		{name: "and goes where it is named", server: creates, writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1"))},
			manifest: head + "spec:\n  replicas: 3\n", choice: Choice{StopManaging: []string{"replicas"}},
			want: []string{"Conflicted, then Configured", ".spec.replicas: StopManaging is Done"}, gone: "replicas"},
		{name: "edits that the server refuses are taken back", server: strict, writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1"))},
			manifest: head + "spec:\n  replicas: 3\n", choice: Choice{StopManaging: []string{"replicas"}},
			want: []string{"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Refused: the server refuses the manifest when it is edited so: Required value"}},
		{name: "a field without a conflict", writes: []merging.Writing{applied("ci", fmt.Sprintf(owned, "replicas: 3, paused: true"))},
			manifest: head + "spec:\n  replicas: 3\n  paused: true\n", decided: map[string]Action{".spec.paused": StopManaging, ".spec.replicas": Leave, ".spec.none": StopManaging},
			want: []string{"Configured, then Configured", ".spec.paused: StopManaging is Done"}, gone: "paused"},
		{name: "which the server refuses to be without", server: strict, writes: []merging.Writing{applied("ci", fmt.Sprintf(owned, "replicas: 3, paused: true"))},
			manifest: head + "spec:\n  replicas: 3\n", decided: map[string]Action{".spec.replicas": StopManaging},
			want: []string{"Configured, then Configured", ".spec.replicas: StopManaging is Refused: the server refuses the manifest without the field: Required value"}},
		{name: "a key of a list item", writes: []merging.Writing{applied("ci", fmt.Sprintf(owned, "replicas: 3"))},
			manifest: head + "spec:\n  template: {spec: {containers: [{name: main, image: a}]}}\n", decided: map[string]Action{main + ".name": StopManaging},
			want: []string{"Configured, then Configured", main + ".name: StopManaging is Refused: the field is a key of its list item, without which it would be another item"}},
		{name: "a file that is no text", writes: []merging.Writing{applied("flux", fmt.Sprintf(owned, "replicas: 1"))}, withoutAFile: true,
			manifest: head + "spec:\n  replicas: 3\n", choice: Choice{Rest: UseLiveValue},
			want: []string{"Conflicted, then Conflicted", ".spec.replicas: UseLiveValue is Refused: the file is no UTF-8 text, and nothing else is edited"}},
		{name: "a live value of another manager's update", writes: []merging.Writing{updated("hpa", fmt.Sprintf(owned, "replicas: 5"))},
			manifest: head + "spec:\n  replicas: 3 # how many\n", choice: Choice{UseLiveValue: []string{"replicas"}},
			want: []string{"Conflicted, then Configured", ".spec.replicas: UseLiveValue is Done; hpa Overwrites"}, text: "replicas: 5 # how many"},
		{name: "a decision of a session comes before the rest", writes: []merging.Writing{updated("hpa", fmt.Sprintf(owned, "replicas: 5, paused: true"))},
			manifest: head + "spec:\n  replicas: 3\n  paused: false\n", choice: Choice{Rest: UseLiveValue}, decided: map[string]Action{".spec.paused": StopManaging},
			want: []string{"Conflicted, then Configured", ".spec.paused: StopManaging is Done", ".spec.replicas: UseLiveValue is Done; hpa Overwrites"}, text: "replicas: 5", gone: "paused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inputs := inputsOf(t, test.manifest, server.Object(t, test.writes...))
			file := inputs[0].File
			inputs[0].Decided = test.decided
			if test.withoutAFile {
				inputs[0].File = nil
			}
			var s api.Server = server
			if test.server != nil {
				s = test.server
			}
			d, err := Run(t.Context(), s, report.Run{}, inputs, test.choice)
			if diff := cmp.Diff(test.want, said(d, err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			text := string(file.Text())
			if !strings.Contains(text, test.text) || test.gone != "" && strings.Contains(text, test.gone) {
				t.Errorf("the file is\n%s", text)
			}
			if edited := text != test.manifest; edited != (test.text != "" || test.gone != "") || edited != (len(d.Files) > 0) {
				t.Errorf("edited %v, files %v", edited, d.Files)
			}
		})
	}
}

const secretManifest = "apiVersion: v1\nkind: Secret\nmetadata: {name: web}\n%s: {password: %s}\n"

// TestSecret: live values of Secrets are written only where that is asked for, and shown only
// where that is, too. stringData is written to data, where its value is stored.
func TestSecret(t *testing.T) {
	server := merging.New()
	live := server.Object(t, updated("vault", fmt.Sprintf(secretManifest, "data", "b3RoZXI=")))
	for _, test := range []struct {
		name   string
		choice Choice
		want   string
		file   string
		shown  any
	}{
		{"not asked for", Choice{Rest: UseLiveValue}, ".data.password: UseLiveValue is Refused: the live value is a Secret's, and would be written into the manifest in plain text", "bWluZQ==", nil},
		{"written", Choice{Rest: UseLiveValue, Secrets: interactive.ShareSecrets}, ".data.password: UseLiveValue is Done; vault Overwrites", "b3RoZXI=", mask},
		{"and shown", Choice{Rest: UseLiveValue, Secrets: interactive.ShareSecrets, Masking: ShowSecrets}, ".data.password: UseLiveValue is Done; vault Overwrites", "b3RoZXI=", "b3RoZXI="},
		{"left out", Choice{Rest: StopManaging}, ".data.password: StopManaging is Done", "", nil},
	} {
		inputs := inputsOf(t, fmt.Sprintf(secretManifest, "data", "bWluZQ=="), live)
		d, err := Run(t.Context(), server, report.Run{}, inputs, test.choice)
		if got := said(d, err)[1]; got != test.want {
			t.Errorf("%s: %s", test.name, got)
		}
		if diff := cmp.Diff(test.shown, d.Objects[0].Steps[0].Written); diff != "" {
			t.Errorf("%s: written (-want +got):\n%s", test.name, diff)
		}
		if text := string(inputs[0].File.Text()); !strings.Contains(text, test.file) {
			t.Errorf("%s: the file is\n%s", test.name, text)
		}
		for _, f := range d.Files {
			if hidden := !strings.Contains(f.Diff, "b3RoZXI=") && !strings.Contains(f.Diff, "bWluZQ=="); hidden == (test.choice.Masking == ShowSecrets) {
				t.Errorf("%s: the diff is\n%s", test.name, f.Diff)
			}
		}
	}
}

// TestStringData: what stringData has is shared in data.
func TestStringData(t *testing.T) {
	s := *merging.New()
	live := s.Object(t, updated("vault", fmt.Sprintf(secretManifest, "data", "b3RoZXI=")))
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code:   409,
				Stored: r.Live,
				Body: []byte(
					`{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 1 conflict",
			"details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"vault\" using v1","field":".stringData.password"}]}}`,
				),
			}, !r.Force &&
				strings.Contains(string(r.Body), "stringData")
	}
	inputs := inputsOf(t, fmt.Sprintf(secretManifest, "stringData", "mine"), live)
	d, err := Run(t.Context(), &s, report.Run{}, inputs, Choice{Rest: UseLiveValue, Secrets: interactive.ShareSecrets})
	if err != nil {
		t.Fatal(err)
	}
	step := d.Objects[0].Steps[0]
	if step.Outcome != Done || step.At != ".data.password" || d.Objects[0].After != report.Configured {
		t.Errorf("%+v", step)
	}
	if text := string(inputs[0].File.Text()); strings.Contains(text, "stringData") ||
		!strings.Contains(text, "data: {password: b3RoZXI=}") && !strings.Contains(text, "password: b3RoZXI=") {
		t.Errorf("the file is\n%s", text)
	}
}

// TestDocuments: several documents of a file are resolved together, and one that has no
// answer stays as it is.
func TestDocuments(t *testing.T) {
	server := merging.New()
	live := server.Object(
		t,
		updated("hpa", `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5}}`),
	)
	const text = "# one\n" + head + "spec: {replicas: 3}\n---\n" + head + "spec:\n  replicas: 4\n"
	inputs := inputsOf(t, text, live)
	inputs[1].Err = errors.New("it has no live object")
	d, err := Run(t.Context(), server, report.Run{}, inputs, Choice{Rest: UseLiveValue})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(inputs[0].File.Text()), strings.Replace(text, "replicas: 3", "replicas: 5", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
	if r := d.Objects[1]; r.After != report.Failed || r.Message != "it has no live object" || len(r.Steps) != 0 {
		t.Errorf("%+v", r)
	}
	if len(d.Files) != 1 || strings.Count(d.Files[0].Diff, "\n@@") != 1 {
		t.Errorf("%+v", d.Files)
	}
}

// TestChanged: a document that is not as it was when it was read is not edited.
func TestChanged(t *testing.T) {
	server := merging.New()
	inputs := inputsOf(
		t,
		head+"spec: {replicas: 3}\n",
		server.Object(
			t,
			updated("hpa", `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5}}`),
		),
	)
	inputs[0].File = NewFile("web.yaml", []byte(head+"spec: {replicas: 4}\n"), manifest.Options{})
	d, err := Run(t.Context(), server, report.Run{}, inputs, Choice{Rest: StopManaging})
	want := []string{"Conflicted, then Conflicted", ".spec.replicas: StopManaging is Refused: " + errChanged.Error()}
	if diff := cmp.Diff(want, said(d, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestKubectlRemoves: what is left to a client-side entry is removed by kubectl, which moves
// that entry to its own and applies again.
func TestKubectlRemoves(t *testing.T) {
	server := merging.New()
	noted := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}}, spec: {replicas: 5, paused: true}}`
	live := server.Object(t, updated("kubectl-client-side-apply", noted))
	inputs := inputsOf(t, head+"spec: {replicas: 3}\n", live)
	c, err := clients.New("kubectl", "", client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	inputs[0].Client, inputs[0].Write.Manager = c, "kubectl"
	d, err := Run(t.Context(), server, report.Run{}, inputs, Choice{Rest: StopManaging})
	want := []string{
		"Conflicted, then Configured",
		".spec.replicas: StopManaging is Done; kubectl-client-side-apply KubectlRemoves",
	}
	if diff := cmp.Diff(want, said(d, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestKubectlNotices: what kubectl removes besides what was resolved is said, and where it is
// not known whether kubectl applies, how to ask.
func TestKubectlNotices(t *testing.T) {
	server := merging.New()
	noted := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}}, spec: {replicas: 5, paused: true}}`
	plain := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5, paused: true}}`
	c, err := clients.New("kubectl", "", client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	const moves = "moves all fields of kubectl-client-side-apply to ci, and removes or resets what the manifest lacks: .spec.paused"
	for _, test := range []struct {
		name, live string
		client     *client.Client
		maybe      bool
		want       string
	}{
		{"kubectl", noted, c, false, "kubectl " + moves},
		{"perhaps kubectl", noted, nil, true, "if kubectl applies, it " + moves + "; if it is kubectl that applies, ask with --client kubectl; if not, with --client none"},
		{"another client", noted, nil, false, ""},
		{"never applied by kubectl", plain, nil, true, ""},
	} {
		inputs := inputsOf(t, head+"spec: {replicas: 3}\n", server.Object(t, updated("kubectl-client-side-apply", test.live)))
		inputs[0].Client, inputs[0].MaybeKubectl, inputs[0].Write.Manager = test.client, test.maybe, "ci"
		d, err := Run(t.Context(), server, report.Run{}, inputs, Choice{Rest: StopManaging})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Objects[0].Notices, "; "); got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestSeveralObjects: a FIELD of the command line means the same field in all objects; two
// fields are ambiguous, and what is wrong is said with what conflicts.
func TestSeveralObjects(t *testing.T) {
	server := merging.New()
	live := server.Object(
		t,
		applied(
			"flux",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {a: x, b: x}}, spec: {replicas: 5, template: {metadata: {labels: {a: q}}}}}`,
		),
	)
	const one, two = head + "spec: {replicas: 3}\n", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {a: z}}\n"
	const third = head + "spec: {template: {metadata: {labels: {a: z}}}}\n"
	for _, test := range []struct {
		name   string
		texts  []string
		choice Choice
		want   []string
	}{
		{"the same field", []string{one, one}, Choice{StopManaging: []string{"replicas"}}, []string{"Configured", "Configured"}},
		{"a field of one of them", []string{one, two}, Choice{StopManaging: []string{"replicas"}}, []string{"Configured", "Conflicted"}},
		{"all below a field", []string{two, one}, Choice{UseLiveValue: []string{"metadata"}}, []string{"Configured", "Conflicted"}},
		{"two fields", []string{two, third}, Choice{StopManaging: []string{"labels.a"}}, []string{"--stop-managing labels.a: it may be any of .metadata.labels.a, .spec.template.metadata.labels.a"}},
		{"no such field", []string{one, two}, Choice{UseLiveValue: []string{"nothing"}}, []string{"--use-live-value nothing: no such field; in conflict are .metadata.labels.a, .spec.replicas"}},
		{"of nobody", []string{one}, Choice{OwnedBy: []string{"helm"}, Rest: StopManaging}, []string{"Conflicted", "--owned-by helm: it owns no field that conflicts"}},
	} {
		d, err := Run(t.Context(), server, report.Run{}, inputsOf(t, strings.Join(test.texts, "---\n"), live), test.choice)
		var got []string
		if err != nil {
			got = append(got, err.Error())
		}
		for _, r := range d.Objects {
			got = append(got, string(r.After))
		}
		if diff := cmp.Diff(test.want, append(got, d.Notices...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	many := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {"
	for i := range 12 {
		many += fmt.Sprintf("k%02d: a, ", i)
	}
	all := server.Object(t, applied("flux", strings.ReplaceAll(many, ": a", ": b")+"}"))
	_, err := Run(
		t.Context(),
		server,
		report.Run{},
		inputsOf(t, many+"}\n", all),
		Choice{StopManaging: []string{"nothing"}},
	)
	if err == nil || !strings.HasSuffix(err.Error(), ".data.k09, 2 more") {
		t.Errorf("of many fields: %v", err)
	}
}

// TestBareItems: an item that has nothing but its key goes, unless the object would change by
// that.
func TestBareItems(t *testing.T) {
	server := merging.New()
	const manifest = head + "spec:\n  template:\n    spec:\n      containers:\n      - name: main\n        image: b\n"
	live := server.Object(
		t,
		applied(
			"flux",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {spec: {containers: [{name: main, image: a}]}}}}`,
		),
	)
	only := server.Object(
		t,
		applied(
			"ci",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {spec: {containers: [{name: main}]}}}}`,
		),
		merging.Writing{
			Verb:     api.MergePatch,
			Manager:  "edit",
			Manifest: `{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: main, image: a}]}}}}`,
		},
	)
	for _, test := range []struct {
		name    string
		live    []byte
		removed string
	}{{"another manager applies the item", live, main}, {"no other owns it", only, ""}} {
		inputs := inputsOf(t, manifest, test.live)
		d, err := Run(t.Context(), server, report.Run{}, inputs, Choice{Rest: StopManaging})
		if err != nil {
			t.Fatal(err)
		}
		if step := d.Objects[0].Steps[0]; step.Outcome != Done || step.Removed != test.removed {
			t.Errorf("%s: %+v", test.name, step)
		}
		if text := string(inputs[0].File.Text()); strings.Contains(text, "main") != (test.removed == "") {
			t.Errorf("%s: the file is\n%s", test.name, text)
		}
	}
}
