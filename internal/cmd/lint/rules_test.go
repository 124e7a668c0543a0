package lint

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// TestWrittenByOthers: what another object of the inputs has written is found where the
// manifest has it too, and the client leaves it to the manager that writes it.
func TestWrittenByOthers(t *testing.T) {
	deployment := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 2, ` + pod + `, resources: {requests: {cpu: 1}}}, {name: b, image: x}]}}}}`
	reference := `{apiVersion: apps/v1, kind: Deployment, name: web}`
	for _, test := range []struct {
		name, manifest, other string
		want                  []string
		to                    string
	}{
		{"an autoscaler", deployment, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: hpa, namespace: shop}, spec: {scaleTargetRef: ` + reference + `}}`,
			[]string{"warning replicas-autoscaled: HorizontalPodAutoscaler hpa writes .spec.replicas | remove the field from the manifest; the autoscaler decides it."}, writers.ControllerManager},
		{"an autoscaler, and no replicas", strings.Replace(deployment, "replicas: 2, ", "", 1), `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: hpa, namespace: shop}, spec: {scaleTargetRef: ` + reference + `}}`, nil, ""},
		{"an autoscaler elsewhere", deployment, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: hpa, namespace: other}, spec: {scaleTargetRef: ` + reference + `}}`, nil, ""},
		{"one of resources", deployment, `{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: vpa, namespace: shop}, spec: {targetRef: ` + reference + `}}`,
			[]string{"note resources-autoscaled: VerticalPodAutoscaler vpa writes .spec.template.spec.containers[0].resources | set the updateMode Off for recommendations only, or keep requests low and let the autoscaler raise them"}, ""},
		{"one of resources, and none are set", strings.Replace(deployment, "resources: {requests: {cpu: 1}}", "resources: {}", 1), `{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, metadata: {name: vpa, namespace: shop}, spec: {targetRef: ` + reference + `}}`, nil, ""},
		{"a generator", `{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: shop}}`, `{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: c, namespace: shop}, spec: {secretName: web}}`,
			[]string{"warning generated-by-others: Certificate c generates the object | take the object out of the manifests, or let the other one write another name"}, ""},
		{"a rollout of a Service", `{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {selector: {app: web}}}`, `{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r, namespace: shop}, spec: {strategy: {canary: {stableService: web}}}}`,
			[]string{"warning rollout-writes: Rollout r writes .spec.selector | leave the selector to the controller: apply without it after the first time"}, "rollouts-controller"},
		{"a rollout of routes", `{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: web, namespace: shop}, spec: {http: [{name: a}]}}`, `{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r, namespace: shop}, spec: {strategy: {canary: {trafficRouting: {istio: {virtualService: {name: web}}}}}}}`,
			[]string{"warning rollout-writes: Rollout r writes .spec.http | leave the weights to the controller: apply without them after the first time"}, "rollouts-controller"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, other := lintedManifest(t, test.manifest), decoded(t, test.other)
			m.Target.Namespace = "shop"
			m.Leave = func(_ fieldpath.Path, to string) []report.ClientFix { return []report.ClientFix{{Kind: to}} }
			claims := writers.Claims{}
			claims.Add(
				runtimeschema.FromAPIVersionAndKind(other["apiVersion"].(string), other["kind"].(string)).GroupKind(),
				other["metadata"].(map[string]any)["namespace"].(string),
				other,
			)
			e := Examine(m, claims)
			if diff := cmp.Diff(test.want, said(e)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			to := ""
			for _, f := range e.Findings {
				for _, in := range f.InClient {
					to = in.Kind
				}
			}
			if to != test.to {
				t.Errorf("left to %q, want %q", to, test.to)
			}
		})
	}
}

// TestCauses: each cause that the server names is a finding of the rule that it is of, once.
func TestCauses(t *testing.T) {
	at := &report.Source{File: "m.yaml", Line: 7}
	for _, test := range []struct {
		name, text string
		causes     []report.Cause
		want       []string
	}{
		{"a wrong type", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, []report.Cause{{Field: ".data.a", Message: "expected string, got &value.valueUnstructured{Value:1}", Source: at}}, []string{
			"error wrong-type: .data.a: expected string, got &value.valueUnstructured{Value:1} | write a value of the type that is expected"}},
		{"a key twice", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, []report.Cause{{Message: `yaml: line 3: key "a" already set in map`, Source: at}}, []string{
			`error written-twice: yaml: line 3: key "a" already set in map | keep one of the two`}},
		{"repeated items that the walk did not see", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, []report.Cause{{Field: ".x", Message: "duplicate entries for key [name=\"a\"]"}}, []string{
			`error duplicate-keys: .x: duplicate entries for key [name="a"] | keep one of the items`}},
		{"repeated items that it saw", `{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}, {port: 80}]}}`, []report.Cause{{Field: ".spec.ports", Message: "duplicate entries for key [port=80]"}}, []string{
			`error duplicate-keys: .spec.ports[port=80,protocol="TCP"] is written twice: on a line that is not known and on a line that is not known, where protocol is left out and the default counts | keep one of the two, or give one of them another key`}},
		{"an item without its key", `{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{name: a}]}}`, []report.Cause{{Field: "spec.ports[0].port", Message: "Invalid value: 0"}}, []string{
			"error missing-key: .spec.ports[0] has no port, by which the items of the list are known | write port"}},
		{"an item without its key that the walk did not see", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, []report.Cause{{Field: ".x", Message: "element 0: associative list with keys has an element that omits key field"}}, []string{
			"error missing-key: .x: element 0: associative list with keys has an element that omits key field | write all keys of the item"}},
		{"what validation says", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, []report.Cause{{Field: "data[a b]", Message: "Invalid value", Source: at}, {Message: "something else"}}, []string{
			"error refused: data[a b]: Invalid value", "error refused: something else"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := lintedManifest(t, test.text)
			m.Result = report.Result{Outcome: report.Invalid, Code: 422, Status: &report.Status{}, Causes: test.causes}
			e := Examine(m, writers.Claims{})
			if diff := cmp.Diff(test.want, said(e)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for i, f := range e.Findings {
				if i < len(test.causes) && test.causes[i].Source != nil && f.Source.Line != 7 {
					t.Errorf("at line %d", f.Source.Line)
				}
			}
		})
	}
}

// TestRefusedByClient: a client that sends nothing, and an outcome that is no answer.
func TestRefusedByClient(t *testing.T) {
	m := lintedManifest(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`)
	m.Result = report.Result{Outcome: report.Invalid, Status: &report.Status{Message: "invalid release name\nmore"}}
	want := []string{"error refused: the client refuses it, and sends no request: invalid release name"}
	if diff := cmp.Diff(want, said(Examine(m, writers.Claims{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.Result = report.Result{Outcome: report.Failed}
	if got := said(Examine(m, writers.Claims{})); got != nil {
		t.Errorf("a failed simulation is a finding: %v", got)
	}
}

// TestStored: what the server does not store, spells otherwise or adds to an atomic value.
func TestStored(t *testing.T) {
	const network = "apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web}"
	rules := func(path string) string { return `{` + network + `, spec: {rules: [{host: a` + path + `}]}}` }
	for _, test := range []struct {
		name, manifest, stored string
		accepted               bool
		want                   []string
	}{
		{"as it is", rules(""), rules(""), false, nil},
		{"an item of an atomic list gets a default", rules(""), rules(", http: {paths: []}"), false, []string{
			"note default-in-atomic: .spec.rules is atomic, and the API server adds [0].http | write the defaults into the manifest"}},
		{"a value in an atomic list is spelled otherwise", rules(", weight: 1"), rules(`, weight: 2`), false, []string{
			"note stored-differently: .spec.rules[0].weight: 1 is stored as 2 | write it as it is stored"}},
		{"a value in an atomic list is lost", rules(", odd: 1"), rules(""), false, []string{
			"warning not-stored: .spec.rules[0].odd: 1 is not stored | take it out of the manifest"}},
		{"an atomic list of another length", rules(""), `{` + network + `, spec: {rules: []}}`, false, []string{
			`note stored-differently: .spec.rules: [{"host":"a"}] is stored as [] | write it as it is stored`}},
		{"a zero value that is owned", `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {hostNetwork: false}}`, `{apiVersion: v1, kind: Pod, metadata: {name: web, managedFields: [
			{manager: m, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:hostNetwork": {}}}}]}, spec: {}}`, true, []string{
			"warning not-stored: .spec.hostNetwork: false is not stored | take it out of the manifest"}},
		{"a zero value that nobody owns", `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {hostNetwork: false}}`, `{apiVersion: v1, kind: Pod, metadata: {name: web, managedFields: []}, spec: {}}`, true, nil},
		{"another value is left out, and the answer does not say who owns it", `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: node-1}}`, `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {}}`, false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := lintedManifest(t, test.manifest)
			m.Stored = decoded(t, test.stored)
			if test.accepted {
				m.Result = report.Result{Outcome: report.Created, Object: m.Stored}
			}
			if diff := cmp.Diff(test.want, said(Examine(m, writers.Claims{}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAdmittedValues: what admission or a strategy changes is not the server's spelling.
func TestAdmittedValues(t *testing.T) {
	for reason, want := range map[report.Reason]int{report.ReasonAdmission: 0, report.ReasonStrategy: 0, report.ReasonNormalised: 1, report.ReasonApplied: 1, "": 1} {
		m := lintedManifest(t, `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: a}}`)
		m.Stored = decoded(t, `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: b}}`)
		if reason != "" {
			m.Result.Changes = []report.Change{{Field: ".spec.nodeName", Reason: reason}}
		}
		if got := said(Examine(m, writers.Claims{})); len(got) != want {
			t.Errorf("%q: %v, want %d findings", reason, got, want)
		}
	}
}

// published are the fields of a custom kind by their path.
type published map[string]api.Field

func (p published) Field(path []string) api.Field { return p[strings.Join(path, ".")] }

// TestRespelled: of a custom resource, values that a typed client spells otherwise.
func TestRespelled(t *testing.T) {
	const items = "." + api.Each
	fields := published{
		"spec.size": {
			Format:  "int-or-string",
			Pattern: quantityPattern,
		}, "spec.mode": {Format: "duration"}, "spec.since": {Format: "date-time"},
		"spec.zones" + items: {
			Format: "duration",
		}, "spec.selector" + items: {Format: "duration"}, "spec.replicas": {Format: "int32"},
		"spec.ports" + items + ".waits" + items: {Format: "duration"},
	}
	kind := merging.GadgetType(
		"- {name: name, type: {scalar: string}}",
		"- {name: name, type: {scalar: string}}\n    - {name: waits, type: {map: {elementType: {scalar: string}}}}",
	)
	for value, want := range map[string]string{
		"size: 1000m": `.spec.size: a typed client writes "1" for "1000m" | write "1"`, "size: 1Gi": "", "size: 2": `.spec.size: a typed client writes "2" for 2 | write "2"`,
		"size: nothing": "", "size: 1e1000000000": "", "mode: 60s": `.spec.mode: a typed client writes "1m0s" for "60s" | write "1m0s"`, "mode: 1m0s": "", "mode: soon": "", "mode: 5": "",
		`since: "2026-01-01T01:00:00+01:00"`: `.spec.since: a typed client writes "2026-01-01T00:00:00Z" for "2026-01-01T01:00:00+01:00" | write "2026-01-01T00:00:00Z"`,
		`since: "2026-01-01T00:00:00Z"`:      "", "zones: [60s]": `.spec.zones[="60s"]: a typed client writes "1m0s" for "60s" | write "1m0s"`,
		"selector: {a: 60s}": `.spec.selector.a: a typed client writes "1m0s" for "60s" | write "1m0s"`, "replicas: 1": "",
		"ports: [{port: 1, waits: {a: 60s}}]": `.spec.ports[port=1,protocol="TCP"].waits.a: a typed client writes "1m0s" for "60s" | write "1m0s"`,
	} {
		m := Manifest{
			Object: decoded(
				t,
				"{apiVersion: lab.example.com/v1, kind: Gadget, metadata: {name: g}, spec: {"+value+"}}",
			), Fields: fields,
			Shape: managedfields.ShapeOf(kind), Resets: func(string) bool { return false },
		}
		var all []string
		if want != "" {
			all = []string{"note client-rewrites: " + want}
		}
		if diff := cmp.Diff(all, said(Examine(m, writers.Claims{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
}

// TestKeysOfDefinitions: a key that is required, or has a default, identifies items, and what
// is bounded or atomic is not told.
func TestKeysOfDefinitions(t *testing.T) {
	for _, test := range []struct{ name, property, want string }{
		{"a required key", `{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}`, ""},
		{"a key with a default", `{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, properties: {a: {type: string, default: b}}}}`, ""},
		{"a list of texts", `{type: array, items: {type: string}}`, ""},
		{"an atomic list", `{type: array, x-kubernetes-list-type: atomic, items: {type: object}}`, ""},
		{"a bounded map", `{type: object, maxProperties: 3, additionalProperties: {type: object}}`, ""},
		{"an atomic map", `{type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: object}}`, ""},
		{"a map of objects", `{type: object, additionalProperties: {type: object}}`, "note crd-granular-unbounded: .spec.x of v1 may have any number of objects, each with owners of its own | set maxItems (maxProperties of a map), or make atomic what belongs to one owner"},
		{"a list in an atomic list", `{type: array, x-kubernetes-list-type: atomic, items: {type: object, properties: {a: {type: array, items: {type: object}}, b: {type: object, additionalProperties: {type: object}}}}}`, ""},
		{"a list in an atomic map", `{type: object, x-kubernetes-map-type: atomic, properties: {a: {type: array, items: {type: object}}}}`, ""},
		{"a list in a list", `{type: array, items: {type: object, properties: {a: {type: array, items: {type: object}}}}}`, "warning crd-list-unmarked: .spec.x of v1 is a list of objects without x-kubernetes-list-type | set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, or atomic where the list belongs to one owner"},
		{"a list in a map", `{type: object, maxProperties: 3, additionalProperties: {type: array, items: {type: object}}}`, "warning crd-list-unmarked: .spec.x[*] of v1 is a list of objects without x-kubernetes-list-type | set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, or atomic where the list belongs to one owner"},
	} {
		m := lintedManifest(
			t,
			`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: web}, spec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {status: {type: array, items: {type: object}}, spec: {properties: {x: `+test.property+`}}}}}}]}}`,
		)
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		if diff := cmp.Diff(want, said(Examine(m, writers.Claims{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestListsOfOneCause: lists without list type are one finding a version and likely key.
func TestListsOfOneCause(t *testing.T) {
	list := `{type: array, items: {type: object}}`
	named := `{type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}`
	version := func(name, a, b, c string) string {
		return `{name: ` + name + `, schema: {openAPIV3Schema: {properties: {spec: {type: object, properties: {a: ` + a +
			`, b: ` + b + `, c: ` + c + `}}}}}}`
	}
	m := lintedManifest(t, `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: web},
		spec: {versions: [`+version("v1", list, named, list)+`, `+version("v2", list, list, list)+`]}}`)
	set := " without x-kubernetes-list-type | set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, " +
		"or atomic where the list belongs to one owner"
	want := []string{
		"warning crd-list-unmarked: .spec.a and .spec.c of v1 are lists of objects" + set,
		"warning crd-list-unmarked: .spec.b of v1 is a list of objects" + set + "; name may be the key",
		"warning crd-list-unmarked: .spec.a, .spec.b and .spec.c of v2 are lists of objects" + set,
	}
	if diff := cmp.Diff(want, said(Examine(m, writers.Claims{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFixesAreTried: a fix is advised where the server takes the manifest that follows it.
func TestFixesAreTried(t *testing.T) {
	refused := func(causes ...report.Cause) report.Result {
		return report.Result{Outcome: report.Invalid, Code: 422, Status: &report.Status{Message: "no\nmore"}, Causes: causes}
	}
	unknown := func(field string, nearest ...string) report.Cause {
		return report.Cause{Field: field, Message: "field not declared in schema", Nearest: nearest}
	}
	volume := `{apiVersion: v1, kind: PersistentVolume, metadata: {name: web}, spec: {readOnly: true, nfs: {path: /x}}}`
	spec := func(edited map[string]any, name string) map[string]any {
		of, _ := edited["spec"].(map[string]any)[name].(map[string]any)
		return of
	}
	spelled := `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {` + pod + `, resources: {limits: {cpu: 1000m}}}]}}}}`
	stored := func(m *Manifest) {
		m.Stored = decoded(
			t,
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {`+pod+`, resources: {limits: {cpu: "1"}}}]}}}}`,
		)
	}
	aggregated := `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: web}, aggregationRule: {clusterRoleSelectors: []}, rules: []}`
	for _, test := range []struct {
		name, text string
		change     func(*Manifest)
		want       []string
	}{
		{"a place that is refused", volume, func(m *Manifest) {
			m.Result = refused(unknown(".spec.readOnly", ".spec.csi.readOnly", ".spec.nfs.readOnly"))
			m.Try = func(edited map[string]any) report.Result {
				if spec(edited, "csi") != nil {
					return refused(report.Cause{Field: "spec.csi", Message: "two volumes"})
				}
				return report.Result{Outcome: report.Created}
			}
		}, []string{"error unknown-field: .spec.readOnly does not exist; .spec.nfs.readOnly does | write .spec.nfs.readOnly, or take the field out of the manifest"}},
		{"no place that is taken", volume, func(m *Manifest) {
			m.Result = refused(unknown(".spec.readOnly", ".spec.csi.readOnly"))
			m.Try = func(edited map[string]any) report.Result {
				if spec(edited, "csi") != nil {
					return refused(report.Cause{Field: "spec.csi", Message: "two volumes"})
				}
				return report.Result{Outcome: report.Created}
			}
		}, []string{"error unknown-field: .spec.readOnly does not exist | take the field out of the manifest"}},
		{"one of two mistakes", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}, dta: {a: b}, other: 1}`, func(m *Manifest) {
			m.Result = refused(unknown(".dta", ".data"), unknown(".other"))
			m.Try = func(edited map[string]any) report.Result {
				if edited["other"] != nil {
					return refused(unknown(".other"))
				}
				return report.Result{Outcome: report.Created}
			}
		}, []string{"error unknown-field: .dta does not exist; .data does | write .data, or take the field out of the manifest", "error unknown-field: .other does not exist | take the field out of the manifest"}},
		{"a place that has a value", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}, dta: {a: b}, data: {a: c}}`, func(m *Manifest) {
			m.Result = refused(unknown(".dta", ".data"))
			m.Try = func(map[string]any) report.Result { return report.Result{Outcome: report.Created} }
		}, []string{"error unknown-field: .dta does not exist | take the field out of the manifest"}},
		{"a spelling that is taken", spelled, func(m *Manifest) {
			stored(m)
			m.Try = func(map[string]any) report.Result { return report.Result{Outcome: report.Created} }
		}, []string{`note stored-differently: .spec.template.spec.containers[name="web"].resources.limits.cpu: "1000m" is stored as "1" | write it as it is stored`}},
		{"a spelling that is refused", spelled, func(m *Manifest) {
			stored(m)
			m.Try = func(edited map[string]any) report.Result {
				if text, _ := json.Marshal(edited); strings.Contains(string(text), `"1"`) {
					return refused()
				}
				return report.Result{Outcome: report.Created}
			}
		}, []string{`note stored-differently: .spec.template.spec.containers[name="web"].resources.limits.cpu: "1000m" is stored as "1" | take it out of the manifest`}},
		{"nothing that is taken", spelled, func(m *Manifest) {
			stored(m)
			m.Try = func(map[string]any) report.Result { return refused() }
		}, []string{`note stored-differently: .spec.template.spec.containers[name="web"].resources.limits.cpu: "1000m" is stored as "1"`}},
		{"a version that rejects a field", `{apiVersion: v9, kind: Thing, metadata: {name: web}}`, func(m *Manifest) {
			m.Result, m.ServedAs = report.Result{Outcome: report.Invalid, Code: 404, Status: &report.Status{}}, "v1"
			m.Try = func(map[string]any) report.Result { return refused(unknown(".spec.backend")) }
		}, []string{"error unknown-kind: Thing of v9 is not served | write apiVersion: v1, and change what that version rejects: .spec.backend: field not declared in schema"}},
		{"aggregated rules", aggregated, func(m *Manifest) {
			m.Again = func(edited map[string]any, manager string, wrote map[string]any) report.Result {
				if _, has := edited["rules"]; has || manager != "clusterrole-aggregation-controller" || wrote["rules"] == nil {
					return refused()
				}
				return report.Result{Outcome: report.Configured}
			}
		}, []string{"warning aggregated-rules: the aggregation of ClusterRoles writes .rules, which the manifest sets to [] | take .rules out of the manifest"}},
		{"aggregated, and no rules", strings.Replace(aggregated, ", rules: []", "", 1), nil, nil},
		{"rules of its own", strings.Replace(aggregated, "aggregationRule: {clusterRoleSelectors: []}, ", "", 1), nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := lintedManifest(t, test.text)
			if test.change != nil {
				test.change(&m)
			}
			if diff := cmp.Diff(test.want, said(Examine(m, writers.Claims{}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
