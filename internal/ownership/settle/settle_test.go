package settle

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

var server = merging.New()

const (
	deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop%s}, spec: {%s}}"
	role       = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: web}%s}"
	webhooks   = "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, " +
		"metadata: {name: web, annotations: {cert-manager.io/inject-ca-from: a/b%s}}, webhooks: [{name: a.example.com%s}]}"
	// bundle is a CA bundle of no certificate.
	bundle = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="
)

func spec(text string) string { return fmt.Sprintf(deployment, "", text) }

func applied(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Apply, Manager: manager, Manifest: manifest}
}

func updated(manager, manifest string) merging.Writing {
	return merging.Writing{Verb: api.Update, Manager: manager, Manifest: manifest}
}

// live is what writes leave, each a minute after the one before.
func live(t *testing.T, writes []merging.Writing) (object []byte) {
	t.Helper()
	for i, w := range writes {
		body := merging.JSON(t, w.Manifest)
		kind := engine.Write{Body: body}.Object()
		answer, err := server.Do(t.Context(), api.Request{
			Verb: w.Verb, Kind: kindOf(kind), Manager: w.Manager, Force: true, Body: body, Live: object,
			Now: time.Unix(1e8+60*int64(i), 0),
		})
		if err != nil || answer.Code >= 300 {
			t.Fatalf("%s: %d %s, %v", w.Manager, answer.Code, answer.Body, err)
		}
		object = answer.Stored
	}
	return object
}

func kindOf(object map[string]any) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(object["apiVersion"].(string), object["kind"].(string))
}

// asked is whether a forced apply of a manifest by a manager lasts, in a line.
func asked(t *testing.T, writes []merging.Writing, manager, manifest string, has ...string) []string {
	t.Helper()
	object := merging.JSON(t, manifest)
	w := engine.Write{
		Verb: api.Apply, Manager: manager, Force: true, Body: object, Name: "web", Now: time.Unix(1e9, 0),
		Live: live(t, writes),
	}
	w.Kind = kindOf(w.Object())
	if w.Kind.Kind == "Deployment" {
		w.Namespace = "shop"
	}
	var trackers []map[string]any
	for _, one := range has {
		kind, name, _ := strings.Cut(one, " ")
		name, shares := strings.CutSuffix(name, "+")
		tracker := map[string]any{"kind": kind, "metadata": map[string]any{"name": name}}
		if shares {
			tracker["status"] = map[string]any{"resources": []any{map[string]any{
				"group": "apps", "kind": "Deployment", "namespace": "shop", "name": "web",
			}}}
		}
		trackers = append(trackers, tracker)
	}
	ctx := context.Background()
	settles, again := Lasts(ctx, Write{
		Server: server, Asked: w, Result: engine.Simulate(ctx, server, w), Send: engine.Simulate, Requests: 1, Rounds: 3,
		Trackers: writers.TrackersOf(trackers),
	})
	if again != nil {
		t.Errorf("the same apply changes %v", again)
	}
	if settles == nil {
		return []string{"nothing"}
	}
	out := []string{fmt.Sprintf("%s %s", settles.Result, settles.Confidence)}
	for _, s := range settles.Cycle {
		out = append(out, fmt.Sprintf("%s %s %v", s.Name(), s.Field, s.Value))
	}
	return out
}

