package conflict

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// asked is the answer on a field of what some writes left, or of a live object.
func asked(t *testing.T, s api.Server, live []byte, field string, q Question) Why {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(live, &object); err != nil {
		t.Fatal(err)
	}
	q.Object = written(t, "{}").On(object)
	found, err := NewNames(s.Types(q.Object.Kind).ParseableType, object).Find(field)
	if err != nil {
		t.Fatal(err)
	}
	q.Path, q.Typed, q.Inside = found.Path, field, found.Inside
	return Ask(t.Context(), s, q)
}

// withDefaults is a server that has defaults for some fields, which come back when they are
// removed, and refuses to be without others.
func withDefaults(defaults, needed string) *merging.Server {
	s := *server
	s.Refuse = func(r api.Request) (api.Response, bool) {
		switch body := string(r.Body); {
		case r.Verb == api.JSONPatch && strings.Contains(body, `"`+defaults+`"`):
			return api.Response{Code: 200, Body: r.Live, Stored: r.Live}, true
		case r.Verb == api.JSONPatch && strings.Contains(body, `"`+needed+`"`):
			return api.Response{
				Code:   422,
				Stored: r.Live,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"Required value","code":422}`),
			}, true
		}
		return api.Response{}, false
	}
	return &s
}

const ownedObject = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, uid: u}, spec: {replicas: 2, paused: false, minReadySeconds: 5,
	selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: main, image: x}]}}}, status: {replicas: 2}}`

// ownedLive is a live object with fields of every origin.
func ownedLive(t *testing.T) []byte {
	t.Helper()
	live := server.Object(
		t,
		applied(
			"flux",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: main, image: x}]}}}}`,
		),
	)
	var object, all map[string]any
	if err := json.Unmarshal(live, &object); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(merging.JSON(t, ownedObject), &all); err != nil {
		t.Fatal(err)
	}
	all["metadata"].(map[string]any)["managedFields"] = object["metadata"].(map[string]any)["managedFields"]
	live, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// TestOrigins: where values come from.
func TestOrigins(t *testing.T) {
	s := withDefaults("/spec/paused", "/spec/minReadySeconds")
	live := ownedLive(t)
	got := map[string]string{}
	for _, field := range []string{".spec.replicas", ".spec.selector.matchLabels.a", ".spec.template", ".spec.paused", ".spec.minReadySeconds", ".spec.strategy", ".status.replicas", ".metadata.uid", ".metadata.name"} {
		a := asked(t, s, live, field, Question{})
		got[field] = string(a.Origin)
		if a.Needed {
			got[field] += ", needed"
		}
		if a.Inside {
			got[field] += ", and all of " + a.Field
		}
	}
	want := map[string]string{
		".spec.replicas": "Owned", ".spec.selector.matchLabels.a": "Owned, and all of .spec.selector", ".spec.template": "OwnedBelow", ".spec.paused": "Default",
		".spec.minReadySeconds": "Unowned, needed", ".spec.strategy": "Unset", ".status.replicas": "ServerWritten", ".metadata.uid": "ServerWritten", ".metadata.name": "ServerWritten",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bare := asked(t, server, merging.JSON(t, ownedObject), ".spec.replicas", Question{})
	if bare.Origin != UntrackedObject || len(bare.Caveats) == 0 {
		t.Errorf("without managed fields: %s, %v", bare.Origin, bare.Caveats)
	}
}

// TestKept says why a field is still there though it was taken out of a manifest.
func TestKept(t *testing.T) {
	const note = `metadata: {name: web, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"replicas":2}}'}}`
	manifest := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2}}`
	noted := strings.Replace(manifest, "metadata: {name: web, namespace: shop}", note, 1)
	for _, test := range []struct {
		name, manager string
		writes        []merging.Writing
		want          []string
	}{
		{"no manager is asked about", "", []merging.Writing{applied("ci", manifest)}, []string{}},
		{"it applies the field", "ci", []merging.Writing{applied("ci", manifest)}, []string{
			"ci still owns it by its Apply entry: no apply without it has arrived yet under this manager name."}},
		{"so does another", "ci", []merging.Writing{applied("ci", manifest), applied("flux", manifest)}, []string{
			"ci still owns it by its Apply entry: no apply without it has arrived yet. Even then it stays: flux owns it too."}},
		{"it only updates", "ci", []merging.Writing{updated("ci", manifest)}, []string{
			"ci owns it as an Update manager only, from client-side writes. An apply removes only what the manager's Apply entry has: migrate the entry first (ssactl migrate), then take the field out."}},
		{"it owns nothing, and a person did it", "ci", []merging.Writing{updated("kubectl-edit", manifest)}, []string{
			"ci does not own it: removing it from the manifest changes nothing.",
			"kubectl-edit owns it by an update, and never comes back to drop it: it stays until it, or the entry, is removed."}},
		{"a client-side apply, whose annotation has it", "ci", []merging.Writing{updated("kubectl-client-side-apply", noted)}, []string{
			"ci does not own it: removing it from the manifest changes nothing.",
			"kubectl-client-side-apply owns it from client-side apply (a client-side kubectl apply without it would remove it: its last-applied annotation has the field): no server-side apply removes it. ssactl migrate moves its fields."}},
		{"and one whose annotation has not", "ci", []merging.Writing{updated("kubectl-client-side-apply", strings.Replace(noted, "replicas\":2", "paused\":true", 1))}, []string{
			"ci does not own it: removing it from the manifest changes nothing.",
			"kubectl-client-side-apply owns it from client-side apply (not even a client-side kubectl apply would remove it: its last-applied annotation does not have the field): no server-side apply removes it. ssactl migrate moves its fields."}},
		{"without an annotation", "", []merging.Writing{updated("kubectl-client-side-apply", manifest)}, []string{
			"kubectl-client-side-apply owns it from client-side apply: no server-side apply removes it. ssactl migrate moves its fields."}},
	} {
		got := []string{}
		for _, says := range asked(t, server, server.Object(t, test.writes...), ".spec.replicas", Question{Manager: test.manager}).Kept {
			got = append(got, says.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestApplies: what happens if a manager applies the live value of a field, and another one.
func TestApplies(t *testing.T) {
	nine := any(int64(9))
	flux := []merging.Writing{applied("flux", deployment("2", "a"))}
	for _, test := range []struct {
		name, field, manager string
		value                *any
		want                 []string
	}{
		{"a new manager", ".spec.replicas", "", nil, []string{"2 (the same): Configured", "3: Conflicted with flux"}},
		{"its owner", ".spec.replicas", "flux", nil, []string{"2 (the same): Configured", "3: Configured"}},
		{"a value", ".spec.replicas", "ci", &nine, []string{"2 (the same): Configured", "9: Conflicted with flux"}},
		{"a map of fields is no single value", ".spec.template", "", nil, nil},
		{"nor is what only the server writes", ".metadata.name", "", nil, nil},
	} {
		var got []string
		for _, a := range asked(t, server, server.Object(t, flux...), test.field, Question{Manager: test.manager, Value: test.value}).Applies {
			text, _ := json.Marshal(a.Value)
			line := string(text)
			if a.Same {
				line += " (the same)"
			}
			line += ": " + string(a.Outcome)
			if len(a.With) > 0 {
				line += " with " + strings.Join(a.With, ", ")
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestRemoval is how a field is removed, each step simulated.
func TestRemoval(t *testing.T) {
	s := withDefaults("/spec/paused", "/spec/minReadySeconds")
	live := ownedLive(t)
	for _, test := range []struct {
		field  string
		effect Effect
		steps  []string
	}{
		{".spec.replicas", EffectRemoved, []string{"flux Configured"}},
		{".spec.paused", EffectDefault, nil},
		{".spec.strategy", EffectRemoved, nil},
		{".metadata.uid", EffectRefused, nil},
		{".spec.minReadySeconds", EffectRefused, []string{"/spec/minReadySeconds Invalid"}},
		{`.spec.template.spec.containers[name="main"].name`, EffectRemoved, []string{"flux Configured"}},
	} {
		a := asked(t, s, live, test.field, Question{})
		var got []string
		for _, step := range a.Removal.Steps {
			who := step.Manager
			if who == "" {
				_, rest, _ := strings.Cut(step.Command.String(), `"path":"`)
				who, _, _ = strings.Cut(rest, `"`)
			}
			got = append(got, who+" "+string(step.Outcome))
		}
		if diff := cmp.Diff(test.steps, got); diff != "" || a.Removal.Effect != test.effect {
			t.Errorf("%s: %s (-want +got):\n%s", test.field, a.Removal.Effect, diff)
		}
	}
	if a := asked(t, s, live, `.spec.template.spec.containers[name="main"].name`, Question{}); a.Whole != `.spec.template.spec.containers[name="main"]` {
		t.Errorf("a key is dropped with %q", a.Whole)
	}
}

