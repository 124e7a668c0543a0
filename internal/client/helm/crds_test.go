package helm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

const gears = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gears.example.com%s}, spec: {group: example.com, names: {kind: Gear}}}`

func definition(metadata string) string { return strings.Replace(gears, "%s", metadata, 1) }

// of is a write of a manifest that is from a file of a chart.
func of(t *testing.T, c *client.Client, file, manifest, live string) engine.Write {
	t.Helper()
	w := sending.Write(t, c, manifest, live)
	w.Template = file
	return w
}

// TestHelmCrds: an install applies what is in crds/ first, without the metadata of the
// release and without moving entries; an upgrade leaves it alone.
func TestHelmCrds(t *testing.T) {
	const gear = `{apiVersion: example.com/v1, kind: Gear, metadata: {name: one, namespace: team}}`
	const byHelm = `, uid: u, managedFields: [{manager: helm, operation: Update, apiVersion: apiextensions.k8s.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}]`
	const unmapped = `no matches for kind "Gear" in version "example.com/v1"`
	late := `Apply Invalid; resource mapping`
	for _, test := range []struct {
		name, version, deployed, file, live, serverSide string
		crd, object                                     string
	}{
		{name: "an install", version: "4", file: "shop/crds/g.yaml", crd: "Apply Created", object: "Apply Created"},
		{name: "a subchart", version: "4", file: "shop/charts/sub/crds/a/g.yaml", crd: "Apply Created", object: "Apply Created"},
		{name: "client-side", version: "4", serverSide: "false", file: "shop/crds/g.yaml", crd: "Create Created", object: "Create Created"},
		{name: "Helm 3", version: "3", file: "shop/crds/g.yaml", crd: "Create Created", object: "Create Created"},
		{name: "client-side, where it is there", version: "3", file: "shop/crds/g.yaml", live: definition(byHelm), crd: "", object: "Create Created"},
		{name: "entries of helm stay", version: "4", file: "shop/crds/g.yaml", live: definition(byHelm), crd: "Apply Configured", object: "Apply Created"},
		{name: "without a comment, by the live definition", version: "4", live: definition(byHelm), crd: "Apply Configured", object: "Apply Created"},
		{name: "an upgrade", version: "4", deployed: applies.ConfigMap("x", "", ""), file: "shop/crds/g.yaml", live: definition(byHelm), crd: notUpgraded, object: "Create Created"},
		{name: "an upgrade, where it is not there", version: "4", deployed: applies.ConfigMap("x", "", ""), file: "shop/crds/g.yaml", crd: notUpgraded, object: late},
		{name: "a template", version: "4", file: "shop/templates/g.yaml", crd: "not applied: Gear one is refused, and with it the install", object: late},
		{name: "a template in a folder of that name", version: "4", file: "shop/templates/crds/g.yaml", crd: "not applied: Gear one is refused, and with it the install", object: late},
	} {
		s := client.Settings{Release: "shop", Namespace: "team", ServerSide: test.serverSide}
		if test.deployed != "" {
			s.ReleaseManifest = []byte(test.deployed)
		}
		c, err := New(test.version, s)
		if err != nil {
			t.Fatal(err)
		}
		c.Brings = func(kind schema.GroupKind) bool { return test.live == "" && kind.Kind == "Gear" }
		writes := []engine.Write{of(t, c, "shop/templates/a.yaml", gear, ""), of(t, c, test.file, definition(""), test.live)}
		got := sending.All(t, c, writes)
		if test.object != late {
			if diff := cmp.Diff(map[string]string{"Gear one": test.object, "CustomResourceDefinition gears.example.com": test.crd}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
			continue
		}
		if !strings.Contains(got["Gear one"], unmapped) || got["CustomResourceDefinition gears.example.com"] != test.crd {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestHelmCrdsEnd: a file of crds/ that is refused ends the install before all else.
func TestHelmCrdsEnd(t *testing.T) {
	c := released(t, "", client.Settings{})
	refused := strings.Replace(definition(""), "spec:", "data: {refuse: me}, spec:", 1)
	got := sending.All(t, c, []engine.Write{
		of(t, c, "shop/templates/a.yaml", applies.ConfigMap("a", "", "k: v"), ""), of(t, c, "shop/crds/g.yaml", refused, ""),
		of(
			t,
			c,
			"shop/templates/h.yaml",
			applies.ConfigMap("hook", `, annotations: {helm.sh/hook: pre-install}`, "k: v"),
			"",
		),
	})
	const behind = "not applied: CustomResourceDefinition gears.example.com is refused, and with it the install"
	want := map[string]string{
		"CustomResourceDefinition gears.example.com": "Apply Invalid; refused",
		"ConfigMap a":    behind,
		"ConfigMap hook": behind,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHelmLists: what is in a List of the release is an object of it.
func TestHelmLists(t *testing.T) {
	for name, manifest := range map[string]string{
		"a List":             "{apiVersion: v1, kind: List, items: [" + applies.ConfigMap("old", "", "k: v") + ", {apiVersion: v1, kind: List, items: [" + applies.ConfigMap("older", "", "k: v") + "]}]}",
		"a List of a kind":   "{apiVersion: v1, kind: ConfigMapList, items: [{metadata: {name: old}}, {metadata: {name: older}}]}",
		"objects of its own": applies.ConfigMap("old", "", "k: v") + "\n---\n" + applies.ConfigMap("older", "", "k: v"),
	} {
		c := released(t, manifest, client.Settings{})
		if got := sending.All(t, c, []engine.Write{sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")}); got["ConfigMap a"] != "Create Created" &&
			got["ConfigMap a"] != "Apply Created" {
			t.Errorf("%s: %q", name, got)
		}
		for _, left := range []string{"old", "older"} {
			live := func() map[string]any { return applies.Object(t, applies.ConfigMap(left, "", "k: v")) }
			if _, prune := c.Prunes(client.Key{Kind: "ConfigMap", Namespace: "team", Name: left}, live); !prune {
				t.Errorf("%s: %s stays", name, left)
			}
		}
	}
}

// TestHelmHookList: a List that is a hook has all of its items for one, by its own annotations; what the
// items say counts nothing.
func TestHelmHookList(t *testing.T) {
	const item = `, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-succeeded}`
	for _, test := range []struct {
		name        string
		notes       map[string]string
		deployed    string
		live        string
		event, want string
	}{
		{"before an install", map[string]string{"helm.sh/hook": "pre-install"}, "", "", "pre-install", "Apply Created"},
		{"before both, at an upgrade", map[string]string{"helm.sh/hook": "pre-install,pre-upgrade"}, applies.ConfigMap("old", "", "k: v"), "", "pre-upgrade", "Create Created"},
		{"deleted again", map[string]string{"helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "hook-succeeded"}, "", "", "pre-install", "Apply Created; Delete Configured"},
		{"live from the last time", map[string]string{"helm.sh/hook": "pre-install"}, "", applies.ConfigMap("a", "", "k: v"), "pre-install", "Delete Configured; Apply Created"},
		{"of another event", map[string]string{"helm.sh/hook": "test"}, "", "", "", ""},
		{"no hook", nil, "", "", "", "Apply Created"},
	} {
		c := released(t, test.deployed, client.Settings{})
		a := sending.Write(t, c, applies.ConfigMap("a", item, "k: v"), test.live)
		b := sending.Write(t, c, applies.ConfigMap("b", item, "refuse: me"), "")
		a.List, a.ListHooks, b.List, b.ListHooks = "List", test.notes, "List", map[string]string{"helm.sh/hook": "test"}
		c.Plan(t.Context(), applies.Server(), []engine.Write{a, b})
		run := c.Send(t.Context(), applies.Server(), a)
		var steps []string
		for _, s := range run.Steps {
			steps = append(steps, string(s.Request)+" "+string(s.Result.Outcome))
		}
		if got := strings.Join(steps, "; "); got != test.want || run.Whole().Hook != test.event {
			t.Errorf("%s: %q as a hook of %q", test.name, got, run.Whole().Hook)
		}
	}

	c := released(t, "", client.Settings{})
	var writes []engine.Write
	for _, w := range []struct{ name, list, weight string }{{"z", "List", "1"}, {"v", "List", "1"}, {"x", "", "0"}, {"w", "", "2"}} {
		notes := map[string]string{"helm.sh/hook": "pre-install", "helm.sh/hook-weight": w.weight}
		write := sending.Write(
			t,
			c,
			applies.ConfigMap(
				w.name,
				fmt.Sprintf(`, annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "%s"}`, w.weight),
				"k: v",
			),
			"",
		)
		if w.list != "" {
			write.List, write.ListHooks = w.list, notes
		}
		writes = append(writes, write)
	}
	c.Plan(t.Context(), applies.Server(), writes)
	var order []string
	for _, w := range c.InOrder(writes) {
		order = append(order, w.Name)
	}
	if diff := cmp.Diff([]string{"x", "z", "v", "w"}, order); diff != "" {
		t.Errorf("by weight, and the items in their order (-want +got):\n%s", diff)
	}
}

// TestHelmMisforced: a run that forces client-side is refused though it updates no object.
func TestHelmMisforced(t *testing.T) {
	hook := func(events string) string {
		return applies.ConfigMap("h", `, annotations: {helm.sh/hook: "`+events+`"}`, "k: v")
	}
	for _, test := range []struct{ name, manifest, want string }{
		{"a hook before", hook("pre-upgrade"), "Create Created; Patch Invalid; " + misforced},
		{"a hook behind", hook("post-upgrade"), "Apply Invalid; " + misforced},
		{"a hook before and behind", hook("pre-upgrade,post-upgrade"), "Create Created; Patch Invalid; " + misforced},
		{"a hook of nothing", hook("test"), "Apply Invalid; " + misforced},
		{"an object", applies.ConfigMap("h", "", "k: v"), "Patch Invalid; " + misforced},
	} {
		c := released(t, applies.ConfigMap("old", "", "k: v"), client.Settings{ForceConflicts: true})
		w := sending.Write(t, c, test.manifest, "")
		if got := sending.All(t, c, []engine.Write{w})["ConfigMap h"]; got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
	// Of several objects none is written, and nothing is taken back.
	c := released(t, applies.ConfigMap("old", "", "k: v"), client.Settings{ForceConflicts: true})
	several := []engine.Write{
		sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), ""),
		sending.Write(t, c, applies.ConfigMap("b", "", "k: w"), applies.ConfigMap("b", ofShop, "k: v")),
	}
	want := map[string]string{"ConfigMap a": "Patch Invalid; " + misforced, "ConfigMap b": "Patch Invalid; " + misforced}
	if diff := cmp.Diff(want, sending.All(t, c, several)); diff != "" {
		t.Errorf("several objects (-want +got):\n%s", diff)
	}
}

// TestHelmNameless: an install creates an object without a name by a POST, and nothing else
// takes one.
func TestHelmNameless(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-, namespace: team}, data: {k: v}}`
	for _, test := range []struct{ name, version, serverSide, deployed, want string }{
		{"client-side", "4", "false", "", "Create Created"},
		{"Helm 3", "3", "", "", "Create Created"},
		{"server-side", "4", "true", "", "Patch Invalid; server-side apply failed for object team/ /v1, Kind=ConfigMap: resource name may not be empty"},
		{"an upgrade", "4", "false", applies.ConfigMap("old", "", "k: v"), "Patch Invalid; could not get information about the resource: resource name may not be empty"},
	} {
		s := client.Settings{Release: "shop", Namespace: "team", ServerSide: test.serverSide}
		if test.deployed != "" {
			s.ReleaseManifest = []byte(test.deployed)
		}
		c, err := New(test.version, s)
		if err != nil {
			t.Fatal(err)
		}
		if got := sending.All(t, c, []engine.Write{sending.Write(t, c, manifest, "")})["ConfigMap "]; got != test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

// TestHelmOthers: without the release, live objects of it that no manifest names are said.
func TestHelmOthers(t *testing.T) {
	live := applies.ConfigMap("a", ofShop+entryOfHelm, "k: v")
	const of = "which an upgrade deletes if they were in its chart: configmap/old."
	for _, test := range []struct {
		name, other, live string
		settings          client.Settings
		want              bool
	}{
		{name: "of the release", other: applies.ConfigMap("old", ofShop, "k: v"), live: live, want: true},
		{name: "a new manifest", other: applies.ConfigMap("old", ofShop+entryOfHelm, "k: v"), want: true},
		{name: "of another one", other: applies.ConfigMap("old", strings.Replace(ofShop, "shop", "till", 1), "k: v"), live: live},
		{name: "of none", other: applies.ConfigMap("old", "", "k: v"), live: live},
		{name: "of another object", other: applies.ConfigMap("old", ofShop+", ownerReferences: [{}]", "k: v"), live: live},
		{name: "the manifest is given", other: applies.ConfigMap("old", ofShop, "k: v"), live: live, settings: client.Settings{ReleaseManifest: []byte(applies.ConfigMap("b", "", "k: v"))}},
	} {
		s := test.settings
		s.Release, s.Namespace = "shop", "team"
		s.Others = func(yield func(map[string]any) bool) { yield(applies.Object(t, test.other)) }
		c, err := New("", s)
		if err != nil {
			t.Fatal(err)
		}
		w := sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), test.live)
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		var got []string
		for _, reason := range c.Simulate(t.Context(), applies.Server(), w).Confidence.Reasons {
			got = append(got, reason.Message)
		}
		if strings.Contains(strings.Join(got, " "), of) != test.want {
			t.Errorf("%s: says %q", test.name, got)
		}
	}
}

