package conflict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// summed is a resolution in a line.
func summed(r Resolution) string {
	if !r.Impossible.IsZero() {
		return string(r.Kind) + " is impossible: " + r.Impossible.String()
	}
	out := string(r.Kind) + " " + string(r.Outcome)
	if r.After != nil {
		out += fmt.Sprint(", then ", r.After.Value)
	}
	for _, c := range r.Changes {
		out += ", " + c.Field + " " + string(c.Kind)
	}
	for _, v := range r.Reactions {
		out += ", " + v.Manager
		if v.SetsAgain {
			out += " sets it again"
		}
		if v.NextApply.Refused() {
			out += " (its next apply is " + string(v.NextApply) + ")"
		}
	}
	if r.Safe {
		out += ", safe"
	}
	if r.Needed {
		out += ", needed"
	}
	return out
}

// TestResolutions are the three of each field, and those of all fields together.
func TestResolutions(t *testing.T) {
	for _, test := range []struct {
		name           string
		writes         []merging.Writing
		manifest       string
		want, together []string
	}{
		{"a controller", []merging.Writing{applied("ci", deployment("2", "a")), updated("kube-controller-manager", deployment("5", "a"))}, deployment("3", "a"), []string{
			"Force Configured, then 3, .spec.replicas Modified, kube-controller-manager sets it again",
			"StopManaging Configured, then 5, safe",
			"UseLiveValue Configured, then 5, kube-controller-manager sets it again",
		}, nil},
		{"one that applies another manifest", []merging.Writing{applied("web-team", deployment("5", "a"))}, deployment("3", "a"), []string{
			"Force Configured, then 3, .spec.replicas Modified, web-team sets it again (its next apply is Conflicted)",
			"StopManaging Configured, then 5, safe",
			"UseLiveValue Configured, then 5, web-team, safe",
		}, nil},
		{"what was the manager's own, too", []merging.Writing{applied("ci", deployment("2", "a")), applied("web-team", deployment("5", "a"))}, deployment("3", "a"), []string{
			"Force Configured, then 3, .spec.replicas Modified, web-team sets it again (its next apply is Conflicted)",
			"StopManaging Configured, then 5, safe",
			"UseLiveValue Configured, then 5, web-team, safe",
		}, nil},
		{"two fields", []merging.Writing{updated("kubectl-edit", deployment("5", "a"))}, deployment("3", "b"), []string{
			"Force Configured, then 3, .spec.replicas Modified, kubectl-edit, safe",
			"StopManaging Configured, then 5, safe",
			"UseLiveValue Configured, then 5, kubectl-edit, safe",
			"Force Configured, then b, " + image + " Modified, kubectl-edit, safe",
			"StopManaging Configured, then a, safe",
			"UseLiveValue Configured, then a, kubectl-edit, safe",
		}, []string{
			"Force Configured, .spec.replicas Modified, " + image + " Modified, kubectl-edit",
			"StopManaging Configured", "UseLiveValue Configured",
		}},
	} {
		e := Explain(t.Context(), server, written(t, test.manifest, test.writes...), Judges{})
		var got, together []string
		for _, c := range e.Conflicts {
			for _, r := range c.Resolutions {
				got = append(got, summed(r))
			}
		}
		for _, r := range e.Together {
			together = append(together, summed(r))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.together, together); diff != "" {
			t.Errorf("%s, together (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestEdits show how the manifest reads, with the lines of its file.
func TestEdits(t *testing.T) {
	const manifest = "# of the team\n\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  replicas: 3 # mine\n"
	for _, test := range []struct {
		name, manifest string
		// line is that of the source.
		line int
		want []Edit
		not  string
	}{
		{"a document at the start of its file", manifest, 3, []Edit{{File: "web.yaml", Line: 6, Removed: []string{"spec:", "  replicas: 3 # mine"}, Added: []string{}}, {File: "web.yaml", Line: 7, Removed: []string{"  replicas: 3 # mine"}, Added: []string{"  replicas: 5 # mine"}}}, ""},
		{"further down", manifest, 23, []Edit{{File: "web.yaml", Line: 26, Removed: []string{"spec:", "  replicas: 3 # mine"}, Added: []string{}}, {File: "web.yaml", Line: 27, Removed: []string{"  replicas: 3 # mine"}, Added: []string{"  replicas: 5 # mine"}}}, ""},
		{"a field that another one repeats", strings.Replace(manifest, "replicas: 3 # mine", "replicas: &r 3\n  minReadySeconds: *r", 1), 3, nil, "an alias elsewhere refers to it"},
	} {
		w := written(t, "{}", updated("kube-controller-manager", deployment("5", "a")))
		w.Body, w.Decoded = []byte(test.manifest), map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "web", "namespace": "shop"}, "spec": map[string]any{"replicas": int64(3)},
		}
		w.JSON = merging.JSON(t, manifest)
		w.Source = report.Source{File: "web.yaml", Line: test.line}
		e := Explain(t.Context(), server, w, Judges{})
		if len(e.Conflicts) != 1 {
			t.Fatalf("%s: %+v", test.name, e.Answer)
		}
		var got []Edit
		not := ""
		for _, r := range e.Conflicts[0].Resolutions[1:] {
			if not += r.Uneditable(); r.Edit != nil {
				got = append(got, *r.Edit)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" || (not == "") != (test.not == "") ||
			!strings.Contains(not, test.not) {
			t.Errorf("%s: %q (-want +got):\n%s", test.name, not, diff)
		}
	}
}

// TestOtherVersion: a conflict in the terms of another API version is of the one field without
// which it is gone, or of none.
func TestOtherVersion(t *testing.T) {
	conflicting := func(needles ...string) *merging.Server {
		s := *server
		s.Refuse = func(r api.Request) (api.Response, bool) {
			for _, needle := range needles {
				if !r.Force && strings.Contains(string(r.Body), needle) {
					return api.Response{
						Code:   409,
						Stored: r.Live,
						Body: []byte(
							`{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 1 conflict",
						"details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"hpa\" using apps/v2","field":".spec.size"}]}}`,
						),
					}, true
				}
			}
			return api.Response{}, false
		}
		return &s
	}
	for _, test := range []struct {
		name    string
		server  *merging.Server
		asked   string
		because ReasonKind
		first   string
	}{
		{"one field is behind it", conflicting(`"replicas":3`), ".spec.replicas", "", ""},
		{"none alone is", conflicting(`"replicas":3`, `"image":"a"`), "", OtherVersion, "StopManaging is impossible: the manifest has no field .spec.size"},
	} {
		e := Explain(
			t.Context(),
			test.server,
			written(t, deployment("3", "a"), updated("hpa", deployment("5", "a"))),
			Judges{},
		)
		if len(e.Conflicts) != 1 {
			t.Fatalf("%s: %s", test.name, e.Message)
		}
		c := e.Conflicts[0]
		if c.Field != ".spec.size" || c.AskedAs != test.asked {
			t.Errorf("%s: %s is asked for as %q", test.name, c.Field, c.AskedAs)
		}
		if test.because != "" && (c.Because.Kind != test.because || summed(c.Resolutions[1]) != test.first) {
			t.Errorf("%s: %+v, %s", test.name, c.Because, summed(c.Resolutions[1]))
		}
	}
}

// TestNature is how fields merge.
func TestNature(t *testing.T) {
	shape := managedfields.ShapeOf(merging.GadgetType())
	zone := value.NewValueInterface("a")
	key := fieldpath.KeyByFields("port", 80, "protocol", "TCP")
	for _, test := range []struct {
		path  fieldpath.Path
		value any
		want  Nature
		parts bool
	}{
		{fieldpath.MakePathOrDie("spec", "replicas"), int64(1), Nature{Kind: Scalar}, false},
		{fieldpath.MakePathOrDie("spec", "selector"), map[string]any{}, Nature{Kind: AtomicMap}, false},
		{fieldpath.MakePathOrDie("spec", "args"), []any{}, Nature{Kind: AtomicList}, false},
		{fieldpath.MakePathOrDie("spec", "options"), map[string]any{}, Nature{Kind: GranularMap}, true},
		{fieldpath.MakePathOrDie("spec", "ports"), []any{}, Nature{Kind: KeyedList, Keys: []string{"port", "protocol"}}, true},
		{fieldpath.MakePathOrDie("spec", "ports", key), nil, Nature{Kind: KeyedItem, Keys: []string{"port", "protocol"}, List: ".spec.ports", ListKeys: []string{"port", "protocol"}}, true},
		{fieldpath.MakePathOrDie("spec", "ports", key, "name"), "web", Nature{Kind: Scalar, List: ".spec.ports", ListKeys: []string{"port", "protocol"}}, false},
		{fieldpath.MakePathOrDie("spec", "zones"), []any{}, Nature{Kind: Set}, true},
		{fieldpath.MakePathOrDie("spec", "zones", fieldpath.PathElement{Value: &zone}), nil, Nature{Kind: SetItem, List: ".spec.zones"}, false},
	} {
		got := natureOf(shape, test.path, test.value)
		if diff := cmp.Diff(test.want, got); diff != "" || got.HasParts() != test.parts {
			t.Errorf("%s: has parts %v (-want +got):\n%s", test.path, got.HasParts(), diff)
		}
	}
}

// TestSecretEdit: the lines of a Secret are not shown, and it can still be edited.
func TestSecretEdit(t *testing.T) {
	for _, r := range []Resolution{{NotEdited: "a template"}, {Edit: &Edit{Removed: []string{"  a: secret"}}}} {
		concealed := r.Concealed().(Resolution)
		if concealed.Edit != nil || (concealed.Uneditable() == "") != (r.Edit != nil) {
			t.Errorf("%+v", concealed)
		}
	}
}

// TestNeeded: what a manifest lacks without a field counts only where it has it with it.
func TestNeeded(t *testing.T) {
	for _, test := range []struct {
		without, with []string
		want          bool
	}{
		{nil, nil, false}, {[]string{"a"}, nil, true}, {[]string{"a"}, []string{"a"}, false}, {[]string{"a", "b"}, []string{"a"}, true}, {nil, []string{"a"}, false},
	} {
		if got := Needed(test.without, func() []string { return test.with }); got != test.want {
			t.Errorf("%v, %v: %v", test.without, test.with, got)
		}
	}
	w := written(t, deployment("3", "a"), updated("hpa", deployment("5", "a")))
	if got := Lacking(t.Context(), server, w); got != nil {
		t.Errorf("lacks %v", got)
	}
	if got := Lacking(t.Context(), needing("paused"), w); len(got) != 1 || got[0] != "Required value" {
		t.Errorf("lacks %v", got)
	}
	e := Explain(t.Context(), needingOnCreate("replicas"), w, Judges{})
	if got := summed(e.Conflicts[0].Resolutions[1]); got != "StopManaging Configured, then 5, needed" {
		t.Errorf("without what a new object needs: %s", got)
	}
}

// needingOnCreate refuses new objects that lack a text.
func needingOnCreate(text string) *merging.Server {
	s := *needing(text)
	refuse := s.Refuse
	s.Refuse = func(r api.Request) (api.Response, bool) {
		if r.Live != nil {
			return api.Response{}, false
		}
		return refuse(r)
	}
	return &s
}

// TestTakenOver is when a tool that applies whole manifests is taken over from.
func TestTakenOver(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	for _, test := range []struct {
		name, applier, manifest string
		writes                  []merging.Writing
		want                    string
	}{
		{"most of what is applied", "ci", deployment("3", "a"), []merging.Writing{updated("helm", deployment("3", "a"))}, "helm"},
		{"only a part", "ci", `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {a: b, c: d, e: f}}, spec: {replicas: 3, paused: true}}`, []merging.Writing{updated("helm", deployment("3", "a"))}, ""},
		{"but for what a person changed", "ci", deployment("3", "a"), []merging.Writing{updated("helm", deployment("3", "a")), updated("kubectl-edit", deployment("5", "a"))}, "helm"},
		{"no tool", "ci", deployment("3", "a"), []merging.Writing{updated("kubectl-edit", deployment("3", "a"))}, ""},
		{"an applier that runs, for the first time", "helm", deployment("3", "a"), []merging.Writing{applied("kubectl", deployment("3", "a"))}, "kubectl"},
		{"and later", "helm", deployment("3", "a"), []merging.Writing{applied("kubectl", deployment("3", "a")), applied("helm", deployment("3", "a"))}, ""},
		{"an applier that syncs", "helm", deployment("3", "a"), []merging.Writing{applied("argocd-controller", deployment("3", "a"))}, ""},
		{"by no tool", "ci", deployment("3", "a"), []merging.Writing{applied("kubectl", deployment("3", "a"))}, ""},
		{"its own updates", "helm", deployment("3", "a"), []merging.Writing{updated("helm", deployment("3", "a"))}, ""},
	} {
		w := written(t, test.manifest, test.writes...)
		r := engine.Simulate(t.Context(), server, w)
		s := newSession(t.Context(), server, w, r, Judges{})
		if s.Write.Kind != kind {
			t.Fatal(s.Write.Kind)
		}
		if got, is := TakenOver(test.applier, s.manifest(), s.Live); got.Manager != test.want || is != (test.want != "") {
			t.Errorf("%s: from %q, %v", test.name, got.Manager, is)
		}
	}
}

// TestAdded: edits are of the text of the manifest, which does not have what the client adds.
func TestAdded(t *testing.T) {
	object := func(by, replicas string) string {
		return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {by: " + by + "}}, spec: {replicas: " + replicas + "}}"
	}
	sent := written(t, object("Helm", "3"), updated("kube-controller-manager", object("me", "7")))
	own := sent
	own.Body = []byte(
		"# mine\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec:\n  replicas: 3 # for now\n",
	)
	own.Decoded = map[string]any{"metadata": map[string]any{"name": "web"}, "spec": map[string]any{"replicas": int64(3)}}
	own.Source = report.Source{File: "web.yaml", Line: 2}
	e := Explain(t.Context(), server, sent, Judges{Manifest: &own, Client: "Helm"})
	var got []string
	for _, c := range e.Conflicts {
		got = append(got, c.Field+" "+string(c.Recommended))
		for _, r := range c.Resolutions[1:] {
			line := summed(r)
			if r.Edit != nil {
				line = fmt.Sprintf("%s: %s:%d %q %q", r.Kind, r.Edit.File, r.Edit.Line, r.Edit.Removed, r.Edit.Added)
			}
			got = append(got, line)
		}
	}
	for _, r := range e.Together[1:] {
		got = append(got, summed(r))
	}
	const adds = "is impossible: Helm adds .metadata.labels.by, which the manifest does not have"
	want := []string{
		".metadata.labels.by None", "StopManaging " + adds, "UseLiveValue " + adds,
		".spec.replicas StopManaging",
		`StopManaging: web.yaml:5 ["spec:" "  replicas: 3 # for now"] []`,
		`UseLiveValue: web.yaml:6 ["  replicas: 3 # for now"] ["  replicas: 7 # for now"]`,
		"StopManaging " + adds, "UseLiveValue " + adds,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
