package client_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/clients"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
)

// TestSettings asks which of several settings a client goes by: of a dump, those that the
// live objects are of.
func TestSettings(t *testing.T) {
	const (
		ours  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team, labels: {app.kubernetes.io/managed-by: Helm, kustomize.toolkit.fluxcd.io/name: web, kustomize.toolkit.fluxcd.io/namespace: flux}, annotations: {"argocd.argoproj.io/tracking-id": "web:/ConfigMap:team/back", meta.helm.sh/release-name: web, meta.helm.sh/release-namespace: team}}}`
		other = `{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: team}}`
	)
	apps := []string{
		`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: other}}`,
		`{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: web}, spec: {syncPolicy: {syncOptions: [ServerSideApply=true]}}}`,
	}
	kustomizations := []string{
		`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: web, namespace: other}}`,
		`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: web, namespace: flux}, spec: {commonMetadata: {labels: {from: flux}}}}`,
	}
	tests := []struct {
		name, client string
		live         []string
		objects      []string
		// first is the request that is sent; notice begins what is said.
		first, notice string
	}{
		{
			"the application of the live objects",
			"argocd",
			[]string{other, ours},
			apps,
			"Apply as argocd-controller: Configured",
			"",
		},
		{
			"no live object says it",
			"argocd",
			[]string{other},
			apps,
			"Apply as argocd-controller: Configured",
			"the inputs have several Applications",
		},
		{"the only application", "argocd", []string{other}, apps[:1], "Patch as argocd-controller: Configured", ""},
		{
			"the Kustomization of the live objects",
			"flux",
			[]string{ours},
			kustomizations,
			"DryRun as kustomize-controller: Configured",
			"",
		},
		{
			"no live object is of one",
			"flux",
			[]string{other},
			kustomizations,
			"DryRun as kustomize-controller: Configured",
			"the inputs have several Kustomizations",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := client.Settings{Live: liveOf(t, tt.live)}
			for _, o := range tt.objects {
				s.Objects = append(s.Objects, decoded(t, o))
			}
			c := made(t, tt.client, s)
			server, w := asking(t, c, settings(""), manifest(""))
			c.Plan(context.Background(), server, []engine.Write{w})
			if got := steps(c.Send(context.Background(), server, w)); len(got) == 0 || got[0] != tt.first {
				t.Errorf("sends %q, want %q", got, tt.first)
			}
			if got := strings.Join(c.Notices, "; "); !strings.HasPrefix(got, tt.notice) || tt.notice == "" && got != "" {
				t.Errorf("says %q, want %q", got, tt.notice)
			}
		})
	}
}

// Live are live objects.
func liveOf(t *testing.T, texts []string) func(func(map[string]any) bool) {
	t.Helper()
	var all []map[string]any
	for _, text := range texts {
		all = append(all, decoded(t, text))
	}
	return slices.Values(all)
}

// TestReleases asks which of several releases is meant.
func TestReleases(t *testing.T) {
	of := func(name, namespace string) map[string]any {
		secret := secretOf(t, 1, "deployed", "csa", "")
		metadata := secret["metadata"].(map[string]any)
		metadata["name"], metadata["namespace"] = "sh.helm.release.v1."+name+".v1", namespace
		return secret
	}
	shop, blue, prod := of("shop", "team"), of("shop.blue", "team"), of("shop", "prod")
	ours := liveOf(
		t,
		[]string{
			`{metadata: {labels: {app.kubernetes.io/managed-by: Helm}, annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: prod}}}`,
		},
	)
	for name, tt := range map[string]struct {
		settings client.Settings
		wrong    string
	}{
		"named":                  {client.Settings{Release: "shop", Objects: []map[string]any{blue, shop}}, ""},
		"several":                {client.Settings{Objects: []map[string]any{blue, shop}}, "several Helm releases"},
		"in several namespaces":  {client.Settings{Release: "shop", Objects: []map[string]any{shop, prod}}, "releases shop in several namespaces"},
		"that of -n":             {client.Settings{Namespace: "prod", Objects: []map[string]any{shop, prod}}, ""},
		"that of a live object":  {client.Settings{Objects: []map[string]any{blue, shop, prod}, Live: ours}, ""},
		"another is not decoded": {client.Settings{Release: "shop", Objects: []map[string]any{shop, {"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "sh.helm.release.v1.broken.v1", "namespace": "team"}}}}, ""},
	} {
		_, err := clients.New("helm", "", tt.settings)
		if wrong := ""; err != nil {
			wrong = err.Error()
			if tt.wrong == "" || !strings.Contains(wrong, tt.wrong) {
				t.Errorf("%s: %s", name, wrong)
			}
		} else if tt.wrong != "" {
			t.Errorf("%s: no error, want %q", name, tt.wrong)
		}
	}
}

// TestWhoseSettings asks whose settings a client goes by, where live objects, live settings
// and those of manifests say different things: the owner's, the live ones first, and those
// of manifests only where nothing live has any, and then by name.
func TestWhoseSettings(t *testing.T) {
	const (
		tracked   = `{metadata: {annotations: {"argocd.argoproj.io/tracking-id": "shop:/ConfigMap:team/a"}}}`
		elsewhere = `{metadata: {annotations: {"argocd.argoproj.io/tracking-id": "teams_shop:/ConfigMap:team/a"}}}`
		labeled   = `{metadata: {labels: {app.kubernetes.io/instance: shop}}}`
		blogs     = `{metadata: {annotations: {"argocd.argoproj.io/tracking-id": "blog:/ConfigMap:team/b"}}}`
		bare      = `{metadata: {}}`
		applied   = `{metadata: {labels: {kustomize.toolkit.fluxcd.io/name: shop, kustomize.toolkit.fluxcd.io/namespace: flux}}}`
		nameless  = `{metadata: {labels: {kustomize.toolkit.fluxcd.io/name: shop}}}`
	)
	app := func(name, namespace string) string {
		return `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: ` + name + `, namespace: ` + namespace + `}}`
	}
	kustomization := func(name, namespace string) string {
		return `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: ` + name + `, namespace: ` + namespace + `}}`
	}
	for name, tt := range map[string]struct {
		client string
		// lives are the live objects, settings the live ones that have settings, and
		// brought those of the manifests.
		lives, settings, brought []string
		// want is NAMESPACE/NAME, with + where it is a manifest's; empty for none. notice
		// begins what is said.
		want, notice string
	}{
		"the owner's, not another one's": {client: "argocd", lives: []string{tracked}, settings: []string{app("shop", "argocd")},
			brought: []string{app("other", "argocd")}, want: "argocd/shop"},
		"another one's alone": {client: "argocd", lives: []string{tracked}, brought: []string{app("other", "argocd")},
			notice: "the live objects are of the Application shop, and the inputs have only others (other in m.yaml:3)"},
		"another one's, live": {client: "argocd", lives: []string{tracked}, settings: []string{app("other", "argocd")},
			notice: "the live objects are of the Application shop, and the inputs have only others:"},
		"the same, live and among the manifests": {client: "argocd", lives: []string{tracked}, settings: []string{app("shop", "argocd")},
			brought: []string{app("shop", "argocd")}, want: "argocd/shop"},
		"the same, and nothing live says it": {client: "argocd", lives: []string{bare}, settings: []string{app("shop", "argocd")},
			brought: []string{app("shop", "argocd"), app("other", "argocd")}, want: "argocd/shop"},
		"one of the manifests, of the owner": {client: "argocd", lives: []string{tracked}, settings: []string{app("blog", "argocd")},
			brought: []string{app("other", "argocd"), app("shop", "argocd")}, want: "argocd/shop+"},
		"one of the manifests, for a new cluster": {client: "argocd", brought: []string{app("shop", "argocd")}, want: "argocd/shop+"},
		"several of the manifests": {client: "argocd", brought: []string{app("shop", "argocd"), app("other", "argocd")},
			notice: "the inputs have several Applications"},
		"of another namespace than Argo CD's": {client: "argocd", lives: []string{elsewhere},
			settings: []string{app("shop", "argocd"), app("shop", "teams")}, want: "teams/shop"},
		"two of one name": {client: "argocd", lives: []string{tracked}, settings: []string{app("shop", "a"), app("shop", "b")},
			notice: "the inputs have several Applications"},
		"by the label": {client: "argocd", lives: []string{labeled}, settings: []string{app("blog", "argocd"), app("shop", "argocd")},
			want: "argocd/shop"},
		"by a label that a chart sets": {client: "argocd", lives: []string{labeled}, settings: []string{app("blog", "argocd")}, want: "argocd/blog"},
		"by a label, and only manifests have settings": {client: "argocd", lives: []string{labeled}, brought: []string{app("other", "argocd")},
			notice: "the live objects are of the Application shop"},
		"the annotation before labels": {client: "argocd", lives: []string{labeled, labeled, blogs},
			settings: []string{app("blog", "argocd"), app("shop", "argocd")}, want: "argocd/blog"},
		"as many of both, and one is live": {client: "argocd", lives: []string{tracked, blogs}, settings: []string{app("blog", "argocd")},
			brought: []string{app("other", "argocd")}, want: "argocd/blog"},
		"as many of both, and a third": {client: "argocd", lives: []string{tracked, blogs}, brought: []string{app("other", "argocd")},
			notice: "the live objects are of the Application blog and shop"},
		"Flux, the owner's": {client: "flux", lives: []string{applied}, settings: []string{kustomization("shop", "flux"), kustomization("other", "flux")},
			brought: []string{kustomization("shop", "flux")}, want: "flux/shop"},
		"Flux, another one's": {client: "flux", lives: []string{applied}, brought: []string{kustomization("other", "flux")},
			notice: "the live objects are of the Kustomization flux/shop, and the inputs have only others (other in m.yaml:3)"},
		"Flux, the name in another namespace": {client: "flux", lives: []string{applied}, brought: []string{kustomization("shop", "mine")},
			notice: "the live objects are of the Kustomization flux/shop"},
		"Flux, without a namespace": {client: "flux", lives: []string{nameless}, brought: []string{kustomization("shop", "flux")}, want: "flux/shop+"},
	} {
		t.Run(name, func(t *testing.T) {
			s := client.Settings{Live: liveOf(t, tt.lives)}
			for _, o := range tt.settings {
				s.Objects = append(s.Objects, decoded(t, o))
			}
			for _, o := range tt.brought {
				s.Brought = append(s.Brought, client.Brought{Object: decoded(t, o), Source: report.Source{File: "m.yaml", Line: 3}})
			}
			c := made(t, tt.client, s)
			got := c.Setting.Namespace + "/" + c.Setting.Name
			if c.Setting == (client.Key{}) {
				got = ""
			}
			if c.Brought != nil {
				got += "+"
			}
			if got != tt.want {
				t.Errorf("goes by %q, want %q", got, tt.want)
			}
			if said := strings.Join(c.Notices, "; "); !strings.HasPrefix(said, tt.notice) || tt.notice == "" && said != "" {
				t.Errorf("says %q, want %q", said, tt.notice)
			}
		})
	}
}

// TestOthersObjects: what an Application or a Kustomization ignores is not ignored of a live
// object that says that it is of another one, and the answer says so; that the settings are
// a manifest's lowers the confidence.
func TestOthersObjects(t *testing.T) {
	const (
		app   = `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: lax}, spec: {syncPolicy: {syncOptions: [ServerSideApply=true, RespectIgnoreDifferences=true]}, ignoreDifferences: [{group: "*", kind: "*", jsonPointers: [/data]}]}}`
		flux  = `{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: lax, namespace: flux}, spec: {ignore: [{paths: [/data]}]}}`
		live  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team, uid: u, resourceVersion: "7", annotations: {"argocd.argoproj.io/tracking-id": "OWNER:/ConfigMap:team/back"}, labels: {kustomize.toolkit.fluxcd.io/name: OWNER, kustomize.toolkit.fluxcd.io/namespace: flux}}, data: {k: theirs}}`
		mine  = `{apiVersion: v1, kind: ConfigMap, metadata: {name: back, namespace: team}, data: {k: mine}}`
		other = `{metadata: {annotations: {"argocd.argoproj.io/tracking-id": "lax:/ConfigMap:team/x"}, labels: {kustomize.toolkit.fluxcd.io/name: lax, kustomize.toolkit.fluxcd.io/namespace: flux}}}`
	)
	for name, tt := range map[string]struct {
		client, setting, owner string
		brought                bool
		// data is what the object has afterwards, caveat begins what is said.
		data, caveat string
	}{
		"Argo CD, its own":       {client: "argocd", setting: app, owner: "lax", data: "theirs"},
		"Argo CD, another one's": {client: "argocd", setting: app, owner: "shop", data: "mine", caveat: "The live object is of the Application shop"},
		"Argo CD, of a manifest": {client: "argocd", setting: app, owner: "lax", brought: true, data: "theirs",
			caveat: "The settings are those of the Application lax in m.yaml:1, a manifest"},
		"Flux, its own":       {client: "flux", setting: flux, owner: "lax", data: "theirs"},
		"Flux, another one's": {client: "flux", setting: flux, owner: "shop", data: "mine", caveat: "The live object is of the Kustomization flux/shop"},
	} {
		t.Run(name, func(t *testing.T) {
			s := client.Settings{Live: liveOf(t, []string{other, other})}
			if tt.brought {
				s.Brought = []client.Brought{{Object: decoded(t, tt.setting), Source: report.Source{File: "m.yaml", Line: 1}}}
			} else {
				s.Objects = []map[string]any{decoded(t, tt.setting)}
			}
			c := made(t, tt.client, s)
			server, w := asking(t, c, strings.ReplaceAll(live, "OWNER", tt.owner), mine)
			c.Plan(context.Background(), server, []engine.Write{w})
			run := c.Send(context.Background(), server, w)
			r := run.Whole()
			object := r.Object
			if object == nil {
				object = r.Live
			}
			data, _ := object["data"].(map[string]any)
			if data["k"] != tt.data {
				t.Errorf("data %v, want %s (%+v)", data, tt.data, r.Outcome)
			}
			said := ""
			for _, reason := range r.Confidence.Reasons {
				if strings.HasPrefix(reason.Message, tt.caveat) {
					said = reason.Message
				}
				if tt.caveat == "" && strings.HasPrefix(reason.Message, "The settings are") {
					t.Errorf("says %q", reason.Message)
				}
			}
			if said == "" && tt.caveat != "" {
				t.Errorf("says %+v, want %q", r.Confidence.Reasons, tt.caveat)
			}
		})
	}
}

