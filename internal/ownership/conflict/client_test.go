package conflict

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestClientOf is the client of a field manager.
func TestClientOf(t *testing.T) {
	for manager, want := range map[string]report.Client{
		"argocd-controller": report.ArgoCD, "kustomize-controller": report.Flux, "helm": report.Helm, "Terraform": report.Terraform,
		"pulumi-kubernetes-1a": report.Pulumi, "kubectl": report.Kubectl, "ci": "", "argocd-server": "",
	} {
		if got := ClientOf(manager); got != want {
			t.Errorf("%s: %q, want %q", manager, got, want)
		}
	}
}

// TestKindIn is the resolution by which a client does what is recommended.
func TestKindIn(t *testing.T) {
	owner := func(manager, operation string) Owner {
		w := report.Writer{Manager: manager, Operation: operation}
		return Owner{Writer: w, ManagerKind: writers.ManagerKindOf(w, "")}
	}
	stop, share, force := Conflict{
		Field:       ".spec.x",
		Recommended: StopManaging,
	}, Conflict{
		Field:       ".spec.x",
		Recommended: UseLiveValue,
	}, Conflict{
		Field:       ".spec.x",
		Recommended: Force,
	}
	replicas := Conflict{Field: ".spec.replicas", Recommended: StopManaging}
	lacking := Conflict{
		Field:       ".spec.x",
		Recommended: None,
		Because:     Reason{Kind: NoneSafe, Against: []Objection{ForceReverted, StopLacks}},
	}
	of := func(t Conflict, owners ...Owner) Conflict {
		t.Owners = owners
		return t
	}
	for _, test := range []struct {
		name   string
		client report.Client
		t      Conflict
		want   ResolutionKind
	}{
		{"Argo CD shares what it leaves", report.ArgoCD, stop, UseLiveValue},
		{"also what a new object needs", report.ArgoCD, lacking, UseLiveValue},
		{"Argo CD forces", report.ArgoCD, force, Force},
		{"Flux leaves fields out", report.Flux, share, StopManaging},
		{"Flux keeps what an object needs", report.Flux, lacking, StopManaging},
		{"Flux takes from updaters by a setting", report.Flux, of(force, owner("manager", "Update")), Force},
		{"and by itself from appliers", report.Flux, of(force, owner("helm", "Apply")), None},
		{"and from kubectl", report.Flux, of(force, owner("kubectl-edit", "Update"), owner("before-first-apply", "Update")), None},
		{"not if one is neither", report.Flux, of(force, owner("kubectl-edit", "Update"), owner("manager", "Update")), Force},
		{"Helm leaves replicas to an autoscaler", report.Helm, of(replicas, Owner{ManagerKind: writers.ManagerKind{Kind: writers.Autoscaler}}), StopManaging},
		{"and not to others", report.Helm, of(replicas, owner("redis-operator", "Update")), None},
		{"and nothing else", report.Helm, stop, None},
		{"Helm forces", report.Helm, force, Force},
		{"Terraform ignores", report.Terraform, stop, StopManaging},
		{"Pulumi ignores", report.Pulumi, share, StopManaging},
		{"kubectl has no setting to leave a field", report.Kubectl, stop, None},
		{"kubectl forces", report.Kubectl, force, Force},
		{"nothing is done by hand-over", report.ArgoCD, Conflict{Recommended: Migrate}, None},
	} {
		if got := kindIn(test.client, test.t); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestUnitOf is what a client notes on the objects that it deploys.
func TestUnitOf(t *testing.T) {
	for _, test := range []struct {
		client   report.Client
		metadata string
		want     report.Unit
	}{
		{report.ArgoCD, `{"annotations": {"argocd.argoproj.io/tracking-id": "web:apps/Deployment:shop/web"}}`, report.Unit{Name: "web"}},
		{report.ArgoCD, `{"annotations": {"argocd.argoproj.io/tracking-id": "team_web:apps/Deployment:shop/web"}}`, report.Unit{Name: "web", Namespace: "team"}},
		{report.ArgoCD, `{}`, report.Unit{}},
		{report.Flux, `{"labels": {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}}`, report.Unit{Name: "apps", Namespace: "flux-system"}},
		{report.Helm, `{"annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "team"}}`, report.Unit{Name: "shop", Namespace: "team"}},
		{report.Terraform, `{"annotations": {"meta.helm.sh/release-name": "shop"}}`, report.Unit{}},
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(`{"metadata":`+test.metadata+`}`), &object); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, unitOf(test.client, object)); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.client, test.metadata, diff)
		}
	}
}