const entryOfHelm = `, uid: u, managedFields: [{manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}]`

// TestHelmLookup: a Secret that gets another value may have been rendered so.
func TestHelmLookup(t *testing.T) {
	secret := func(metadata, data string) string {
		return `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: team` + metadata + `}, ` + data + `}`
	}
	live := secret(ofShop+", uid: u", "data: {k: YQ==}")
	for _, test := range []struct {
		name, manifest, live, deployed string
		want                           bool
	}{
		{"another value", secret("", "data: {k: Yg==}"), live, secret("", "data: {k: YQ==}"), true},
		{"another one of stringData", secret("", "stringData: {k: b}"), live, secret("", "data: {k: YQ==}"), true},
		{"the same value as text", secret("", "stringData: {k: a}"), live, secret("", "data: {k: YQ==}"), false},
		{"a new key", secret("", "data: {k: YQ==, l: Yg==}"), live, secret("", "data: {k: YQ==}"), false},
		{"as the chart had it, changed by hand", secret("", "data: {k: Yg==}"), live, secret("", "data: {k: Yg==}"), false},
		{"a new Secret", secret("", "data: {k: Yg==}"), "", applies.ConfigMap("x", "", "k: v"), false},
		{"a ConfigMap", applies.ConfigMap("s", "", "k: w"), applies.ConfigMap("s", ofShop+", uid: u", "k: v"), applies.ConfigMap("s", "", "k: v"), false},
	} {
		c := released(t, test.deployed, client.Settings{ServerSide: "true", ForceConflicts: true})
		w := sending.Write(t, c, test.manifest, test.live)
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		notices := strings.Join(c.Simulate(t.Context(), applies.Server(), w).Notices, "; ")
		if got := strings.Contains(notices, lookupNotice); got != test.want {
			t.Errorf("%s: says %q", test.name, notices)
		}
	}
}
