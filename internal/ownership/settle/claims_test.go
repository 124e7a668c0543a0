package settle

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestOthersOfInputs: objects of the inputs have others write what the write sets, though these
// have no entry yet.
func TestOthersOfInputs(t *testing.T) {
	const (
		meta    = "metadata: {name: web, namespace: shop}"
		service = "{apiVersion: v1, kind: Service, " + meta + ", spec: {ports: [{port: 80}]%s}}"
		rollout = "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, " +
			"spec: {strategy: {canary: {stableService: web}}}%s}"
		canary = "{apiVersion: flagger.app/v1beta1, kind: Canary, metadata: {name: c}, " +
			"spec: {targetRef: {name: web}}, status: {phase: %s}}"
		aks   = "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, labels: {kubernetes.azure.com/managedby: aks}}}"
		other = "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: " +
			"{name: other, managedFields: [{manager: admissionsenforcer, operation: Update, apiVersion: v1}]}, " +
			"webhooks: [{name: a, namespaceSelector: {matchExpressions: [{key: control-plane, operator: DoesNotExist}]}}]}"
		pod = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, labels: {%s}}, " +
			"spec: {containers: [{name: web, image: web}]}}"
		selected = "selector: {app: web}"
		external = "{apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: {name: e}, spec: {target: {name: %s}}}"
		routed   = "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, " +
			"spec: {strategy: {canary: {trafficRouting: {istio: {virtualService: {name: %s}}}}}}}"
		route = "{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: web, namespace: shop}, " +
			"spec: {hosts: [web], http: [{route: [{destination: {host: web}, weight: %s}]}]}}"
		made = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: web}, " +
			"aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: monitoring}}]}%s}"
		mutating = "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, " +
			"metadata: {name: web%s}, webhooks: [{name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, " +
			"clientConfig: {url: 'https://a'}%s}]}"
	)
	component := func(name, to, verb string) string {
		return fmt.Sprintf(
			"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %s, labels: {to: %s}}, "+
				`rules: [{apiGroups: [""], resources: [pods], verbs: [%s]}]}`,
			name,
			to,
			verb,
		)
	}
	whole := []string{
		component("admin", "a", "get"), component("cluster-admin", "a", "get"), component("edit", "a", "get"),
		component("view", "a", "get"),
	}
	const calm, unknown = "FixedPoint Exact", "Unknown Partial"
	replicas := spec("replicas: 3, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}")
	for _, c := range []struct {
		name     string
		inputs   []string
		manifest string
		want     []string
	}{
		{
			"a Rollout", []string{fmt.Sprintf(rollout, ", status: {stableRS: 5d4}")}, fmt.Sprintf(service, ", "+selected),
			[]string{
				"Cycle Exact", "Rollout r .spec.selector map[app:web rollouts-pod-template-hash:5d4]",
				"argocd-controller .spec.selector map[app:web]",
			},
		},
		{
			"a Rollout without a status", []string{fmt.Sprintf(rollout, "")}, fmt.Sprintf(service, ", "+selected),
			[]string{unknown},
		},
		{
			"a route of a Rollout, whose weights nothing says", []string{fmt.Sprintf(routed, "web")},
			fmt.Sprintf(route, "100"), []string{unknown},
		},
		{"a route of another one", []string{fmt.Sprintf(routed, "other")}, fmt.Sprintf(route, "100"), []string{calm}},
		{
			"a Secret that another object generates", []string{fmt.Sprintf(external, "web")},
			"{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: shop}, data: {a: YQ==}}", []string{unknown},
		},
		{
			"a Secret next to one that is generated", []string{fmt.Sprintf(external, "other")},
			"{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: shop}, data: {a: YQ==}}", []string{calm},
		},
		{
			"a Service without a selector", []string{fmt.Sprintf(rollout, "")}, fmt.Sprintf(service, ""), []string{calm},
		},
		{
			"an idle target", []string{fmt.Sprintf(canary, "Succeeded")}, replicas,
			[]string{"Cycle Exact", "Canary c .spec.replicas 0", "argocd-controller .spec.replicas 3"},
		},
		{"a canary under way", []string{fmt.Sprintf(canary, "Progressing")}, replicas, []string{calm}},
		{
			"AKS", []string{aks}, fmt.Sprintf(mutating, "", ", namespaceSelector: {matchLabels: {a: b}}"),
			[]string{
				"Cycle Partial", `admissionsenforcer .webhooks[name="a.example.com"].namespaceSelector ` +
					"map[matchExpressions:[map[key:kubernetes.azure.com/managedby operator:NotIn values:[aks]] " +
					"map[key:control-plane operator:NotIn values:[true]]] matchLabels:map[a:b]]",
				`argocd-controller .webhooks[name="a.example.com"].namespaceSelector map[matchLabels:map[a:b]]`,
			},
		},
		{
			"the enforcer on another object", []string{aks, other},
			fmt.Sprintf(mutating, "", ", namespaceSelector: {matchLabels: {a: b}}"),
			[]string{
				"Cycle Exact", `admissionsenforcer .webhooks[name="a.example.com"].namespaceSelector ` +
					"map[matchExpressions:[map[key:control-plane operator:DoesNotExist]] matchLabels:map[a:b]]",
				`argocd-controller .webhooks[name="a.example.com"].namespaceSelector map[matchLabels:map[a:b]]`,
			},
		},
		{"AKS and no selector", []string{aks}, fmt.Sprintf(mutating, "", ""), []string{"FixedPoint Partial"}},
		{
			"AKS and an object that is left alone", []string{aks},
			fmt.Sprintf(mutating, `, annotations: {admissions.enforcer/disabled: "true"}`, ", namespaceSelector: {matchLabels: {a: b}}"),
			[]string{calm},
		},
		{
			"a role that is made of those given", []string{component("a", "monitoring", "get"), component("b", "other", "list")},
			fmt.Sprintf(made, ", rules: []"),
			[]string{
				"Cycle Partial", "clusterrole-aggregation-controller .rules [map[apiGroups:[] resources:[pods] verbs:[get]]]",
				"argocd-controller .rules []",
			},
		},
		{
			"a role that is made of those of a whole cluster", append(whole, component("a", "monitoring", "get")),
			fmt.Sprintf(made, ", rules: []"),
			[]string{
				"Cycle Exact", "clusterrole-aggregation-controller .rules [map[apiGroups:[] resources:[pods] verbs:[get]]]",
				"argocd-controller .rules []",
			},
		},
		{
			"a role that the whole cluster has no part of", whole, fmt.Sprintf(made, ", rules: []"), []string{calm},
		},
		{
			"a role that leaves its rules to the controller", []string{component("a", "monitoring", "get")},
			fmt.Sprintf(made, ""), []string{calm},
		},
		{
			"a role with the rules of the others", append(whole, component("a", "monitoring", "get")),
			fmt.Sprintf(made, `, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]`), []string{calm},
		},
		{"a Pod that asks for a sidecar", nil, fmt.Sprintf(pod, `sidecar.istio.io/inject: "true"`), []string{unknown}},
		{"a Pod that asks for none", nil, fmt.Sprintf(pod, `sidecar.istio.io/inject: "false"`), []string{calm}},
	} {
		if diff := cmp.Diff(c.want, lasts(t, c.inputs, c.manifest)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// lasts is whether a first apply of a manifest by Argo CD lasts, in lines.
func lasts(t *testing.T, inputs []string, manifest string) []string {
	t.Helper()
	w := engine.Write{
		Verb: api.Apply, Manager: "argocd-controller", Force: true, Body: merging.JSON(t, manifest), Name: "web",
		Now: time.Unix(1e9, 0),
	}
	w.Kind = kindOf(w.Object())
	if w.Kind.Group != writers.AdmissionGroup && w.Kind.GroupKind() != writers.ClusterRoles {
		w.Namespace = "shop"
	}
	one := Write{
		Server: server, Asked: w, Result: engine.Simulate(t.Context(), server, w), Send: engine.Simulate, Requests: 1,
		Rounds: 3, Claims: writers.Claims{},
	}
	for _, input := range inputs {
		object := engine.Write{Body: merging.JSON(t, input)}.Object()
		kind := kindOf(object)
		one.Claims.Add(schema.GroupKind{Group: kind.Group, Kind: kind.Kind}, "shop", object)
		one.Enforced.Add(kind.GroupKind(), object)
		if kind.GroupKind() == writers.ClusterRoles {
			one.Roles.Add(object)
		}
	}
	settles, _ := Lasts(t.Context(), one)
	if settles == nil {
		t.Fatalf("nothing is known: %+v", one.Result.Status)
	}
	out := []string{fmt.Sprintf("%s %s", settles.Result, settles.Confidence)}
	for _, s := range settles.Cycle {
		out = append(out, fmt.Sprintf("%s %s %v", s.Name(), s.Field, s.Value))
	}
	return out
}
