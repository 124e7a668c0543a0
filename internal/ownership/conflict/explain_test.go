package conflict

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

var (
	server = merging.New()
	now    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// deployment is a manifest with so many replicas and this image; empty for none.
func deployment(replicas, image string) string {
	spec := ""
	if replicas != "" {
		spec += "replicas: " + replicas + ", "
	}
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {" + spec +
		"template: {spec: {containers: [{name: main, image: " + image + "}]}}}}"
}

// written is an apply by ci to what some writes left.
func written(t *testing.T, manifest string, writes ...merging.Writing) engine.Write {
	t.Helper()
	return engine.Write{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web",
		Manager: "ci", Body: merging.JSON(t, manifest), Live: server.Object(t, writes...), Now: now,
	}
}

const image = `.spec.template.spec.containers[name="main"].image`

func applied(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Apply, Manager: manager, Manifest: manifest}
}

func updated(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Update, Manager: manager, Manifest: manifest}
}

// situations are fields that somebody else owns: what is recommended, and why.
var situations = []struct {
	name     string
	writes   []merging.Writing
	manifest string
	want     []string
	// needs is what no object can be without; empty for nothing.
	needs string
}{
	{"nobody else", []merging.Writing{applied("ci", deployment("2", "a"))}, deployment("3", "b"), nil, ""},
	{"the same value is shared", []merging.Writing{applied("flux", deployment("2", "a"))}, deployment("2", "a"), nil, ""},
	{
		"a controller",
		[]merging.Writing{applied("ci", deployment("", "a")), updated("kube-controller-manager", deployment("5", "a"))},
		deployment("3", "b"),
		[]string{
			".spec.replicas of kube-controller-manager: StopManaging: A controller (kube-controller-manager) keeps this value, and would set it back. Change what it derives the value from, not the value."},
		"",
	},
	{
		"a takeover, which comes before the other conflict",
		[]merging.Writing{updated("helm", deployment("2", "a")), updated("kube-controller-manager", deployment("5", "a"))},
		deployment("3", "b"),
		[]string{
			".spec.replicas of kube-controller-manager: StopManaging: A controller (kube-controller-manager) keeps this value, and would set it back. Change what it derives the value from, not the value. Migrate first, as is recommended for other fields.",
			image + " of helm: Migrate: helm owns most of what the manifest sets: this is a takeover."},
		"",
	},
	{
		"a person, by hand",
		[]merging.Writing{applied("ci", deployment("2", "a")), updated("kubectl-edit", deployment("2", "hotfix"))},
		deployment("2", "b"),
		[]string{
			image + " of kubectl-edit: Force: kubectl-edit was used by hand, and does not write again by itself. Ask who did it and why, if the live value looks wanted."},
		"",
	},
	{"another deployer", []merging.Writing{applied("helm", deployment("2", "a"))}, deployment("3", "a"), []string{
		".spec.replicas of helm: StopManaging: The field is in the manifest of helm too, and two manifests cannot decide one value: change it there, or remove it there and set it here."}, ""},
	{
		"what the object cannot be without",
		[]merging.Writing{applied("helm", deployment("2", "a"))},
		deployment("2", "b"),
		[]string{
			image + " of helm: None: No option is safe: after force, helm sets the value back; without the field the apply is refused. Decide with the owners whose manifest has the field, and change the other one first."},
		"image",
	},
	{
		"kubectl apply, client-side",
		[]merging.Writing{updated("kubectl-client-side-apply", deployment("2", "a"))},
		deployment("2", "b"),
		[]string{
			image + " of kubectl-client-side-apply: Migrate: kubectl-client-side-apply owns what the manifest sets from an earlier client-side apply; the values stay."},
		"",
	},
	{
		"one who comes back, and one who does not",
		[]merging.Writing{updated("kubectl-edit", deployment("2", "a")), applied("web-team", deployment("2", "a"))},
		deployment("4", "a"),
		[]string{
			".spec.replicas of kubectl-edit, web-team: StopManaging: The field is in the manifest of web-team too, and two manifests cannot decide one value: change it there, or remove it there and set it here."},
		"",
	},
	{
		"what the manager wrote itself",
		[]merging.Writing{updated("ci", deployment("2", "a"))},
		deployment("4", "a"),
		[]string{
			".spec.replicas of ci: Force: The owner is ci too, by its updates: the server counts updates and applies of one name as two owners. Force takes the ownership of this field; ssactl migrate moves all of them at once."},
		"",
	},
}

// TestExplain explains each situation.
func TestExplain(t *testing.T) {
	for _, test := range situations {
		e := Explain(t.Context(), needing(test.needs), written(t, test.manifest, test.writes...), Judges{})
		var got []string
		for _, c := range e.Conflicts {
			var owners []string
			for _, o := range c.Owners {
				owners = append(owners, o.Manager)
			}
			got = append(got, fmt.Sprintf("%s of %s: %s: %s", c.Field, strings.Join(owners, ", "), c.Recommended, c.Reason))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if conflicts := e.Outcome == report.Conflicted; conflicts != (len(test.want) > 0) {
			t.Errorf("%s: the outcome is %s", test.name, e.Outcome)
		}
	}
}

// needing refuses every object that lacks a text.
func needing(text string) *merging.Server {
	s := *server
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code:   422,
				Body:   []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"Required value","code":422}`),
				Stored: r.Live,
			},
			!bytes.Contains(
				r.Body,
				[]byte(text),
			)
	}
	return &s
}

// TestForcedExplain: where the apply forces, a field is tried with the other conflicts overridden, and else
// without them: here the image that is taken needs the replicas.
func TestForcedExplain(t *testing.T) {
	s := *server
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code: 422,
				Body: []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","message":"needs replicas","code":422}`),
			},
			bytes.Contains(r.Body, []byte(`"image":"b"`)) && !bytes.Contains(r.Body, []byte("replicas"))
	}
	w := written(t, deployment("3", "b"), updated("kubectl-edit", deployment("5", "a")))
	for _, forces := range []bool{false, true} {
		e := Explain(t.Context(), &s, w, Judges{Forces: forces})
		if len(e.Conflicts) != 2 {
			t.Fatalf("%d conflicts, want 2", len(e.Conflicts))
		}
		stop := e.Conflicts[0].Resolutions[1]
		if got := stop.Outcome == report.Invalid; stop.Kind != StopManaging || got != forces {
			t.Errorf("forces %t: without .spec.replicas the apply is %s", forces, stop.Outcome)
		}
		if force := e.Conflicts[0].Resolutions[0]; force.Outcome != report.Configured {
			t.Errorf("forces %t: force is %s", forces, force.Outcome)
		}
	}
}
