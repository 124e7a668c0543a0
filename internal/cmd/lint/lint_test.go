package lint

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/schema"
)

func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	var out map[string]any
	if err == nil {
		err = json.Unmarshal(asJSON, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lintedManifest is one that the server accepts as it is, of a built-in kind.
func lintedManifest(t *testing.T, text string) Manifest {
	t.Helper()
	types, err := schema.Open(schema.Minors()[len(schema.Minors())-1])
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{
		Object: decoded(t, text),
		Source: report.Source{File: "m.yaml", Line: 1},
		Resets: func(field string) bool { return field == ".status" },
	}
	m.Target.APIVersion, _ = m.Object["apiVersion"].(string)
	m.Target.Kind, _ = m.Object["kind"].(string)
	m.Target.Name = "web"
	p, ok := types.Type(runtimeschema.FromAPIVersionAndKind(m.Target.APIVersion, m.Target.Kind))
	m.Deduced = !ok
	if ok {
		m.Shape = managedfields.ShapeOf(p)
	}
	m.Stored = m.Object
	return m
}

func said(e Examined) []string {
	var out []string
	for _, f := range e.Findings {
		line := string(f.Severity) + " " + f.Rule + ": " + f.Message.String()
		for _, fix := range f.Fixes {
			line += " | " + fix.Does.String()
		}
		out = append(out, line)
	}
	return out
}

const pod = `template: {metadata: {labels: {a: b}}, spec: {containers: [{name: web, image: x`

func TestExamine(t *testing.T) {
	refused := func(code int, message string, causes ...report.Cause) report.Result {
		return report.Result{Outcome: report.Invalid, Code: code, Status: &report.Status{Message: message}, Causes: causes}
	}
	for _, test := range []struct {
		name, text string
		change     func(*Manifest)
		want       []string
	}{
		{"nothing", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}, data: {a: "1"}}`, nil, nil},
		{"what only the server sets", `{apiVersion: v1, kind: Secret, metadata: {name: web, uid: u, managedFields: [{}], annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}, stringData: {a: b}}`, nil, []string{
			"error managed-fields-set: .metadata.managedFields has to be left out of what is applied | take it out of the manifest",
			"warning server-field: .metadata.uid is the API server's to set | take it out of the manifest",
			"warning last-applied-in-manifest: the annotation of a client-side apply is in the manifest | take it out of the manifest",
			"warning string-data: the Secret has .stringData | write the values into .data, in base64"}},
		{"an empty status", `{apiVersion: v1, kind: Pod, metadata: {name: web}, status: {}}`, nil, []string{"warning status-set: .status is empty, and an apply to the object ignores it | take it out of the manifest"}},
		{"a kind that is not served", `{apiVersion: v9, kind: Thing, metadata: {name: web}}`, func(m *Manifest) { m.Result, m.ServedAs = refused(404, "not found"), "v1" }, []string{"error unknown-kind: Thing of v9 is not served | write apiVersion: v1"}},
		{"an unknown field", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, func(m *Manifest) {
			m.Result = refused(500, "", report.Cause{Field: ".dta", Message: "field not declared in schema", Nearest: []string{".data"}}, report.Cause{Field: ".x", Message: "field not declared in schema"})
		}, []string{
			"error unknown-field: .dta does not exist; .data does | write .data, or take the field out of the manifest",
			"error unknown-field: .x does not exist | take the field out of the manifest"}},
		{"refused", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, func(m *Manifest) {
			m.Result = refused(422, "", report.Cause{Field: "metadata.name", Message: "Invalid value"})
		}, []string{"error refused: metadata.name: Invalid value"}},
		{"refused without a cause", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, func(m *Manifest) { m.Result = refused(403, "forbidden\nby policy") }, []string{"error refused: the API server would answer 403: forbidden"}},
		{"items of one key", `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {` + pod + `, ports: [{containerPort: 80}, {containerPort: 80}, {containerPort: 80, protocol: UDP}]}]}}}}`, nil, []string{
			`error duplicate-keys: .spec.template.spec.containers[0].ports[containerPort=80,protocol="TCP"] is written twice: on a line that is not known and on a line that is not known, where protocol is left out and the default counts | keep one of the two, or give one of them another key`,
			`note ports-differ-by-protocol: .spec.template.spec.containers[0].ports: containerPort=80 is on a line that is not known with TCP and on a line that is not known with UDP | apply the manifest server-side only`}},
		{"given twice", `{apiVersion: v1, kind: ConfigMap, metadata: {name: web}}`, func(m *Manifest) { m.First = &report.Source{File: "a.yaml", Line: 3} }, []string{"warning given-twice: the object is given twice: at a.yaml:3 and at m.yaml:1 | keep one of the two, or merge them"}},
		{"another spelling", `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {` + pod + `, resources: {limits: {cpu: 1000m}}}]}}}}`, func(m *Manifest) {
			m.Stored = decoded(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {`+pod+`, resources: {limits: {cpu: "1"}}}]}}}}`)
		}, []string{`note stored-differently: .spec.template.spec.containers[name="web"].resources.limits.cpu: "1000m" is stored as "1" | write it as it is stored`}},
		{"a Secret's value that is not stored", `{apiVersion: v1, kind: Secret, metadata: {name: web}, data: {a: ""}}`, func(m *Manifest) { m.Stored = map[string]any{} }, []string{"warning not-stored: .data.a: the value is not stored | take it out of the manifest"}},
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

