package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/server/api"
)

const (
	doubtedPolicy = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: p}, spec: {PARAM matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}, validations: [{expression: "EXPRESSION"}]}}`
	doubtedBound  = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: p}, spec: {policyName: p, validationActions: [Deny]}}`
	doubtedParam  = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: p}, spec: {policyName: p, validationActions: [Deny], paramRef: {name: limit, parameterNotFoundAction: Deny}}}`
	doubtedHook   = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: w.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: "https://w.example.com"}, SELECTOR rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}]}`
	doubtedClaim  = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: default}, spec: {accessModes: [ReadWriteOnce], storageClassName: CLASS, volumeName: v, volumeMode: Filesystem, resources: {requests: {storage: 1Gi}}}, status: {phase: PHASE}}`
	doubtedConfig = `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}`
	doubtedGrowth = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {resources: {requests: {storage: 2Gi}}}}`
)

// TestDoubts: what of the cluster was not given is named where the answer depends on
// it, and nothing is where it cannot.
func TestDoubts(t *testing.T) {
	replaced := func(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
	policy := func(param, expression string) string {
		return replaced(doubtedPolicy, "PARAM", param, "EXPRESSION", expression)
	}
	// A namespace that limits nothing.
	roomy := []string{
		`{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: default}, spec: {limits: []}}`,
		`{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: default}}`,
	}
	roomyForPods := append(
		roomy[:2:2],
		`{apiVersion: v1, kind: Namespace, metadata: {name: default}}`,
		`{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: default}, automountServiceAccountToken: false}`,
	)
	classes := `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: 1}`
	tests := []struct {
		name       string
		given      []string
		live, body string
		code       int
		// want is part of the only note of admission; empty for none.
		want string
	}{
		{name: "a ConfigMap in a cluster of which nothing is known", body: doubtedConfig, code: 201},
		{name: "under a quota of other things", body: doubtedConfig, code: 201,
			given: []string{
				`{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: default}, spec: {hard: {pods: "1"}}, status: {hard: {pods: "1"}, used: {pods: "1"}}}`,
			}},
		{name: "a policy that asks for nothing", body: doubtedConfig, code: 201,
			given: []string{policy("", "true"), doubtedBound}},
		{name: "a policy for others", body: doubtedConfig, code: 201,
			given: []string{replaced(policy("", "request.userInfo.username == 'x'"), "configmaps", "secrets"), doubtedBound}},
		{name: "a policy without a binding", body: doubtedConfig, code: 201,
			given: []string{policy("", "request.userInfo.username == 'x'")}},
		{name: "a policy that asks who asks", body: doubtedConfig, code: 422, want: "depends on the user",
			given: []string{policy("", "request.userInfo.username == 'x'"), doubtedBound}},
		{
			name:  "a policy whose parameters nothing defines",
			body:  doubtedConfig,
			code:  201,
			want:  "which nothing given defines",
			given: []string{policy("paramKind: {apiVersion: x.example/v1, kind: X},", "false"), doubtedBound},
		},
		{
			name: "a policy whose parameter is not among those given",
			body: doubtedConfig,
			code: 422,
			want: "and none that a binding refers to was given",
			given: []string{
				policy("paramKind: {apiVersion: v1, kind: ConfigMap},", "true"),
				doubtedParam,
				`{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: default}}`,
			},
		},
		{name: "a policy whose parameter is given", body: doubtedConfig, code: 201,
			given: []string{
				policy("paramKind: {apiVersion: v1, kind: ConfigMap},", "true"),
				doubtedParam,
				`{apiVersion: v1, kind: ConfigMap, metadata: {name: limit, namespace: default}}`,
			}},
		{name: "a policy whose parameters no server has", body: doubtedConfig, code: 422,
			given: []string{policy("paramKind: {apiVersion: v1, kind: Configmap},", "true"), doubtedParam}},
		{
			name:  "a policy that asks for the phase of a Namespace that is not given",
			body:  doubtedConfig,
			code:  201,
			want:  "asks for the Namespace",
			given: []string{policy("", "namespaceObject.status.phase == 'Active'"), doubtedBound},
		},
		{name: "a webhook", body: doubtedConfig, code: 201, want: `would call the webhook "w.example.com"`,
			given: []string{replaced(doubtedHook, "SELECTOR", "")}},
		{name: "a webhook for other objects", body: doubtedConfig, code: 201,
			given: []string{replaced(doubtedHook, "SELECTOR", "objectSelector: {matchLabels: {a: b}},")}},
		{name: "a webhook for some namespaces", body: doubtedConfig, code: 201, want: "if the Namespace, which was not given",
			given: []string{replaced(doubtedHook, "SELECTOR", "namespaceSelector: {matchLabels: {a: b}},")}},
		{name: "a webhook for other namespaces", body: doubtedConfig, code: 201,
			given: []string{
				replaced(doubtedHook, "SELECTOR", "namespaceSelector: {matchLabels: {a: b}},"),
				`{apiVersion: v1, kind: Namespace, metadata: {name: default}}`,
			}},
		{
			name:  "a claim that grows, of a class that is not given",
			body:  doubtedGrowth,
			code:  200,
			want:  "StorageClass was not given",
			given: roomy,
			live:  replaced(doubtedClaim, "CLASS", "fast", "PHASE", "Bound"),
		},
		{name: "a claim that grows, without a class", body: doubtedGrowth, code: 403, given: roomy,
			live: replaced(doubtedClaim, "CLASS", `""`, "PHASE", "Bound")},
		{name: "a claim that grows before it is bound", body: doubtedGrowth, code: 422, given: roomy,
			live: replaced(doubtedClaim, "CLASS", "fast", "PHASE", "Pending")},
		{name: "a claim of an old annotation", code: 201,
			body:  `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, annotations: {volume.beta.kubernetes.io/storage-class: x}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`,
			given: roomy},
		{name: "a Pod of a priority that is not given", code: 201, want: "PriorityClass was not given", given: roomyForPods,
			body: `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {priorityClassName: high, containers: [{name: c, image: x}]}}`},
		{name: "a Pod of a priority that no server has", code: 403, given: roomyForPods,
			body: `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {priorityClassName: system-high, containers: [{name: c, image: x}]}}`},
		{name: "a Pod of a priority that cannot be", code: 403, given: roomyForPods,
			body: `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {priorityClassName: "high ", containers: [{name: c, image: x}]}}`},
		{name: "a Pod without a priority", code: 201, want: "priority of the default one was not set", given: roomyForPods,
			body: `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {containers: [{name: c, image: x}]}}`},
		{
			name:  "a Pod without a priority, where no given one is the default",
			code:  201,
			given: append(roomyForPods[:len(roomyForPods):len(roomyForPods)], classes),
			body:  `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {containers: [{name: c, image: x}]}}`,
		},
		{name: "a default priority", code: 201, want: "No other PriorityClasses were given",
			body: `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c}, value: 1, globalDefault: true}`},
		{name: "a default priority beside others", code: 201, given: []string{classes},
			body: `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c}, value: 1, globalDefault: true}`},
		{name: "a priority that was the default before", code: 200,
			live: `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c}, value: 1, globalDefault: true}`,
			body: `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: c, labels: {a: b}}, value: 1, globalDefault: true}`},
		{
			name:  "a Pod of a runtime that is not given",
			code:  201,
			want:  "RuntimeClass was not given",
			given: append(roomyForPods[:len(roomyForPods):len(roomyForPods)], classes),
			body:  `{apiVersion: v1, kind: Pod, metadata: {name: c}, spec: {runtimeClassName: vm, containers: [{name: c, image: x}]}}`,
		},
		{name: "an Ingress without a class", code: 201, want: "IngressClasses were not given",
			body: `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: c}, spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}}`},
		{name: "an Ingress of an empty annotation", code: 201,
			body: `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: c, annotations: {kubernetes.io/ingress.class: ""}}, spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var options Options
			for _, text := range test.given {
				options.Objects = append(options.Objects, yamlAsJSON(t, text))
			}
			server := newServer(t, options)
			var head struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(test.body), &head); err != nil {
				t.Fatal(err)
			}
			request := api.Request{
				Verb:      api.Apply,
				Kind:      schema.FromAPIVersionAndKind(head.APIVersion, head.Kind),
				Namespace: "default",
				Name:      "c",
				Manager:   "m",
				Force:     true,
				Body:      yamlAsJSON(t, test.body),
			}
			if !server.Resource(request.Kind).Namespaced {
				request.Namespace = ""
			}
			if test.live != "" {
				request.Live = yamlAsJSON(t, test.live)
			}
			response, err := server.Do(context.Background(), request)
			if err != nil {
				t.Fatal(err)
			}
			if response.Code != test.code {
				t.Errorf("got %d %s: %s", response.Code, http.StatusText(response.Code), response.Body)
			}
			var notes []string
			for _, caveat := range response.Unsimulated {
				if caveat.Kind == api.Admission && caveat.Rule != api.NotGiven {
					notes = append(notes, caveat.Message)
				}
			}
			if all := strings.Join(notes, "\n"); (test.want == "") != (len(notes) == 0) || len(notes) > 1 ||
				!strings.Contains(all, test.want) {
				t.Errorf("got the notes %q, want %q", notes, test.want)
			}
		})
	}
}

func yamlAsJSON(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
