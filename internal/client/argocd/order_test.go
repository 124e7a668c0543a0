package argocd

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/test/applies"
	"github.com/ssactl/ssactl/test/sending"
)

// TestStepOf is when a sync comes to an object.
func TestStepOf(t *testing.T) {
	for _, test := range []struct {
		annotations string
		step        argoStep
		hook, runs  bool
	}{
		{``, argoStep{syncPhase, 0}, false, true},
		{`argocd.argoproj.io/sync-wave: "-5"`, argoStep{syncPhase, -5}, false, true},
		{`helm.sh/hook-weight: "3"`, argoStep{syncPhase, 3}, false, true},
		{`argocd.argoproj.io/sync-wave: "2", helm.sh/hook-weight: "3"`, argoStep{syncPhase, 2}, false, true},
		{`argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/sync-wave: "1"`, argoStep{0, 1}, true, true},
		{`argocd.argoproj.io/hook: "PostSync, Other"`, argoStep{2, 0}, true, true},
		{`argocd.argoproj.io/hook: Sync`, argoStep{1, 0}, true, true},
		{`argocd.argoproj.io/hook: Skip`, argoStep{-1, 0}, false, false},
		{`argocd.argoproj.io/hook: SyncFail`, argoStep{-1, 0}, true, false},
		{`helm.sh/hook: "post-install,post-upgrade"`, argoStep{2, 0}, true, true},
		{`helm.sh/hook: test`, argoStep{-1, 0}, true, false},
		{`helm.sh/hook: crd-install`, argoStep{syncPhase, 0}, false, true},
		{`argocd.argoproj.io/hook: Sync, helm.sh/hook: pre-install`, argoStep{1, 0}, true, true},
	} {
		o := applies.Object(t, `{metadata: {annotations: {`+test.annotations+`}}}`)
		step, runs := stepOf(o)
		if step != test.step || runs != test.runs || isArgoHook(o) != test.hook {
			t.Errorf("%s: %v, runs %v, a hook %v", test.annotations, step, runs, isArgoHook(o))
		}
	}
}

// TestNameOfHook: a hook with generateName gets a name, and nothing else does.
func TestNameOfHook(t *testing.T) {
	for metadata, want := range map[string]string{
		`generateName: m-, annotations: {argocd.argoproj.io/hook: PreSync}`:    "m-revision-presync-time",
		`generateName: m-, annotations: {helm.sh/hook: "test,post-upgrade"}`:   "m-revision-postsync-time",
		`generateName: m-, annotations: {argocd.argoproj.io/hook: PostDelete}`: "m-revision-hook-time",
		`generateName: m-`: "",
		`annotations: {argocd.argoproj.io/hook: PreSync}`: "",
	} {
		if got := nameOfHook(applies.Object(t, `{metadata: {`+metadata+`}}`)); got != want {
			t.Errorf("%s: %q, want %q", metadata, got, want)
		}
	}
}