// TestOwns: what a client takes its settings from is its own, and nothing else is; one that
// a manifest alone has is not changed by the run.
func TestOwns(t *testing.T) {
	of := func(group, kind, namespace, name string) engine.Write {
		return engine.Write{
			Kind:      schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind},
			Namespace: namespace,
			Name:      name,
		}
	}
	app := decoded(t, `{apiVersion: argoproj.io/v1alpha1, kind: Application, metadata: {name: shop, namespace: argocd}}`)
	argo := made(t, "argocd", client.Settings{Objects: []map[string]any{app}})
	brought := made(t, "argocd", client.Settings{Brought: []client.Brought{{Object: app}}})
	secret := secretOf(t, 1, "deployed", "csa", "")
	metadata := secret["metadata"].(map[string]any)
	metadata["name"], metadata["namespace"] = "sh.helm.release.v1.shop.v1", "team"
	helm := made(t, "helm", client.Settings{Release: "shop", Namespace: "team", Objects: []map[string]any{secret}})
	for name, tt := range map[string]struct {
		client *client.Client
		write  engine.Write
		want   bool
	}{
		"its Application":               {argo, of("argoproj.io", "Application", "argocd", "shop"), true},
		"another Application":           {argo, of("argoproj.io", "Application", "argocd", "blog"), false},
		"that name elsewhere":           {argo, of("argoproj.io", "Application", "mine", "shop"), false},
		"one that manifests bring":      {brought, of("argoproj.io", "Application", "argocd", "shop"), false},
		"a next revision":               {helm, of("", "Secret", "team", "sh.helm.release.v1.shop.v99"), true},
		"a revision of another release": {helm, of("", "Secret", "team", "sh.helm.release.v1.shopping.v1"), false},
		"a Secret of the chart":         {helm, of("", "Secret", "team", "shop"), false},
		"no client":                     {nil, of("", "Secret", "team", "sh.helm.release.v1.shop.v99"), false},
	} {
		if got := tt.client.Owns(tt.write); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}

// TestUnreadableRelease: a document of the deployed revision that cannot be read is an
// error, as Helm fails: what leaves the chart is not known.
func TestUnreadableRelease(t *testing.T) {
	const one = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for name, tt := range map[string]struct{ manifest, wrong string }{
		"one document":            {manifest: one},
		"none, as of hooks alone": {manifest: ""},
		"comments":                {manifest: "# Source: a\n---\n" + one + "---\n# nothing\n"},
		"no YAML behind it":       {manifest: one + "---\nkind: [\n", wrong: "document 2 cannot be read"},
		"a message":               {manifest: "Error: release: not found\n", wrong: "document 1 cannot be read"},
		"no object":               {manifest: one + "---\nError: none\n", wrong: "document 2 is no object"},
		"a text":                  {manifest: one + "---\nhello\n", wrong: "document 2 cannot be read"},
	} {
		secret := secretOf(t, 1, "deployed", "ssa", tt.manifest)
		_, err := clients.New("helm", "", client.Settings{Objects: []map[string]any{secret}})
		if wrong := fmt.Sprint(err); (err == nil) != (tt.wrong == "") || !strings.Contains(wrong, tt.wrong) {
			t.Errorf("%s: %v, want %q", name, err, tt.wrong)
		}
	}
}
