package argocd

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

// pruned is a ConfigMap of the application web, with its wave and options.
func pruned(name, wave, options string) string {
	return applies.ConfigMap(
		name,
		fmt.Sprintf(
			`, annotations: {argocd.argoproj.io/tracking-id: "web:/ConfigMap:team/%s", argocd.argoproj.io/sync-wave: "%s", argocd.argoproj.io/sync-options: "%s"}`,
			name,
			wave,
			options,
		),
		"k: v",
	)
}

// TestPruneOrder: what is pruned of a sync that fails or waits, or does neither.
func TestPruneOrder(t *testing.T) {
	wave := func(n string) string { return `, annotations: {argocd.argoproj.io/sync-wave: "` + n + `"}` }
	fails := []string{applies.ConfigMap("a", "", "refuse: me"), applies.ConfigMap("b", wave("1"), "k: v")}
	for _, test := range []struct {
		name, options   string
		manifests, live []string
		deleted, waits  string
		want            string
	}{
		{name: "all", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", ""), pruned("q", "3", "")}, deleted: "x q", want: "Apply Created"},
		{name: "the first wave comes last", manifests: fails, live: []string{pruned("x", "0", ""), pruned("q", "3", "")}, deleted: "q"},
		{name: "the wave between stays", manifests: fails, live: []string{pruned("x", "-1", ""), pruned("q", "2", ""), pruned("z", "5", "")}, deleted: "z"},
		{name: "what stays has a wave too", manifests: fails, live: []string{pruned("x", "0", ""), pruned("q", "3", "Prune=false")}, deleted: ""},
		{name: "of one wave that is behind", manifests: fails, live: []string{pruned("x", "1", "")}, deleted: ""},
		{name: "PruneLast", options: "PruneLast=true", manifests: fails, live: []string{pruned("x", "0", "")}, deleted: ""},
		{name: "PruneLast of a sync that goes through", options: "PruneLast=true", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", "")}, deleted: "x", want: "Apply Created"},
		{name: "PruneLast of one", manifests: fails, live: []string{pruned("x", "0", "PruneLast=true"), pruned("q", "0", "")}, deleted: "q"},
		{name: "confirm", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", "Prune=confirm"), pruned("q", "0", "")}, waits: "x", want: "not applied: the sync waits until the deletion of ConfigMap x is confirmed (Prune=confirm)"},
		{name: "confirm by the Application", options: "Prune=confirm", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", ""), pruned("q", "0", "Prune=false")}, waits: "x", want: "not applied: the sync waits until the deletion of ConfigMap x is confirmed (Prune=confirm)"},
		{name: "confirm behind all", options: "PruneLast=true", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", "Prune=confirm")}, waits: "x", want: "Apply Created"},
		{name: "false by the Application", options: "Prune=false", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{pruned("x", "0", ""), pruned("q", "0", "Prune=true")}, deleted: "q", want: "Apply Created"},
		{name: "a hook stays, and another's", manifests: []string{applies.ConfigMap("a", "", "k: v")}, live: []string{
			applies.ConfigMap("x", `, annotations: {argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/tracking-id: "web:/ConfigMap:team/x"}`, "k: v"),
			applies.ConfigMap("q", `, annotations: {argocd.argoproj.io/tracking-id: "other:/ConfigMap:team/q"}`, "k: v"),
		}, want: "Apply Created"},
	} {
		options := slices.DeleteFunc([]string{"ServerSideApply=true", test.options}, func(s string) bool { return s == "" })
		c := application(
			t,
			`destination: {namespace: team}, syncPolicy: {syncOptions: [`+strings.Join(
				options,
				", ",
			)+`], automated: {prune: true}}`,
			client.Settings{},
		)
		c.Spare = sending.Spare(t, test.live...)
		var writes []engine.Write
		for _, m := range test.manifests {
			writes = append(writes, sending.Write(t, c, m, ""))
		}
		got := sending.All(t, c, writes)["ConfigMap a"]
		var deleted, waits []string
		for key := range c.Spare {
			if _, prune := c.Prunes(key, nil); prune {
				deleted = append(deleted, key.Name)
			}
			if c.Waits(key) != "" {
				waits = append(waits, key.Name)
			}
		}
		if test.want == "" {
			test.want = "Apply Invalid; refused"
		}
		if diff := cmp.Diff([]string{test.want, test.deleted, test.waits}, []string{got, strings.Join(deleted, " "), strings.Join(waits, " ")}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPropagation is how a sync deletes.
func TestPropagation(t *testing.T) {
	for option, want := range map[string]string{"": "Foreground", "PrunePropagationPolicy=background": "Background", "PrunePropagationPolicy=orphan": "Orphan", "PrunePropagationPolicy=other": "Foreground"} {
		c := application(t, `syncPolicy: {syncOptions: [`+option+`]}`, client.Settings{})
		if got, _ := c.Prunes(client.Key{}, nil); got != want {
			t.Errorf("%s: %s, want %s", option, got, want)
		}
	}
}

// TestSyncOptions: an option that is not simulated is named, of the Application for all
// objects and of an object for that one.
func TestSyncOptions(t *testing.T) {
	named := func(c *client.Client, w engine.Write) string {
		var out []string
		for _, reason := range c.Simulate(t.Context(), applies.Server(), w).Confidence.Reasons {
			if strings.HasPrefix(reason.Message, "The sync option") {
				out = append(out, reason.Message)
			}
		}
		return strings.Join(out, " ")
	}
	c := application(
		t,
		`syncPolicy: {syncOptions: [ServerSideApply=true, Validate=false, ApplyOutOfSyncOnly=true, New=1]}`,
		client.Settings{},
	)
	want := "The sync option ApplyOutOfSyncOnly=true of the Application is not simulated. The sync option New=1 of the Application is not simulated."
	if got := named(c, sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), "")); got != want {
		t.Errorf("of the Application: %s", got)
	}
	c = application(t, `syncPolicy: {syncOptions: [ServerSideApply=true, ApplyOutOfSyncOnly=false]}`, client.Settings{})
	options := func(text string) string {
		return applies.ConfigMap("a", `, annotations: {argocd.argoproj.io/sync-options: "`+text+`"}`, "k: v")
	}
	if got := named(c, sending.Write(t, c, options("Prune=false, Later=true"), options("Later=true,replace=true"))); got != "The sync option Later=true of the object is not simulated. The sync option replace=true of the object is not simulated." {
		t.Errorf("of an object: %s", got)
	}
	if got := named(c, sending.Write(t, c, options("PruneLast=true,Delete=confirm"), "")); got != "" {
		t.Errorf("of options that are simulated: %s", got)
	}
}

// TestTrackedNamespace: the tracking id of a cluster-scoped object has the destination's
// namespace, by what says it.
func TestTrackedNamespace(t *testing.T) {
	role := func(name, id string) string {
		text := `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ` + name
		if id != "" {
			text += `, annotations: {argocd.argoproj.io/tracking-id: "` + id + `"}`
		}
		return text + `}}`
	}
	const group = "rbac.authorization.k8s.io/ClusterRole:"
	for _, test := range []struct {
		name, given         string
		own, another        string
		wantOwn, wantNewOne string
		guessed             bool
	}{
		{"its own id", "", "web:" + group + "ops/own", "", "web:" + group + "ops/own", "web:" + group + "ops/new", false},
		{"its own before -n", "other", "web:" + group + "ops/own", "", "web:" + group + "ops/own", "web:" + group + "ops/new", false},
		{"none in the destination", "other", "web:" + group + "/own", "", "web:" + group + "/own", "web:" + group + "/new", false},
		{"of two applications, its own", "", "web:" + group + "ops/own", "back:" + group + "sys/another", "web:" + group + "ops/own", "back:" + group + "ops/new", false},
		{"-n for a new one", "team-b", "", "", "web:" + group + "team-b/own", "web:" + group + "team-b/new", false},
		{"that of all others", "", "", "", "web:" + group + "team/own", "web:" + group + "team/new", true},
	} {
		c, err := New("", client.Settings{Namespace: test.given})
		if err != nil {
			t.Fatal(err)
		}
		tracked := applies.ConfigMap("a", `, annotations: {argocd.argoproj.io/tracking-id: "web:/ConfigMap:team/a"}`, "k: v")
		writes := []engine.Write{
			sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), tracked),
			sending.Write(t, c, role("new", ""), ""),
			sending.Write(t, c, role("own", ""), role("own", test.own)),
		}
		if test.another != "" {
			writes = append(writes, sending.Write(t, c, role("another", ""), role("another", test.another)))
			writes[0] = sending.Write(t, c, applies.ConfigMap("a", "", "k: v"), strings.Replace(tracked, "web:", "back:", 1))
		}
		c.Plan(t.Context(), applies.Server(), writes)
		id := func(w engine.Write) (string, bool) {
			run := c.Send(t.Context(), applies.Server(), w)
			guessed := slices.ContainsFunc(
				run.Whole().Confidence.Reasons,
				func(r report.Caveat) bool { return strings.Contains(r.Message, "-n gives it") },
			)
			return objects.Annotations(run.Object())[trackingID], guessed
		}
		got, _ := id(writes[2])
		newOne, guessed := id(writes[1])
		if got != test.wantOwn || newOne != test.wantNewOne || guessed != test.guessed {
			t.Errorf("%s: %s, and a new one %s, guessed %v", test.name, got, newOne, guessed)
		}
	}
}