// TestDropped: what an owner's next write without a field does.
func TestDropped(t *testing.T) {
	manifest := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2, template: {spec: {containers: [{name: main, image: x}]}}}}`
	live := server.Object(
		t,
		applied("flux", manifest),
		applied("helm", manifest),
		updated("kubectl-edit", strings.Replace(manifest, "replicas: 2", "replicas: 2, paused: true", 1)),
	)
	got := map[string]string{}
	for _, field := range []string{".spec.replicas", ".spec.paused", ".spec.template"} {
		for _, d := range asked(t, server, live, field, Question{}).Drops {
			got[field+" of "+d.Manager] = string(d.Effect) + " " + strings.Join(d.KeptBy, ", ")
		}
	}
	want := map[string]string{
		".spec.replicas of flux": "Kept helm", ".spec.replicas of helm": "Kept flux",
		".spec.paused of kubectl-edit": "Removed ",
		".spec.template of flux":       "Kept ", ".spec.template of helm": "Kept ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	refusing := needing("image")
	for _, d := range asked(t, refusing, server.Object(t, applied("flux", manifest)), ".spec.template", Question{}).Drops {
		if d.Effect != EffectRefused || d.Code != 422 || d.Message != "Required value" {
			t.Errorf("refused: %+v", d)
		}
	}
}

// TestNewAnswers: answers have a kind, and are never nil.
func TestNewAnswers(t *testing.T) {
	a := NewAnswers(report.Run{}, nil)
	if a.Kind != WhyKind || a.Answers == nil {
		t.Errorf("%+v", a)
	}
	d := NewDocument(
		report.Run{},
		[]Explanation{Failure(engine.Write{Name: "a"}, errors.New("no")), Of(report.Result{Outcome: report.Conflicted})},
	)
	if d.Summary.Failed != 1 || d.Summary.Conflicted != 1 || d.Objects[0].Message != "no" ||
		d.Objects[1].Conflicts == nil {
		t.Errorf("%+v", d)
	}
}