func TestDefinition(t *testing.T) {
	m := lintedManifest(
		t,
		`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: web}, spec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: {type: object, properties: {
		plain: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}},
		set: {type: array, x-kubernetes-list-type: set, items: {type: object}},
		keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, properties: {a: {type: string}}}},
		atomic: {type: object, x-kubernetes-map-type: atomic}, other: {type: object}}}}}}}]}}`,
	)
	want := []string{
		"warning crd-list-unmarked: .spec.plain of v1 is a list of objects without x-kubernetes-list-type | set x-kubernetes-list-type: map with x-kubernetes-list-map-keys, or atomic where the list belongs to one owner; name may be the key",
		"warning crd-set-of-objects: .spec.set of v1 is a set of objects | make it a keyed list (x-kubernetes-list-type: map)",
		"warning crd-key-optional: .spec.keyed of v1 is keyed by a, which is neither required nor has a default | make a required, or give it a default",
		"note crd-map-unmarked: .spec.other of v1 has no x-kubernetes-map-type, and atomic has | set x-kubernetes-map-type: granular or atomic",
		"note crd-granular-unbounded: .spec.keyed of v1 may have any number of objects, each with owners of its own | set maxItems (maxProperties of a map), or make atomic what belongs to one owner",
	}
	got := said(Examine(m, writers.Claims{}))
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("not said: %s", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("said: %q", got)
	}
}

// TestInjected: an annotation asks for what the manifest sets too; the client leaves it.
func TestInjected(t *testing.T) {
	m := lintedManifest(
		t,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: web, annotations: {cert-manager.io/inject-ca-from: a/b}},
		webhooks: [{name: w, clientConfig: {caBundle: QQ==}}]}`,
	)
	m.Leave = func(_ fieldpath.Path, to string) []report.ClientFix { return []report.ClientFix{{Kind: to}} }
	e := Examine(m, writers.Claims{})
	want := []string{
		`warning injected-field: an annotation has cert-manager write .webhooks[name="w"].clientConfig.caBundle | remove the field from the manifest; the injector sets it.`,
	}
	if diff := cmp.Diff(want, said(e)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	// An empty value is not stored either, which is not told beside it.
	m.Object["webhooks"].([]any)[0].(map[string]any)["clientConfig"].(map[string]any)["caBundle"] = ""
	m.Stored = decoded(
		t,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, webhooks: [{name: w, clientConfig: {}}]}`,
	)
	want = []string{
		`error injected-field: an annotation has cert-manager write .webhooks[name="w"].clientConfig.caBundle, and each apply of the empty value removes what it wrote: calls to the webhook fail | remove the field from the manifest; the injector sets it.`,
	}
	if diff := cmp.Diff(want, said(Examine(m, writers.Claims{}))); diff != "" {
		t.Errorf("empty (-want +got):\n%s", diff)
	}
	if in := e.Findings[0].InClient; len(in) != 1 || in[0].Kind != "cert-manager-cainjector" {
		t.Errorf("in the client: %+v", in)
	}
}