// TestInClient puts the resolutions of a manifest into settings: one for what is left to
// others, and one for what is taken.
func TestInClient(t *testing.T) {
	hpa, person := updated(
		"kube-controller-manager",
		deployment("5", "a"),
	), updated(
		"kubectl-edit",
		deployment("5", "hotfix"),
	)
	name, container := report.Segment{
		Name: "spec",
	}, report.Segment{
		Item: true,
		Keys: []report.Key{{Name: "name", Value: "main"}},
	}
	imageAt := report.Place{name, {Name: "template"}, {Name: "spec"}, {Name: "containers"}, container, {Name: "image"}}
	replicasAt := report.Place{name, {Name: "replicas"}}
	for _, test := range []struct {
		manager       string
		kustomization string
		want          []report.ClientFix
	}{
		{"argocd-controller", "", []report.ClientFix{
			{Client: report.ArgoCD, Kind: "UseLiveValue", Fields: []string{".spec.replicas"}, Managers: []string{"kube-controller-manager"}, Places: []report.Place{replicasAt}, Applier: "argocd-controller"},
			{Client: report.ArgoCD, Kind: "Force", Fields: []string{image}, Managers: []string{"kubectl-edit"}, Places: []report.Place{imageAt}, Applier: "argocd-controller"},
		}},
		{"kustomize-controller", "", []report.ClientFix{
			{Client: report.Flux, Kind: "StopManaging", Fields: []string{".spec.replicas"}, Managers: []string{"kube-controller-manager"}, Places: []report.Place{replicasAt}, Applier: "kustomize-controller"},
		}},
		{"kubectl", "overlays/prod", []report.ClientFix{
			{Client: report.Kubectl, Kind: "Force", Unit: report.Unit{Name: "overlays/prod"}, Fields: []string{image}, Managers: []string{"kubectl-edit"}, Places: []report.Place{imageAt}, Applier: "kubectl"},
		}},
		{"ci", "", nil},
	} {
		w := written(t, deployment("3", "b"), applied(test.manager, deployment("2", "a")), hpa, person)
		w.Manager, w.Kustomization = test.manager, test.kustomization
		if diff := cmp.Diff(test.want, Explain(t.Context(), server, w, Judges{}).InClient); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.manager, diff)
		}
		r := Advise(t.Context(), server, w, engine.Simulate(t.Context(), server, w), Judges{})
		if diff := cmp.Diff(test.want, r.InClient); diff != "" {
			t.Errorf("advised to %s (-want +got):\n%s", test.manager, diff)
		}
	}
}

// TestSecretPlaces: no segment shows a value of a Secret.
func TestSecretPlaces(t *testing.T) {
	w := engine.Write{
		Verb: api.Apply, Kind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: "shop", Name: "s", Manager: "argocd-controller", Now: now,
		Body: merging.JSON(t, `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}, data: {a: Yg==}}`),
		Live: server.Object(
			t,
			applied("web-team", `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}, data: {a: YQ==}}`),
		),
	}
	e := Explain(t.Context(), server, w, Judges{})
	if len(e.InClient) != 1 || len(e.InClient[0].Places) != 1 {
		t.Fatalf("%+v", e.InClient)
	}
	if diff := cmp.Diff(report.Place{{Name: "data"}, {Name: "a"}}, e.InClient[0].Places[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !stringData(w, ".stringData.a") || stringData(w, ".stringData") || stringData(w, ".data.a") {
		t.Error("stringData is taken for something else")
	}
}