// TestMissingResource: a sync fails where the server does not serve a kind, unless it is to go on
// to go on, or brings the definition.
func TestMissingResource(t *testing.T) {
	const skip = "SkipDryRunOnMissingResource=true"
	object := func(options string) string {
		return `{apiVersion: gone.io/v1, kind: Old, metadata: {name: o, namespace: team, annotations: {argocd.argoproj.io/sync-options: "` + options + `"}}}`
	}
	definition := `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: d}, spec: {group: gone.io, names: {kind: Old}}}`
	for _, test := range []struct {
		name, spec string
		manifests  []string
		applied    bool
	}{
		{"one that is not served", "", []string{object("")}, false},
		{"an option of the object", "", []string{object(skip)}, true},
		{"an option of the Application", `syncPolicy: {syncOptions: [ServerSideApply=true, ` + skip + `]}`, []string{object("")}, true},
		{"its definition comes too", "", []string{object(""), definition}, true},
	} {
		c := application(t, test.spec, client.Settings{ServerSide: "true"})
		writes := []engine.Write{sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")}
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		want := "not applied: Old o is not served, and with it the sync fails"
		if test.applied {
			want = "Apply Created"
		}
		if got := sending.To(t, applies.Lacking{applies.Server(), "Old"}, c, writes)["ConfigMap a"]; got != want {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

// TestHookDeleted: by which policies hooks are deleted; without any, before the next run.
func TestHookDeleted(t *testing.T) {
	for _, test := range []struct {
		annotations       string
		before, succeeded bool
	}{
		{``, true, false},
		{`argocd.argoproj.io/hook-delete-policy: HookSucceeded`, false, true},
		{`argocd.argoproj.io/hook-delete-policy: "BeforeHookCreation, HookSucceeded"`, true, true},
		{`helm.sh/hook-delete-policy: hook-succeeded`, false, true},
		{`helm.sh/hook-delete-policy: hook-failed`, false, false},
	} {
		o := applies.Object(t, `{metadata: {annotations: {`+test.annotations+`}}}`)
		before, succeeded := hookDeleted(
			o,
			"BeforeHookCreation",
			"before-hook-creation",
		), hookDeleted(
			o,
			"HookSucceeded",
			"hook-succeeded",
		)
		if before != test.before || succeeded != test.succeeded {
			t.Errorf("%s: before %v, succeeded %v", test.annotations, before, succeeded)
		}
	}
}

// application is a client of an Application whose spec says something.
func application(t *testing.T, spec string, s client.Settings) *client.Client {
	t.Helper()
	s.Objects = append(
		s.Objects,
		applies.Object(
			t,
			`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web, namespace: argocd}, spec: {`+spec+`}}`,
		),
	)
	c, err := New("", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSyncOrder: what is refused ends the sync behind its wave, and hooks of phases that the
// sync does not have are left out.
func TestSyncOrder(t *testing.T) {
	const serverSide = `syncPolicy: {syncOptions: [ServerSideApply=true]}`
	wave := func(n string) string { return `, annotations: {argocd.argoproj.io/sync-wave: "` + n + `"}` }
	hook := func(phase string) string { return `, annotations: {argocd.argoproj.io/hook: ` + phase + `}` }
	for _, test := range []struct {
		name      string
		manifests []string
		want      map[string]string
	}{
		{"all are accepted", []string{applies.ConfigMap("b", wave("1"), "k: v"), applies.ConfigMap("a", wave("0"), "k: v"), applies.ConfigMap("f", hook("SyncFail"), "k: v")}, map[string]string{
			"ConfigMap a": "Apply Created", "ConfigMap b": "Apply Created",
			"ConfigMap f": "not applied: a sync that succeeds has no phase SyncFail",
		}},
		{"one of the first wave is refused", []string{applies.ConfigMap("c", wave("2"), "k: v"), applies.ConfigMap("a", wave("0"), "refuse: me"), applies.ConfigMap("b", wave("0"), "k: v"), applies.ConfigMap("f", hook("SyncFail"), "k: v")}, map[string]string{
			"ConfigMap a": "Apply Invalid; refused", "ConfigMap b": "Apply Created",
			"ConfigMap c": "not applied: ConfigMap a is refused, and with it the sync",
			"ConfigMap f": "Apply Created; Replace Configured",
		}},
		{"a hook before all is refused", []string{applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("h", hook("PreSync"), "refuse: me")}, map[string]string{
			"ConfigMap a": "not applied: ConfigMap h is refused, and with it the sync", "ConfigMap h": "Apply Invalid; refused",
		}},
		{"a hook that is deleted once the sync succeeds", []string{applies.ConfigMap("h", `, annotations: {argocd.argoproj.io/hook: PostSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded}`, "k: v")}, map[string]string{
			"ConfigMap h": "Apply Created; Replace Configured; Delete Configured",
		}},
		{"a hook of two phases runs in both", []string{applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("h", hook(`"PostSync, PreSync"`), "k: v")}, map[string]string{
			"ConfigMap a": "Apply Created",
			"ConfigMap h": "Apply Created; Replace Configured; Delete Configured; Apply Created; Replace Configured",
		}},
		{"and is deleted once the last is through", []string{applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("h", `, annotations: {helm.sh/hook: "pre-install,post-install", helm.sh/hook-delete-policy: hook-succeeded}`, "k: v")}, map[string]string{
			"ConfigMap a": "Apply Created",
			"ConfigMap h": "Apply Created; Replace Configured; Apply Configured; Replace Configured; Delete Configured",
		}},
		{"one whose sync is refused between its phases", []string{applies.ConfigMap("a", "", "refuse: me"), applies.ConfigMap("h", hook(`"PreSync,PostSync"`), "k: v"), applies.ConfigMap("late", hook("PostSync"), "k: v")}, map[string]string{
			"ConfigMap a":    "Apply Invalid; refused",
			"ConfigMap h":    "Apply Created; Replace Configured",
			"ConfigMap late": "not applied: ConfigMap a is refused, and with it the sync",
		}},
		{"one that is refused in its first phase", []string{applies.ConfigMap("a", "", "k: v"), applies.ConfigMap("h", hook(`"PreSync,Sync"`), "refuse: me")}, map[string]string{
			"ConfigMap a": "not applied: ConfigMap h is refused, and with it the sync", "ConfigMap h": "Apply Invalid; refused",
		}},
	} {
		c := application(t, serverSide, client.Settings{})
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		if diff := cmp.Diff(test.want, sending.All(t, c, writes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestSyncDryRun: what the client-side dry run refuses ends the sync before it begins.
func TestSyncDryRun(t *testing.T) {
	c := application(t, `syncPolicy: {syncOptions: [ServerSideApply=true]}`, client.Settings{})
	broken := applies.ConfigMap("a", `, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{"}`, "k: v")
	writes := []engine.Write{
		sending.Write(t, c, applies.ConfigMap("a", "", "k: w"), broken),
		sending.Write(t, c, applies.ConfigMap("b", "", "k: v"), ""),
	}
	want := map[string]string{
		"ConfigMap a": "Apply Invalid; client-side dry run: the annotation kubectl.kubernetes.io/last-applied-configuration is no JSON: no patch can be made of it",
		"ConfigMap b": "not applied: the client-side dry run of another object fails, and with it the sync",
	}
	if diff := cmp.Diff(want, sending.All(t, c, writes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !c.Stops {
		t.Error("objects are deleted nevertheless")
	}
}

// TestSyncCreatesNamespace: the namespace of the destination comes first, unless a manifest
// is it.
func TestSyncCreatesNamespace(t *testing.T) {
	spec := `destination: {namespace: team}, syncPolicy: {syncOptions: [CreateNamespace=true, ServerSideApply=true], managedNamespaceMetadata: {labels: {a: b}}}`
	c := application(t, spec, client.Settings{})
	c.Creating([]engine.Write{sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")})
	want := applies.Object(
		t,
		`{apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {a: b}, annotations: {argocd.argoproj.io/sync-options: ServerSideApply=true}}, spec: {}, status: {}}`,
	)
	if diff := cmp.Diff(want, c.Creates); diff != "" || !c.Adopts {
		t.Errorf("adopts %v (-want +got):\n%s", c.Adopts, diff)
	}
	namespace := sending.Write(t, c, `{apiVersion: v1, kind: Namespace, metadata: {name: team, labels: {a: b}}}`, "")
	if got := sending.All(t, c, []engine.Write{namespace}); got["Namespace team"] != "Apply Created" {
		t.Errorf("sends %q", got)
	}
	c = application(t, spec, client.Settings{})
	if c.Creating([]engine.Write{namespace}); c.Creates != nil {
		t.Errorf("creates %v, which a manifest is", c.Creates)
	}
	if got := sending.All(t, c, []engine.Write{namespace})["Namespace team"]; !strings.Contains(
		got,
		"is not written: the Namespace is among the manifests",
	) {
		t.Errorf("of metadata that is not written: %q", got)
	}
	c = application(t, strings.Replace(spec, "labels: {a: b}", "labels: null", 1), client.Settings{})
	c.Creating(nil)
	want = applies.Object(t, `{name: team, annotations: {argocd.argoproj.io/sync-options: ServerSideApply=true}}`)
	if diff := cmp.Diff(want, c.Creates["metadata"]); diff != "" {
		t.Errorf("without labels (-want +got):\n%s", diff)
	}
	c = application(
		t,
		`destination: {namespace: team}, syncPolicy: {syncOptions: [CreateNamespace=true]}`,
		client.Settings{},
	)
	if c.Creating(nil); c.Creates == nil || c.Adopts {
		t.Errorf("creates %v, adopts %v", c.Creates, c.Adopts)
	}
}

// TestTracked: manifests get the tracking of their Application, where live objects have it.
func TestTracked(t *testing.T) {
	const id = `argocd.argoproj.io/tracking-id`
	c := application(
		t,
		`destination: {namespace: team}, syncPolicy: {syncOptions: [ServerSideApply=true]}`,
		client.Settings{},
	)
	for _, test := range []struct{ name, metadata, live, want string }{
		{"its own", "", applies.ConfigMap("a", "", "k: v"), "web:/ConfigMap:team/a"},
		{"what the manifest says", `, annotations: {` + id + `: "x:/ConfigMap:team/a"}`, applies.ConfigMap("a", "", "k: v"), "x:/ConfigMap:team/a"},
		{"by the label only", "", applies.ConfigMap("a", `, labels: {app.kubernetes.io/instance: web}`, "k: v"), ""},
		{"an Application outside of Argo CD's namespace", "", applies.ConfigMap("a", `, annotations: {`+id+`: "argocd_web:/ConfigMap:team/a"}`, "k: v"), "argocd_web:/ConfigMap:team/a"},
	} {
		w := sending.Write(t, c, applies.ConfigMap("a", test.metadata, "k: v"), test.live)
		c.Plan(t.Context(), applies.Server(), []engine.Write{w})
		run := c.Send(t.Context(), applies.Server(), w)
		if got := objects.Annotations(run.Object())[id]; got != test.want {
			t.Errorf("%s: tracked as %q, want %q", test.name, got, test.want)
		}
	}
}

// TestNeedsFirst: what is needed comes before the first that needs it, and the rest stays.
func TestNeedsFirst(t *testing.T) {
	named := func(names ...string) (out []engine.Write) {
		for _, name := range names {
			out = append(out, engine.Write{Name: name})
		}
		return out
	}
	// Upper case gives what the same letter needs.
	gives := func(w engine.Write) string {
		if w.Name < "a" {
			return w.Name
		}
		return ""
	}
	needs := func(w engine.Write) string { return string(w.Name[0] - 'a' + 'A') }
	for text, want := range map[string]string{"": "", "abc": "abc", "aA": "Aa", "Aa": "Aa", "xaayyYaA": "xAaaYyya", "abBA": "AaBb", "AabB": "AaBb"} {
		var names []string
		for _, r := range text {
			names = append(names, string(r))
		}
		got := ""
		for _, w := range needsFirst(named(names...), gives, needs, func(engine.Write, engine.Write) {}) {
			got += w.Name
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if got := needsFirst(named("A", "A"), gives, needs, func(engine.Write, engine.Write) {}); !slices.Equal(
		[]string{got[0].Name, got[1].Name},
		[]string{"A", "A"},
	) {
		t.Errorf("%v", got)
	}
}
