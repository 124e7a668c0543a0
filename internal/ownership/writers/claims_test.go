package writers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/lab"
)

func TestClaims(t *testing.T) {
	deployment := report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	secret := report.Target{APIVersion: "v1", Kind: "Secret", Namespace: "shop", Name: "db"}
	service := report.Target{APIVersion: "v1", Kind: "Service", Namespace: "shop", Name: "web"}
	routes := report.Target{APIVersion: "networking.istio.io/v1", Kind: "VirtualService", Namespace: "shop", Name: "web"}
	httpRoute := report.Target{
		APIVersion: "gateway.networking.k8s.io/v1",
		Kind:       "HTTPRoute",
		Namespace:  "shop",
		Name:       "web",
	}
	traefikService := report.Target{
		APIVersion: "traefik.io/v1alpha1",
		Kind:       "TraefikService",
		Namespace:  "shop",
		Name:       "web",
	}
	split := report.Target{APIVersion: "split.smi-spec.io/v1alpha4", Kind: "TrafficSplit", Namespace: "shop", Name: "r"}
	routing := func(text string) string {
		return `{"metadata":{"name":"r"},"spec":{"strategy":{"canary":{"trafficRouting":` + text + `}}}}`
	}
	for _, tt := range []struct {
		name        string
		group, kind string
		object      string
		on          report.Target
		want        []Claim
	}{
		{"an autoscaler", "autoscaling", "HorizontalPodAutoscaler", `{"metadata":{"name":"a"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}}`, deployment, []Claim{{Kind: Scales, By: "HorizontalPodAutoscaler a", Scaling: Scaling{Min: 1, Max: 1}}}},
		{"KEDA leaves out a Deployment", "keda.sh", "ScaledObject", `{"metadata":{"name":"a"},"spec":{"scaleTargetRef":{"name":"web"}}}`, deployment, []Claim{{Kind: Scales, By: "ScaledObject a", Scaling: Scaling{Max: 100, FromZero: true}}}},
		{"an autoscaler of nothing", "autoscaling", "HorizontalPodAutoscaler", `{"metadata":{"name":"a"},"spec":{}}`, deployment, nil},
		{"a reference that is none", "autoscaling", "HorizontalPodAutoscaler", `{"metadata":{"name":"a"},"spec":{"scaleTargetRef":["web"]}}`, deployment, nil},
		{"of another kind", "autoscaling", "HorizontalPodAutoscaler", `{"metadata":{"name":"a"},"spec":{"scaleTargetRef":{"apiVersion":"v1","kind":"Deployment","name":"web"}}}`, deployment, nil},
		{"the vertical one resizes pods", "autoscaling.k8s.io", "VerticalPodAutoscaler", `{"metadata":{"name":"v"},"spec":{"targetRef":{"name":"web"}}}`, deployment, []Claim{{Kind: Resizes, By: "VerticalPodAutoscaler v"}}},
		{"the vertical one that only recommends", "autoscaling.k8s.io", "VerticalPodAutoscaler", `{"metadata":{"name":"v"},"spec":{"targetRef":{"name":"web"},"updatePolicy":{"updateMode":"Off"}}}`, deployment, nil},
		{"a secret of its own name", "external-secrets.io", "ExternalSecret", `{"metadata":{"name":"db"},"spec":{}}`, secret, []Claim{{Kind: Generates, By: "ExternalSecret db"}}},
		{"a secret of another name", "external-secrets.io", "ExternalSecret", `{"metadata":{"name":"e"},"spec":{"target":{"name":"db"}}}`, secret, []Claim{{Kind: Generates, By: "ExternalSecret e"}}},
		{"a secret that it does not create", "external-secrets.io", "ExternalSecret", `{"metadata":{"name":"db"},"spec":{"target":{"creationPolicy":"None"}}}`, secret, nil},
		{"a sealed secret", "bitnami.com", "SealedSecret", `{"metadata":{"name":"db"}}`, secret, []Claim{{Kind: Generates, By: "SealedSecret db"}}},
		{"a certificate", "cert-manager.io", "Certificate", `{"metadata":{"name":"c"},"spec":{"secretName":"db"}}`, secret, []Claim{{Kind: Generates, By: "Certificate c"}}},
		{"a rollout selects", "argoproj.io", "Rollout", `{"metadata":{"name":"r"},"spec":{"strategy":{"canary":{"stableService":"web"}}}}`, service, []Claim{{Kind: Selects, By: "Rollout r"}}},
		{"a rollout weighs a route", "argoproj.io", "Rollout", routing(`{"plugins":{"argoproj-labs/gatewayAPI":{"httpRoute":"web"}}}`),
			httpRoute, []Claim{{Kind: Weighs, By: "Rollout r"}}},
		{"a rollout weighs several routes", "argoproj.io", "Rollout",
			routing(`{"plugins":{"argoproj-labs/gatewayAPI":{"httpRoutes":[{"name":"api"},{"name":"web"}]}}}`), httpRoute, []Claim{{Kind: Weighs, By: "Rollout r"}}},
		{"a rollout weighs with Traefik", "argoproj.io", "Rollout", routing(`{"traefik":{"weightedTraefikServiceName":"web"}}`),
			traefikService, []Claim{{Kind: Weighs, By: "Rollout r"}}},
		{"a rollout weighs a split of its name", "argoproj.io", "Rollout", routing(`{"smi":{}}`), split, []Claim{{Kind: Weighs, By: "Rollout r"}}},
		{"a rollout weighs", "argoproj.io", "Rollout", `{"metadata":{"name":"r"},"spec":{"strategy":{"canary":{"trafficRouting":{"istio":{"virtualServices":[{"name":"web"},"odd"]}}}}}}`, routes, []Claim{{Kind: Weighs, By: "Rollout r"}}},
		{"a rollout's status has the hash", "argoproj.io", "Rollout", `{"metadata":{"name":"r"},"spec":{"strategy":{"blueGreen":{"activeService":"web"}}},"status":{"blueGreen":{"activeSelector":"5d4"}}}`, service, []Claim{{Kind: Selects, By: "Rollout r", Hash: "5d4"}}},
		{"Flagger's target is idle", "flagger.app", "Canary", `{"metadata":{"name":"c"},"spec":{"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}},"status":{"phase":"Succeeded"}}`, deployment, []Claim{{Kind: Idles, By: "Canary c"}}},
		{"Flagger's target is not idle", "flagger.app", "Canary", `{"metadata":{"name":"c"},"spec":{"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}},"status":{"phase":"Progressing"}}`, deployment, nil},
		{"Flagger's Service", "flagger.app", "Canary", `{"metadata":{"name":"c"},"spec":{"targetRef":{"name":"web"}}}`, service, []Claim{{Kind: Generates, By: "Canary c"}}},
		{"any other kind", "", "ConfigMap", `{"metadata":{"name":"c"},"spec":{"scaleTargetRef":{"name":"web"}}}`, deployment, nil},
	} {
		claims, kind := Claims{}, schema.GroupKind{Group: tt.group, Kind: tt.kind}
		claims.Add(kind, "shop", lab.Object(tt.object))
		if diff := cmp.Diff(tt.want, claims.Of(tt.on)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if IsClaimant(kind) != (tt.kind != "ConfigMap") {
			t.Errorf("%s: claimant %t", tt.name, IsClaimant(kind))
		}
		elsewhere := tt.on
		elsewhere.Namespace = "other"
		if found := claims.Of(elsewhere); found != nil {
			t.Errorf("%s claims in another namespace: %v", tt.name, found)
		}
		if scaler := claims.Scaler(tt.on); (scaler != "") != (len(tt.want) > 0 && tt.want[0].Kind == Scales) {
			t.Errorf("%s: scaled by %q", tt.name, scaler)
		}
	}
	for kind, want := range map[ClaimKind]string{Scales: ControllerManager, Selects: "rollouts-controller", Weighs: "rollouts-controller", Generates: "", Resizes: ""} {
		if got := (Claim{Kind: kind}).Manager(); got != want {
			t.Errorf("%s is written by %q, want %q", kind, got, want)
		}
	}
}

// TestClaimantsOn: only kinds that can be claimed ask for their claimants.
func TestClaimantsOn(t *testing.T) {
	scales := func(k schema.GroupKind) bool { return k.Kind == "Deployment" }
	for _, tt := range []struct {
		on   []schema.GroupKind
		want []string
	}{
		{nil, nil},
		{[]schema.GroupKind{{Kind: "ConfigMap"}}, nil},
		{[]schema.GroupKind{{Group: "apps", Kind: "Deployment"}}, []string{"Canary.flagger.app", "HorizontalPodAutoscaler.autoscaling", "ScaledObject.keda.sh", "VerticalPodAutoscaler.autoscaling.k8s.io"}},
		{[]schema.GroupKind{{Kind: "Secret"}, {Kind: "Service"}}, []string{"Canary.flagger.app", "Certificate.cert-manager.io", "ExternalSecret.external-secrets.io", "Rollout.argoproj.io", "SealedSecret.bitnami.com"}},
	} {
		kinds := map[schema.GroupKind]bool{}
		for _, k := range tt.on {
			kinds[k] = true
		}
		var got []string
		for _, k := range ClaimantsOn(kinds, scales) {
			got = append(got, k.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.on, diff)
		}
	}
}

func TestInjectorOf(t *testing.T) {
	for annotations, want := range map[string]Injector{
		`{}`:                                     {},
		`{"a":"b"}`:                              {},
		`{"cert-manager.io/inject-ca-from":"x"}`: certManager,
		`{"service.beta.openshift.io/inject-cabundle":"true"}`:                                          openShift,
		`{"service.beta.openshift.io/inject-cabundle":"true","cert-manager.io/inject-apiserver-ca":""}`: certManager,
	} {
		if got := InjectorOf(lab.Object(`{"metadata":{"annotations":` + annotations + `}}`)); got != want {
			t.Errorf("%s: %v, want %v", annotations, got, want)
		}
	}
	if !IsInjected(`.webhooks[name="a"].clientConfig.caBundle`) || IsInjected(".spec.ca") {
		t.Error("the wrong fields are injected")
	}
}

// TestScalers: several autoscalers of one object are told apart, and one that KEDA has made is
// its ScaledObject's.
func TestScalers(t *testing.T) {
	claims := Claims{}
	add := func(group, kind, object string) {
		claims.Add(schema.GroupKind{Group: group, Kind: kind}, "shop", lab.Object(object))
	}
	add(
		"keda.sh",
		"ScaledObject",
		`{"metadata":{"name":"a"},"spec":{"scaleTargetRef":{"name":"web"},"maxReplicaCount":5}}`,
	)
	add(
		"autoscaling",
		"HorizontalPodAutoscaler",
		`{"metadata":{"name":"keda-hpa-a","ownerReferences":[{"kind":"ScaledObject","name":"a"}]},
		"spec":{"scaleTargetRef":{"name":"web"},"minReplicas":1,"maxReplicas":5},"status":{"desiredReplicas":4}}`,
	)
	add(
		"keda.sh",
		"ScaledObject",
		`{"metadata":{"name":"b","annotations":{"autoscaling.keda.sh/paused":"true"}},"spec":{"scaleTargetRef":{"name":"web"}}}`,
	)
	add(
		"autoscaling",
		"HorizontalPodAutoscaler",
		`{"metadata":{"name":"c"},"spec":{"scaleTargetRef":{"name":"web"},"minReplicas":6,"maxReplicas":8}}`,
	)
	add("autoscaling", "HorizontalPodAutoscaler", `{"metadata":{"name":"c"},"spec":{"scaleTargetRef":{"name":"web"},
		"minReplicas":6,"maxReplicas":8}}`)
	want := []Claim{
		{Kind: Scales, By: "ScaledObject a", Scaling: Scaling{Max: 5, Desired: 4, FromZero: true}},
		{Kind: Scales, By: "HorizontalPodAutoscaler c", Scaling: Scaling{Min: 6, Max: 8}},
	}
	got := claims.Scalers(report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for n, within := range map[int64]int64{1: 6, 7: 7, 9: 8} {
		if got := got[1].Scaling.Within(n); got != within {
			t.Errorf("%d within the bounds is %d, want %d", n, got, within)
		}
	}
}