// TestLasts: writers that write by themselves and lose a value write it again, and others do
// not.
func TestLasts(t *testing.T) {
	const calm, unknown = "FixedPoint Exact", "Unknown Partial"
	three, five := spec("minReadySeconds: 3"), spec("minReadySeconds: 5")
	fight := func(other string) []string {
		return []string{"Cycle Exact", other + " .spec.minReadySeconds 5", "argocd-controller .spec.minReadySeconds 3"}
	}
	tracked := func(app, text string) string {
		return fmt.Sprintf(
			deployment,
			`, annotations: {argocd.argoproj.io/tracking-id: "`+app+`:apps/Deployment:shop/web"}`,
			text,
		)
	}
	tracking := ".metadata.annotations.argocd.argoproj.io/tracking-id "
	for _, c := range []struct {
		name     string
		writes   []merging.Writing
		manager  string
		manifest string
		has      []string
		want     []string
	}{
		{"a new object", nil, "argocd-controller", three, nil, []string{calm}},
		{
			"a controller that is known", []merging.Writing{updated("flagger", five)},
			"argocd-controller", three, nil, fight("flagger"),
		},
		{
			"of the same value", []merging.Writing{updated("flagger", three)},
			"argocd-controller", three, nil, []string{calm},
		},
		{
			"a tool that forces", []merging.Writing{applied("kustomize-controller", five)},
			"argocd-controller", three, nil, fight("kustomize-controller"),
		},
		{
			"a tool that is run by hand", []merging.Writing{applied("helm", five)},
			"argocd-controller", three, nil, []string{calm},
		},
		{
			"a person", []merging.Writing{updated("kubectl-edit", five)}, "argocd-controller", three, nil, []string{calm},
		},
		{
			"the same program under its former name", []merging.Writing{updated("argocd-application-controller", five)},
			"argocd-controller", three, nil, []string{calm},
		},
		{
			"a writer of which nothing is known", []merging.Writing{
				updated("kubectl-create", three), updated("some-program", five),
			}, "argocd-controller", three, nil, []string{unknown},
		},
		{
			"one that wrote after the manager", []merging.Writing{
				applied("argocd-controller", spec("minReadySeconds: 3, paused: true")),
				updated("some-program", spec("minReadySeconds: 5, paused: true")),
			}, "argocd-controller", spec("minReadySeconds: 3, paused: true"), nil,
			append([]string{"Cycle Partial"}, fight("some-program")[1:]...),
		},
		{
			"one that wrote before it", []merging.Writing{
				updated("some-program", five), applied("argocd-controller", spec("paused: true")),
			}, "argocd-controller", three, nil, []string{unknown},
		},
		{
			"two applications", []merging.Writing{applied("argocd-controller", tracked("one", "paused: true"))},
			"argocd-controller", tracked("two", "paused: true"), []string{"Application one"},
			[]string{
				"Cycle Exact", "Application one " + tracking + "one:apps/Deployment:shop/web",
				"argocd-controller " + tracking + "two:apps/Deployment:shop/web",
			},
		},
		{
			"an application that has gone", []merging.Writing{applied("argocd-controller", tracked("one", "paused: true"))},
			"argocd-controller", tracked("two", "paused: true"), nil, []string{unknown},
		},
		{
			"an aggregated role", []merging.Writing{
				applied("helm", fmt.Sprintf(role, ", aggregationRule: {}")),
				applied("clusterrole-aggregation-controller", fmt.Sprintf(role, ", rules: [{verbs: [get]}]")),
			},
			"argocd-controller", fmt.Sprintf(role, ", aggregationRule: {}, rules: []"), nil,
			[]string{
				"Cycle Exact", "clusterrole-aggregation-controller .rules [map[verbs:[get]]]", "argocd-controller .rules []",
			},
		},
		{
			"an aggregated role without rules", []merging.Writing{
				applied("clusterrole-aggregation-controller", fmt.Sprintf(role, ", aggregationRule: {}, rules: [{verbs: [get]}]")),
			},
			"argocd-controller", fmt.Sprintf(role, ", aggregationRule: {}"), nil, []string{calm},
		},
		{
			"an injected bundle", []merging.Writing{
				updated("cert-manager-cainjector", fmt.Sprintf(webhooks, "", ", clientConfig: {caBundle: "+bundle+"}")),
			},
			"argocd-controller", fmt.Sprintf(webhooks, "", `, clientConfig: {caBundle: ""}`), nil,
			[]string{
				"Cycle Exact",
				`cert-manager-cainjector .webhooks[name="a.example.com"].clientConfig.caBundle ` + bundle,
				`argocd-controller .webhooks[name="a.example.com"].clientConfig.caBundle `,
			},
		},
		{
			"a bundle that is left to its injector", []merging.Writing{
				updated("cert-manager-cainjector", fmt.Sprintf(webhooks, "", ", clientConfig: {caBundle: "+bundle+"}")),
			},
			"argocd-controller", fmt.Sprintf(webhooks, "", ""), nil, []string{calm},
		},
		{
			"an enforcer that is told to leave the object", []merging.Writing{
				updated("admissionsenforcer", fmt.Sprintf(webhooks, "", ", failurePolicy: Fail")),
			},
			"argocd-controller", fmt.Sprintf(webhooks, `, admissions.enforcer/disabled: "true"`, ", failurePolicy: Ignore"),
			nil, []string{calm},
		},
		{
			"a program of the same name that has other settings, and says that it applies the object too",
			[]merging.Writing{applied("argocd-controller", tracked("two", "paused: true"))},
			"argocd-controller", tracked("two", "paused: true"), []string{"Application two", "Application one+"},
			[]string{
				"Cycle Partial", "Application one " + tracking + "one:apps/Deployment:shop/web",
				"argocd-controller " + tracking + "two:apps/Deployment:shop/web",
			},
		},
		{
			"what a built-in controller writes but once",
			[]merging.Writing{
				updated("kube-controller-manager", spec("minReadySeconds: 5")),
			},
			"argocd-controller", three, nil, []string{unknown},
		},
		{
			"client-side applies of a program that applies server-side now",
			[]merging.Writing{applied("argocd-controller", five), updated("argocd-application-controller", spec("paused: true"))},
			"argocd-controller", spec("minReadySeconds: 3, paused: false"), nil, []string{calm},
		},
		{
			"an enforcer", []merging.Writing{
				updated("admissionsenforcer", fmt.Sprintf(webhooks, "", ", failurePolicy: Fail")),
			},
			"argocd-controller", fmt.Sprintf(webhooks, "", ", failurePolicy: Ignore"), nil,
			[]string{
				"Cycle Exact", `admissionsenforcer .webhooks[name="a.example.com"].failurePolicy Fail`,
				`argocd-controller .webhooks[name="a.example.com"].failurePolicy Ignore`,
			},
		},
	} {
		if diff := cmp.Diff(c.want, asked(t, c.writes, c.manager, c.manifest, c.has...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
