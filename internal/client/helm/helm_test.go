package helm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// released is a run of a release with what it has deployed; a name without a manifest is an
// install.
func released(t *testing.T, manifest string, s client.Settings) *client.Client {
	t.Helper()
	s.Release, s.Namespace = "shop", "team"
	if manifest != "" {
		s.ReleaseManifest = []byte(manifest)
	}
	c, err := New("", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const ofShop = `, labels: {app.kubernetes.io/managed-by: Helm}, annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: team}`

// TestHelmRefusals are the words in which Helm refuses to write anything.
func TestHelmRefusals(t *testing.T) {
	const exists = `unable to continue with %s: ConfigMap "a" in namespace "team" exists and cannot be imported into the current release: invalid ownership metadata; %s`
	foreign := strings.Replace(ofShop, "shop", "other", 1)
	for _, test := range []struct {
		name, deployed, live string
		settings             client.Settings
		want                 string
	}{
		{"absent", "", "", client.Settings{}, "Apply Created"},
		{"its own", "", applies.ConfigMap("a", ofShop, "k: v"), client.Settings{}, "Apply Configured"},
		{"without an owner", "", applies.ConfigMap("a", "", "k: v"), client.Settings{}, "Apply Invalid; " + fmt.Sprintf(exists, "install",
			`label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: missing key "meta.helm.sh/release-name": must be set to "shop"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set to "team"`)},
		{"of another release", applies.ConfigMap("b", "", "k: v"), applies.ConfigMap("a", foreign, "k: v"), client.Settings{}, "Apply Invalid; " + fmt.Sprintf(exists, "update",
			`annotation validation error: key "meta.helm.sh/release-name" must equal "shop": current value is "other"`)},
		{"taken over", "", applies.ConfigMap("a", foreign, "k: v"), client.Settings{TakeOwnership: true, ForceConflicts: true}, "Apply Configured"},
		{"of the deployed revision", applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("a", "", "k: v"), client.Settings{ServerSide: "true"}, "Apply Configured"},
		{"force where it updates client-side", applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("a", ofShop, "k: v"), client.Settings{ForceConflicts: true, ServerSide: "false"},
			"Patch Invalid; invalid client update option(s): forceConflicts enabled when serverSideApply disabled"},
		{"a hook of others is taken", "", applies.ConfigMap("h", "", "k: v"), client.Settings{}, "Apply Created"},
	} {
		c := released(t, test.deployed, test.settings)
		live := test.live
		if live != "" {
			live = strings.Replace(live, "namespace: team", "namespace: team, uid: u", 1)
		}
		got := sending.All(t, c, []engine.Write{sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), live)})
		if test.name == "a hook of others is taken" {
			c = released(t, "", client.Settings{})
			got = sending.All(
				t,
				c,
				[]engine.Write{
					sending.Write(t, c, applies.ConfigMap("a", `, annotations: {helm.sh/hook: pre-install}`, "k: v"), live),
				},
			)
			test.want = "Delete Configured; Apply Created"
		}
		if diff := cmp.Diff(test.want, got["ConfigMap a"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestHelmUnserved: Helm builds all objects, and those of the deployed revision, before it
// writes any.
func TestHelmUnserved(t *testing.T) {
	const (
		missing = `{apiVersion: gone/v1, kind: Old, metadata: {name: o}}`
		words   = "resource mapping not found for name: \"o\" namespace: \"\" from \"\": no matches for kind \"Old\" in version \"gone/v1\"\nensure CRDs are installed first"
	)
	for _, test := range []struct {
		name, deployed string
		manifests      []string
		want           map[string]string
	}{
		{"an install", "", []string{applies.ConfigMap("a", "", ""), missing}, map[string]string{
			"Old o":       "Apply Invalid; unable to build kubernetes objects from release manifest: " + words + "; no kind Old is served as gone/v1",
			"ConfigMap a": "not applied: Old o is refused, and with it the install"}},
		{"an upgrade", applies.ConfigMap("a", "", ""), []string{missing, applies.ConfigMap("a", "", "")}, map[string]string{
			"Old o":       "Apply Invalid; " + words + "; no kind Old is served as gone/v1",
			"ConfigMap a": "not applied: Old o is refused, and with it the upgrade"}},
		{"the deployed revision", missing, []string{applies.ConfigMap("a", "", ""), applies.ConfigMap("b", "", "")}, map[string]string{
			"ConfigMap a": "Apply Invalid; unable to build kubernetes objects from current release manifest: " + words + "; the manifest of the deployed revision has a kind that the server does not serve: no kind Old is served as gone/v1; 'helm mapkubeapis' edits the release",
			"ConfigMap b": "not applied: ConfigMap a is refused, and with it the upgrade"}},
		{"a hook of it", strings.Replace(missing, "name: o", "name: o, annotations: {helm.sh/hook: test}", 1), []string{applies.ConfigMap("a", "", "")}, map[string]string{"ConfigMap a": "Create Created"}},
	} {
		c := released(t, test.deployed, client.Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sending.To(t, applies.Lacking{applies.Server(), "Old"}, c, writes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestHelmDoubts: what an update removes is not known without the manifest before.
func TestHelmDoubts(t *testing.T) {
	live := applies.ConfigMap("a", ofShop+", uid: u", "k: v")
	for _, test := range []struct {
		name, version, deployed, manifest, live string
		settings                                client.Settings
		want                                    bool
	}{
		{"client-side", "3", "", applies.ConfigMap("a", "", "k: v"), live, client.Settings{}, true},
		{"server-side", "4", "", applies.ConfigMap("a", "", "k: v"), live, client.Settings{}, true},
		{"client-side by the flag", "4", "", applies.ConfigMap("a", "", "k: v"), live, client.Settings{ServerSide: "false"}, true},
		{"the manifest is given", "3", applies.ConfigMap("b", "", ""), applies.ConfigMap("a", "", "k: v"), live, client.Settings{}, false},
		{"objects of others, in an install", "3", "", applies.ConfigMap("a", "", "k: v"), live, client.Settings{TakeOwnership: true}, false},
		{"a new object", "3", "", applies.ConfigMap("a", "", "k: v"), "", client.Settings{}, false},
		{"the whole object is replaced", "3", "", applies.ConfigMap("a", "", "k: v"), live, client.Settings{ForceReplace: true}, true},
		{"a hook", "3", "", applies.ConfigMap("a", `, annotations: {helm.sh/hook: pre-install}`, "k: v"), live, client.Settings{}, false},
	} {
		s := test.settings
		s.Release, s.Namespace = "shop", "team"
		if test.deployed != "" {
			s.ReleaseManifest = []byte(test.deployed)
		}
		c, err := New(test.version, s)
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, test.manifest, test.live)
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		if got := c.Simulate(t.Context(), applies.Server(), w).Confidence.Has(report.RuleNoRelease); got != test.want {
			t.Errorf("%s: doubted %v", test.name, got)
		}
	}
}

// TestHelmOrder is the order of objects in a phase: of updates by kind, of hooks by weight
// and name.
func TestHelmOrder(t *testing.T) {
	c := released(t, "", client.Settings{})
	var writes []engine.Write
	for _, m := range []string{
		`{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: team}}`,
		`{apiVersion: example.com/v1, kind: Apple, metadata: {name: p, namespace: team}}`,
		`{apiVersion: v1, kind: Service, metadata: {name: s, namespace: team, annotations: {helm.sh/hook-weight: "-1"}}}`,
		applies.ConfigMap("b", `, annotations: {helm.sh/hook-weight: "5"}`, ""),
		applies.ConfigMap("a", `, annotations: {helm.sh/hook-weight: "5"}`, ""),
	} {
		writes = append(writes, sending.Write(t, c, m, ""))
	}
	for phase, want := range map[helmPhase][]string{
		updates:  {"b", "a", "s", "p", "w"},
		preHooks: {"s", "p", "w", "a", "b"},
	} {
		order := inHelmOrder(writes, phase)
		sorted := slices.SortedFunc(
			slices.Values(writes),
			func(a, b engine.Write) int { return order[documentOf(a)] - order[documentOf(b)] },
		)
		var got []string
		for _, w := range sorted {
			got = append(got, w.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("phase %d (-want +got):\n%s", phase, diff)
		}
	}
}

// takesBack is said where a run that is refused has written to other objects.
const takesBack = "; " + takesBackNotice

// TestHelmEnds: where a run ends, and what it comes to before.
func TestHelmEnds(t *testing.T) {
	hook := func(name, events, data string) string {
		return applies.ConfigMap(name, `, annotations: {helm.sh/hook: "`+events+`"}`, data)
	}
	for _, test := range []struct {
		name, deployed string
		manifests      []string
		want           map[string]string
		stops          bool
	}{
		{"all are accepted", "", []string{hook("after", "post-install", "k: v"), applies.ConfigMap("a", "", "k: v"), hook("before", "pre-install", "k: v")}, map[string]string{
			"ConfigMap before": "Apply Created", "ConfigMap a": "Apply Created", "ConfigMap after": "Apply Created"}, true},
		{"a hook before", "", []string{applies.ConfigMap("a", "", "k: v"), hook("b", "pre-install", "k: v"), hook("c", "pre-install", "refuse: me"), hook("d", "pre-install", "k: v")}, map[string]string{
			"ConfigMap a": "", "ConfigMap b": "Apply Created", "ConfigMap c": "Apply Invalid; refused" + takesBack, "ConfigMap d": ""}, true},
		{"an object of an install: the others are written, the hooks behind are not", "", []string{applies.ConfigMap("a", "", "refuse: me"), applies.ConfigMap("b", "", "k: v"), hook("after", "post-install", "k: v")}, map[string]string{
			"ConfigMap a": "Apply Invalid; refused" + takesBack, "ConfigMap b": "Apply Created", "ConfigMap after": ""}, true},
		{"a new object of an upgrade: nothing behind it is written", applies.ConfigMap("old", "", "k: v"), []string{applies.ConfigMap("a", "", "refuse: me"), applies.ConfigMap("b", "", "k: v")}, map[string]string{
			"ConfigMap a": "Create Invalid; refused", "ConfigMap b": ""}, true},
		{"a hook behind", "", []string{applies.ConfigMap("a", "", "k: v"), hook("after", "post-install", "refuse: me")}, map[string]string{
			"ConfigMap a": "Apply Created", "ConfigMap after": "Apply Invalid; refused" + takesBack}, false},
		{"a hook of an upgrade in an install", "", []string{hook("u", "pre-upgrade", "k: v")}, map[string]string{"ConfigMap u": ""}, true},
	} {
		c := released(t, test.deployed, client.Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sending.All(t, c, writes)); diff != "" || c.Stops != test.stops {
			t.Errorf("%s: stops %v (-want +got):\n%s", test.name, c.Stops, diff)
		}
	}
}

// TestHelmListItems: the items of a List keep their order and are no hooks, whatever they are
// annotated with, and a manifest that comes twice is sent twice, the second to what the first
// leaves.
func TestHelmListItems(t *testing.T) {
	const hook = `, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}`
	listed := func(c *client.Client, manifests ...string) (writes []engine.Write) {
		for i, m := range manifests {
			w := sending.Write(t, c, m, "")
			w.List, w.Source = "List", report.Source{File: "chart.yaml", Document: 1, Line: i + 1}
			writes = append(writes, w)
		}
		return writes
	}
	c := released(t, "", client.Settings{})
	writes := listed(
		c,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, namespace: team}}`,
		applies.ConfigMap("a", hook, "k: v"),
	)
	writes = append(writes, sending.Write(t, c, applies.ConfigMap("first", "", "k: v"), ""))
	want := map[string]string{
		"Deployment b":    "Apply Created",
		"ConfigMap a":     "Apply Created",
		"ConfigMap first": "Apply Created",
	}
	if diff := cmp.Diff(want, sending.All(t, c, writes)); diff != "" {
		t.Errorf("a List (-want +got):\n%s", diff)
	}
	var order []string
	for _, w := range c.InOrder(writes) {
		order = append(order, w.Name)
	}
	if diff := cmp.Diff([]string{"first", "b", "a"}, order); diff != "" {
		t.Errorf("the order of a List (-want +got):\n%s", diff)
	}

	c = released(t, applies.ConfigMap("old", "", "k: v"), client.Settings{ServerSide: "false"})
	writes = listed(c, applies.ConfigMap("a", hook, "refuse: me"), applies.ConfigMap("b", "", "k: v"))
	want = map[string]string{"ConfigMap a": "Create Invalid; refused", "ConfigMap b": ""}
	if diff := cmp.Diff(want, sending.All(t, c, writes)); diff != "" {
		t.Errorf("a refused item (-want +got):\n%s", diff)
	}

	c = released(t, applies.ConfigMap("old", "", "k: v"), client.Settings{ServerSide: "false"})
	writes = listed(c, applies.ConfigMap("a", ", labels: {team: a}", "k: v"), applies.ConfigMap("a", "", "k: w"))
	c.Plan(t.Context(), applies.Server(), writes)
	first := c.Send(t.Context(), applies.Server(), writes[0])
	second := c.Send(t.Context(), applies.Server(), writes[1].On(first.Object()))
	var requests []client.Request
	for _, step := range slices.Concat(first.Steps, second.Steps) {
		requests = append(requests, step.Request)
	}
	if diff := cmp.Diff([]client.Request{client.Create, client.Patch}, requests); diff != "" {
		t.Errorf("a manifest that comes twice (-want +got):\n%s", diff)
	}
	if label := objects.Labels(second.Object())["team"]; label != "" {
		t.Errorf("the second manifest keeps what only the first has: %s", label)
	}
}

// TestHelmCreatesNamespace: an install with the flag creates the namespace of the release.
func TestHelmCreatesNamespace(t *testing.T) {
	for _, test := range []struct {
		name, deployed string
		manifest       string
		flag, want     bool
	}{
		{"an install", "", applies.ConfigMap("a", "", "k: v"), true, true},
		{"without the flag", "", applies.ConfigMap("a", "", "k: v"), false, false},
		{"an upgrade", applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("a", "", "k: v"), true, false},
		{"a manifest is it", "", `{apiVersion: v1, kind: Namespace, metadata: {name: team}}`, true, false},
	} {
		c := released(t, test.deployed, client.Settings{CreateNamespace: test.flag})
		sending.All(t, c, []engine.Write{sending.Write(t, c, test.manifest, "")})
		if got := c.Creates != nil; got != test.want {
			t.Errorf("%s: creates %v", test.name, c.Creates)
		}
	}
}

// TestHelmMethod is how a run applies: by the version, the flag, or the revision before.
func TestHelmMethod(t *testing.T) {
	for _, test := range []struct {
		version, flag string
		last          *release
		want          bool
	}{
		{"4", "auto", nil, true},
		{"4", "false", nil, false},
		{"3", "true", nil, false},
		{"4", "auto", &release{ApplyMethod: "csa"}, false},
		{"4", "auto", &release{}, false},
		{"4", "auto", &release{ApplyMethod: "ssa"}, true},
		{"4", "true", &release{ApplyMethod: "csa"}, true},
	} {
		h := &helm{
			Client:   &client.Client{Version: test.version},
			Settings: client.Settings{ServerSide: test.flag},
			last:     test.last,
		}
		if got := h.method(); got != test.want {
			t.Errorf("Helm %s, --server-side=%s, after %+v: server-side %v", test.version, test.flag, test.last, got)
		}
	}
}
