package risk

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

var deployments = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}

// deployment is a manifest with parts of its metadata and its spec.
func deployment(metadata, spec string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop" + metadata + "}, spec: {" + spec + "}}"
}

// TestKubectl: what kubectl removes behind its apply, which an answer to the apply alone
// does not show.
func TestKubectl(t *testing.T) {
	server := merging.New()
	const annotated = `, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}`
	clientSide := merging.Writing{
		Verb:     api.Update,
		Manager:  "kubectl-client-side-apply",
		Manifest: deployment(annotated, "replicas: 3, paused: true"),
	}
	for _, test := range []struct {
		name     string
		writes   []merging.Writing
		manifest string
		want     []string
	}{
		{"nothing was applied client-side", []merging.Writing{{Verb: api.Apply, Manager: "helm", Manifest: deployment("", "paused: true")}}, deployment("", "replicas: 3"), nil},
		{"the manifest has it all", []merging.Writing{clientSide}, deployment("", "replicas: 3, paused: true"), nil},
		{"the manifest dropped a field", []merging.Writing{{Verb: api.Update, Manager: "kubectl-client-side-apply", Manifest: deployment(`, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"replicas":3,"paused":true}}'}`, "replicas: 3, paused: true")}}, deployment("", "replicas: 3"), []string{
			"warning kubectl-removes: .spec.paused: kubectl removes it: kubectl apply moves all fields of kubectl-client-side-apply to kubectl and applies again, and the manifest no longer has this one"}},
		{"the manifest lacks a field", []merging.Writing{clientSide}, deployment("", "replicas: 3"), []string{
			"error kubectl-removes: .spec.paused: kubectl removes it: kubectl apply moves all fields of kubectl-client-side-apply to kubectl and applies again, and the manifest lacks this one"}},
	} {
		w := engine.Write{
			Verb:      api.Apply,
			Kind:      deployments,
			Namespace: "shop",
			Name:      "web",
			Manager:   "kubectl",
			Body:      merging.JSON(t, test.manifest),
			Live:      server.Object(t, test.writes...),
		}
		if diff := cmp.Diff(test.want, said(Kubectl(nil, client.Kubectl(t.Context(), server, w)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestForbidden: what a policy has against the ownership that an apply gets, or would
// get with force.
func TestForbidden(t *testing.T) {
	server := merging.New()
	own, err := policy.Parse("own.yaml", []byte(`
ownership:
- kinds: [Deployment.apps]
  fields: .spec
  owners: web-team
  reason: the team decides
- kinds: [Deployment.apps]
  fields: .spec.replicas
  owners: autoscaler
  severity: warning
`))
	if err != nil {
		t.Fatal(err)
	}
	live := server.Object(
		t,
		merging.Writing{Verb: api.Apply, Manager: "web-team", Manifest: deployment("", "paused: true, minReadySeconds: 1")},
	)
	for _, test := range []struct {
		name, manager, manifest string
		want                    []string
	}{
		{"who may own it", "web-team", deployment("", "paused: false"), nil},
		{"what no rule is about", "ci", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {a: b}}}", nil},
		{"an empty map", "ci", deployment("", ""), []string{"error forbidden-owner: .spec: ci would own the field: own.yaml:3 allows web-team only: the team decides"}},
		{"a field of others, not taken", "ci", deployment("", "revisionHistoryLimit: 1"), []string{
			"error forbidden-owner: .spec.revisionHistoryLimit: ci would own the field: own.yaml:3 allows web-team only: the team decides"}},
		{"one that is taken with force", "ci", deployment("", "paused: false"), []string{
			"error forbidden-owner: .spec.paused: ci would own the field, taken from web-team: own.yaml:3 allows web-team only: the team decides"}},
		{"by the last rule that fits", "web-team", deployment("", "replicas: 2"), []string{
			"warning forbidden-owner: .spec.replicas: web-team would own the field: own.yaml:7 allows autoscaler only"}},
		{"many", "ci", deployment("", "replicas: 1, paused: true, minReadySeconds: 1, revisionHistoryLimit: 1, progressDeadlineSeconds: 9, strategy: {type: Recreate}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b, c: d}}}"), []string{
			"error forbidden-owner: : ci would own 3 more fields: own.yaml:3 allows web-team only: the team decides",
			"error forbidden-owner: .spec.minReadySeconds: ci would own the field: own.yaml:3 allows web-team only: the team decides",
			"error forbidden-owner: .spec.paused: ci would own the field: own.yaml:3 allows web-team only: the team decides",
			"error forbidden-owner: .spec.progressDeadlineSeconds: ci would own the field: own.yaml:3 allows web-team only: the team decides",
			"error forbidden-owner: .spec.revisionHistoryLimit: ci would own the field: own.yaml:3 allows web-team only: the team decides",
			"error forbidden-owner: .spec.selector: ci would own the field: own.yaml:3 allows web-team only: the team decides",
			"warning forbidden-owner: .spec.replicas: ci would own the field: own.yaml:7 allows autoscaler only",
		}},
	} {
		w := engine.Write{
			Verb:      api.Apply,
			Kind:      deployments,
			Namespace: "shop",
			Name:      "web",
			Manager:   test.manager,
			Body:      merging.JSON(t, test.manifest),
			Live:      live,
		}
		r := engine.Simulate(t.Context(), server, w)
		o := policy.Object{
			Kind:      deployments.GroupKind(),
			Namespace: "shop",
			Shape:     managedfields.ShapeOf(server.Types(deployments).ParseableType),
		}
		if diff := cmp.Diff(test.want, said(Forbidden(nil, r, own, o, nil))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
