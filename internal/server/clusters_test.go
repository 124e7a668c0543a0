package server

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// What one of two clusters has, that storages look up which both servers share.
const (
	strictBudget  = `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: d, generation: 1}, spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}, status: {observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}}`
	strictPolicy  = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{apiGroups: [networking.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [ipaddresses]}]}, validations: [{expression: "false", message: no addresses}]}}`
	strictBinding = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: p}, spec: {policyName: p, validationActions: [Deny]}}`
	strictKind    = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: xs.e.io}, spec: {group: e.io, scope: Namespaced, names: {kind: X, plural: xs, singular: x, listKind: XList}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: integer}}}}}]}}`
	evictedPod    = `{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: d, uid: u, resourceVersion: "1", labels: {a: b}}, spec: {containers: [{name: c, image: i}]}, status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}`
)

// TestWith: servers of two clusters share their storages and ask each its own cluster,
// also at the same time.
func TestWith(t *testing.T) {
	base, err := New(Options{Flags: []string{"service-cluster-ip-range=10.0.0.0/16"}})
	if err != nil {
		t.Fatal(err)
	}
	empty, err := base.With(Options{})
	if err != nil {
		t.Fatal(err)
	}
	strict, err := base.With(
		Options{
			CRDs:    [][]byte{yamlAsJSON(t, strictKind)},
			Objects: [][]byte{yamlAsJSON(t, strictBudget), yamlAsJSON(t, strictPolicy), yamlAsJSON(t, strictBinding)},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]api.Request{
		"an eviction": {
			Verb:        api.Create,
			Kind:        schema.GroupVersionKind{Version: "v1", Kind: "Pod"},
			Subresource: "eviction",
			Namespace:   "d",
			Name:        "p",
			Body: yamlAsJSON(
				t,
				`{apiVersion: policy/v1, kind: Eviction, metadata: {name: p, namespace: d}}`,
			),
			Live: yamlAsJSON(t, evictedPod),
		},
		"a Service": {
			Verb:      api.Create,
			Kind:      schema.GroupVersionKind{Version: "v1", Kind: "Service"},
			Namespace: "d",
			Name:      "s",
			Body: yamlAsJSON(
				t,
				`{apiVersion: v1, kind: Service, metadata: {name: s, namespace: d}, spec: {clusterIP: 10.0.0.7, ports: [{port: 80}]}}`,
			),
		},
		"what nothing else defines": {
			Verb:      api.Create,
			Kind:      schema.GroupVersionKind{Group: "e.io", Version: "v1", Kind: "X"},
			Namespace: "d",
			Name:      "x",
			Body:      yamlAsJSON(t, `{apiVersion: e.io/v1, kind: X, metadata: {name: x, namespace: d}, spec: text}`),
		},
	}
	empty.LackKind(schema.GroupKind{Group: "e.io", Kind: "X"})
	want := map[string][2]int{
		"an eviction":               {http.StatusCreated, http.StatusTooManyRequests},
		"a Service":                 {http.StatusCreated, http.StatusUnprocessableEntity},
		"what nothing else defines": {http.StatusNotFound, http.StatusUnprocessableEntity},
	}
	var all sync.WaitGroup
	for name, call := range calls {
		for i, s := range []*Server{empty, strict} {
			all.Go(func() {
				base.Prepare(call.Kind)
				answer, err := s.Do(context.Background(), call)
				if err != nil || answer.Code != want[name][i] {
					t.Errorf(
						"%s in cluster %d: %d %s (%v), want %d", name, i, answer.Code, bytes.TrimSpace(answer.Body),
						err,
						want[name][i],
					)
				}
			})
		}
	}
	all.Wait()
}
