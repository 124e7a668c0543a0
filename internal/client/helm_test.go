package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// released is a run of a release with what it has deployed; a name without a manifest is an
// install.
func released(t *testing.T, manifest string, s Settings) *Client {
	t.Helper()
	s.Release, s.Namespace = "shop", "team"
	if manifest != "" {
		s.ReleaseManifest = []byte(manifest)
	}
	c, err := New("helm", "", s)
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
		settings             Settings
		want                 string
	}{
		{"absent", "", "", Settings{}, "Apply Created"},
		{"its own", "", configMap("a", ofShop, "k: v"), Settings{}, "Apply Configured"},
		{"of nobody", "", configMap("a", "", "k: v"), Settings{}, "Apply Invalid; " + fmt.Sprintf(exists, "install",
			`label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: missing key "meta.helm.sh/release-name": must be set to "shop"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set to "team"`)},
		{"of another release", configMap("b", "", "k: v"), configMap("a", foreign, "k: v"), Settings{}, "Apply Invalid; " + fmt.Sprintf(exists, "update",
			`annotation validation error: key "meta.helm.sh/release-name" must equal "shop": current value is "other"`)},
		{"taken over", "", configMap("a", foreign, "k: v"), Settings{TakeOwnership: true, ForceConflicts: true}, "Apply Configured"},
		{"of the deployed revision", configMap("a", "", "k: v"), configMap("a", "", "k: v"), Settings{ServerSide: "true"}, "Apply Configured"},
		{"force where it updates client-side", configMap("a", "", "k: v"), configMap("a", ofShop, "k: v"), Settings{ForceConflicts: true, ServerSide: "false"},
			"Patch Invalid; invalid client update option(s): forceConflicts enabled when serverSideApply disabled"},
		{"a hook of others is taken", "", configMap("h", "", "k: v"), Settings{}, "Apply Created"},
	} {
		c := released(t, test.deployed, test.settings)
		live := test.live
		if live != "" {
			live = strings.Replace(live, "namespace: team", "namespace: team, uid: u", 1)
		}
		got := sends(t, c, []engine.Write{write(t, c, configMap("a", "", "k: v"), live)})
		if test.name == "a hook of others is taken" {
			c = released(t, "", Settings{})
			got = sends(
				t,
				c,
				[]engine.Write{write(t, c, configMap("a", `, annotations: {helm.sh/hook: pre-install}`, "k: v"), live)},
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
		{"an install", "", []string{configMap("a", "", ""), missing}, map[string]string{
			"Old o":       "Apply Invalid; unable to build kubernetes objects from release manifest: " + words + "; no kind Old is served as gone/v1",
			"ConfigMap a": "not applied: Old o is refused, and with it the install"}},
		{"an upgrade", configMap("a", "", ""), []string{missing, configMap("a", "", "")}, map[string]string{
			"Old o":       "Apply Invalid; " + words + "; no kind Old is served as gone/v1",
			"ConfigMap a": "not applied: Old o is refused, and with it the upgrade"}},
		{"the deployed revision", missing, []string{configMap("a", "", ""), configMap("b", "", "")}, map[string]string{
			"ConfigMap a": "Apply Invalid; unable to build kubernetes objects from current release manifest: " + words + "; the manifest of the deployed revision has a kind that the server does not serve: no kind Old is served as gone/v1; 'helm mapkubeapis' edits the release",
			"ConfigMap b": "not applied: ConfigMap a is refused, and with it the upgrade"}},
		{"a hook of it", strings.Replace(missing, "name: o", "name: o, annotations: {helm.sh/hook: test}", 1), []string{configMap("a", "", "")}, map[string]string{"ConfigMap a": "Create Created"}},
	} {
		c := released(t, test.deployed, Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sentTo(t, lacking{fake(), "Old"}, c, writes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestHelmDoubts: what an update removes is not known without the manifest before.
func TestHelmDoubts(t *testing.T) {
	live := configMap("a", ofShop+", uid: u", "k: v")
	for _, test := range []struct {
		name, version, deployed, manifest, live string
		settings                                Settings
		want                                    bool
	}{
		{"client-side", "3", "", configMap("a", "", "k: v"), live, Settings{}, true},
		{"server-side", "4", "", configMap("a", "", "k: v"), live, Settings{}, true},
		{"client-side by the flag", "4", "", configMap("a", "", "k: v"), live, Settings{ServerSide: "false"}, true},
		{"the manifest is given", "3", configMap("b", "", ""), configMap("a", "", "k: v"), live, Settings{}, false},
		{"objects of others, in an install", "3", "", configMap("a", "", "k: v"), live, Settings{TakeOwnership: true}, false},
		{"a new object", "3", "", configMap("a", "", "k: v"), "", Settings{}, false},
		{"the whole object is replaced", "3", "", configMap("a", "", "k: v"), live, Settings{ForceReplace: true}, true},
		{"a hook", "3", "", configMap("a", `, annotations: {helm.sh/hook: pre-install}`, "k: v"), live, Settings{}, false},
	} {
		s := test.settings
		s.Release, s.Namespace = "shop", "team"
		if test.deployed != "" {
			s.ReleaseManifest = []byte(test.deployed)
		}
		c, err := New("helm", test.version, s)
		if err != nil {
			t.Fatal(err)
		}
		w := write(t, c, test.manifest, test.live)
		c.Plan(t.Context(), fake(), []engine.Write{w})
		if got := c.Simulate(t.Context(), fake(), w).Confidence.Has(report.RuleNoRelease); got != test.want {
			t.Errorf("%s: doubted %v", test.name, got)
		}
	}
}

// TestHelmOrder is the order of objects in a phase: of updates by kind, of hooks by weight
// and name.
func TestHelmOrder(t *testing.T) {
	c := released(t, "", Settings{})
	var writes []engine.Write
	for _, m := range []string{
		`{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: team}}`,
		`{apiVersion: example.com/v1, kind: Apple, metadata: {name: p, namespace: team}}`,
		`{apiVersion: v1, kind: Service, metadata: {name: s, namespace: team, annotations: {helm.sh/hook-weight: "-1"}}}`,
		configMap("b", `, annotations: {helm.sh/hook-weight: "5"}`, ""),
		configMap("a", `, annotations: {helm.sh/hook-weight: "5"}`, ""),
	} {
		writes = append(writes, write(t, c, m, ""))
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
		return configMap(name, `, annotations: {helm.sh/hook: "`+events+`"}`, data)
	}
	for _, test := range []struct {
		name, deployed string
		manifests      []string
		want           map[string]string
		stops          bool
	}{
		{"all are accepted", "", []string{hook("after", "post-install", "k: v"), configMap("a", "", "k: v"), hook("before", "pre-install", "k: v")}, map[string]string{
			"ConfigMap before": "Apply Created", "ConfigMap a": "Apply Created", "ConfigMap after": "Apply Created"}, true},
		{"a hook before", "", []string{configMap("a", "", "k: v"), hook("b", "pre-install", "k: v"), hook("c", "pre-install", "refuse: me"), hook("d", "pre-install", "k: v")}, map[string]string{
			"ConfigMap a": "", "ConfigMap b": "Apply Created", "ConfigMap c": "Apply Invalid; refused" + takesBack, "ConfigMap d": ""}, true},
		{"an object of an install: the others are written, the hooks behind are not", "", []string{configMap("a", "", "refuse: me"), configMap("b", "", "k: v"), hook("after", "post-install", "k: v")}, map[string]string{
			"ConfigMap a": "Apply Invalid; refused" + takesBack, "ConfigMap b": "Apply Created", "ConfigMap after": ""}, true},
		{"a new object of an upgrade: nothing behind it is written", configMap("old", "", "k: v"), []string{configMap("a", "", "refuse: me"), configMap("b", "", "k: v")}, map[string]string{
			"ConfigMap a": "Create Invalid; refused", "ConfigMap b": ""}, true},
		{"a hook behind", "", []string{configMap("a", "", "k: v"), hook("after", "post-install", "refuse: me")}, map[string]string{
			"ConfigMap a": "Apply Created", "ConfigMap after": "Apply Invalid; refused" + takesBack}, false},
		{"a hook of an upgrade in an install", "", []string{hook("u", "pre-upgrade", "k: v")}, map[string]string{"ConfigMap u": ""}, true},
	} {
		c := released(t, test.deployed, Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sends(t, c, writes)); diff != "" || c.Stops != test.stops {
			t.Errorf("%s: stops %v (-want +got):\n%s", test.name, c.Stops, diff)
		}
	}
}

// TestHelmListItems: the items of a List keep their order and are no hooks, whatever they are
// annotated with, and a manifest that comes twice is sent twice, the second to what the first
// leaves.
func TestHelmListItems(t *testing.T) {
	const hook = `, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}`
	listed := func(c *Client, manifests ...string) (writes []engine.Write) {
		for i, m := range manifests {
			w := write(t, c, m, "")
			w.List, w.Source = "List", report.Source{File: "chart.yaml", Document: 1, Line: i + 1}
			writes = append(writes, w)
		}
		return writes
	}
	c := released(t, "", Settings{})
	writes := listed(
		c,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, namespace: team}}`,
		configMap("a", hook, "k: v"),
	)
	writes = append(writes, write(t, c, configMap("first", "", "k: v"), ""))
	want := map[string]string{
		"Deployment b":    "Apply Created",
		"ConfigMap a":     "Apply Created",
		"ConfigMap first": "Apply Created",
	}
	if diff := cmp.Diff(want, sends(t, c, writes)); diff != "" {
		t.Errorf("a List (-want +got):\n%s", diff)
	}
	var order []string
	for _, w := range c.InOrder(writes) {
		order = append(order, w.Name)
	}
	if diff := cmp.Diff([]string{"first", "b", "a"}, order); diff != "" {
		t.Errorf("the order of a List (-want +got):\n%s", diff)
	}

	c = released(t, configMap("old", "", "k: v"), Settings{ServerSide: "false"})
	writes = listed(c, configMap("a", hook, "refuse: me"), configMap("b", "", "k: v"))
	want = map[string]string{"ConfigMap a": "Create Invalid; refused", "ConfigMap b": ""}
	if diff := cmp.Diff(want, sends(t, c, writes)); diff != "" {
		t.Errorf("a refused item (-want +got):\n%s", diff)
	}

	c = released(t, configMap("old", "", "k: v"), Settings{ServerSide: "false"})
	writes = listed(c, configMap("a", ", labels: {team: a}", "k: v"), configMap("a", "", "k: w"))
	c.Plan(t.Context(), fake(), writes)
	first := c.Send(t.Context(), fake(), writes[0])
	second := c.Send(t.Context(), fake(), writes[1].On(first.Object()))
	var requests []Request
	for _, step := range slices.Concat(first.Steps, second.Steps) {
		requests = append(requests, step.Request)
	}
	if diff := cmp.Diff([]Request{Create, Patch}, requests); diff != "" {
		t.Errorf("a manifest that comes twice (-want +got):\n%s", diff)
	}
	if label := labelsOf(second.Object())["team"]; label != "" {
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
		{"an install", "", configMap("a", "", "k: v"), true, true},
		{"without the flag", "", configMap("a", "", "k: v"), false, false},
		{"an upgrade", configMap("a", "", "k: v"), configMap("a", "", "k: v"), true, false},
		{"a manifest is it", "", `{apiVersion: v1, kind: Namespace, metadata: {name: team}}`, true, false},
	} {
		c := released(t, test.deployed, Settings{CreateNamespace: test.flag})
		sends(t, c, []engine.Write{write(t, c, test.manifest, "")})
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
		h := &helm{Client: &Client{Version: test.version}, Settings: Settings{ServerSide: test.flag}, last: test.last}
		if got := h.method(); got != test.want {
			t.Errorf("Helm %s, --server-side=%s, after %+v: server-side %v", test.version, test.flag, test.last, got)
		}
	}
}

// TestHelmGuess: what live objects say of a release that no input has.
func TestHelmGuess(t *testing.T) {
	entry := func(operation string) string {
		return `, uid: u, managedFields: [{manager: helm, operation: ` + operation + `, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}]`
	}
	for _, test := range []struct {
		name, live, method string
		says               string
	}{
		{"applied server-side", configMap("a", ofShop+entry("Apply"), "k: v"), "ssa", "No revision of the Helm release shop is given: by the entries of helm it is applied server-side"},
		{"client-side", configMap("a", ofShop+entry("Update"), "k: v"), "csa", "No revision of the Helm release shop is given: by the entries of helm it is applied client-side"},
		{"not written by helm", configMap("a", ofShop, "k: v"), "", "No revision of the Helm release shop is given: an install is assumed."},
		{"of no release", configMap("a", entry("Apply"), "k: v"), "", "No input names the Helm release"},
		{"no live object", "", "", ""},
	} {
		c, err := New("helm", "", Settings{})
		if err != nil {
			t.Fatal(err)
		}
		w := write(t, c, configMap("a", "", "k: v"), test.live)
		c.Plan(t.Context(), fake(), []engine.Write{w})
		confidence := c.Simulate(t.Context(), fake(), w).Confidence
		got := ""
		for _, reason := range confidence.Reasons {
			if reason.Rule == report.RuleNoRelease {
				got += reason.Message
			}
		}
		if !strings.HasPrefix(got, test.says) || test.says == "" && got != "" ||
			test.says != "" && confidence.Level != report.Partial {
			t.Errorf("%s: %s, says %q", test.name, confidence.Level, got)
		}
		if want := test.method == "csa"; c.ClientSide != want {
			t.Errorf("%s: client-side %v", test.name, c.ClientSide)
		}
	}
}

// TestReleaseManifest: an object that left the chart is deleted, unless it is a hook or kept.
func TestReleaseManifest(t *testing.T) {
	c := released(
		t,
		configMap(
			"old",
			"",
			"k: v",
		)+"\n---\n"+configMap(
			"hook",
			`, annotations: {helm.sh/hook: pre-install}`,
			"",
		)+"\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: x}}\n",
		Settings{},
	)
	w := write(t, c, configMap("a", "", "k: v"), "")
	c.Plan(t.Context(), fake(), []engine.Write{w})
	of := func(metadata string) func() map[string]any {
		return func() map[string]any { return object(t, configMap("old", metadata, "k: v")) }
	}
	for _, test := range []struct {
		name string
		key  Key
		live func() map[string]any
		want bool
	}{
		{"what left the chart", Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}, of(""), true},
		{"what is to be kept", Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}, of(`, annotations: {helm.sh/resource-policy: keep}`), false},
		{"a hook", Key{Kind: "ConfigMap", Namespace: "team", Name: "hook"}, of(""), false},
		{"what it never had", Key{Kind: "ConfigMap", Namespace: "team", Name: "other"}, of(""), false},
	} {
		if policy, prune := c.Prunes(test.key, test.live); prune != test.want || prune && policy != "Background" {
			t.Errorf("%s: %v %s", test.name, prune, policy)
		}
	}
	if got := c.Applied(Key{Kind: "ConfigMap", Namespace: "team", Name: "old"}); text(got, "data", "k") != "v" {
		t.Errorf("applied last: %v", got)
	}
}

// revision is the Secret of a deployed revision; Helm reads one that is not packed, too.
func revision(t *testing.T, manifest string) map[string]any {
	t.Helper()
	text, err := json.Marshal(
		map[string]any{
			"name":      "shop",
			"namespace": "team",
			"version":   1,
			"manifest":  manifest,
			"info":      map[string]any{"status": "deployed"},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString(text)))
	return map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"release": encoded},
		"metadata": map[string]any{"name": "sh.helm.release.v1.shop.v1", "namespace": "team"}}
}

// TestBrokenReleaseManifest: a manifest that cannot be read is an error, without its text.
func TestBrokenReleaseManifest(t *testing.T) {
	for name, s := range map[string]Settings{
		"a file":   {ReleaseManifest: []byte("a: b: secret")},
		"a Secret": {Objects: []map[string]any{revision(t, "a: b: secret")}},
	} {
		_, err := New("helm", "4", s)
		if got := fmt.Sprint(err); !strings.Contains(got, "document 1 cannot be read; what leaves the chart is not known") ||
			strings.Contains(got, "b: secret") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestManifestsOfMany: a manifest of millions of documents, which is small as it is stored,
// is not read.
func TestManifestsOfMany(t *testing.T) {
	start := strings.Repeat("apiVersion: v1\nkind: A\n---\n", maxDocuments+2)
	if got, err := manifestsOf(start); err == nil || got != nil {
		t.Errorf("%d objects, %v", len(got), err)
	}
	if got, err := manifestsOf(strings.Repeat("apiVersion: v1\nkind: A\n---\n", 1000)); err != nil || len(got) != 1000 {
		t.Errorf("%d objects, %v", len(got), err)
	}
}
