package argocd

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/test/applies"
)

const liveService = `
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: team
  managedFields:
  - {manager: mesh, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:ports": {'k:{"port":80,"protocol":"TCP"}': {"f:targetPort": {}}}}}}
spec: {type: ClusterIP, clusterIP: 10.0.0.1, ports: [{port: 80, protocol: TCP, targetPort: 9090}, {port: 443, protocol: TCP}]}
status: {loadBalancer: {}}
`

// TestRespect has rules of ignoreDifferences: the manifest gets the live values of the fields
// that they ignore.
func TestRespect(t *testing.T) {
	const manifest = `{apiVersion: v1, kind: Service, metadata: {name: web, namespace: team}, spec: {type: NodePort, ports: [{port: 80, protocol: TCP, targetPort: 8080}]}}`
	service := func(spec string) string {
		return `{apiVersion: v1, kind: Service, metadata: {name: web, namespace: team}, spec: {` + spec + `}}`
	}
	for _, test := range []struct{ name, rule, want string }{
		{"a pointer", `{kind: Service, jsonPointers: [/spec/type]}`, service(`type: ClusterIP, ports: [{port: 80, protocol: TCP, targetPort: 8080}]`)},
		{"a pointer that the manifest lacks", `{kind: Service, jsonPointers: [/spec/clusterIP]}`, service(`type: NodePort, clusterIP: 10.0.0.1, ports: [{port: 80, protocol: TCP, targetPort: 8080}]`)},
		{"a query", `{kind: Service, jqPathExpressions: [".spec.ports[] | .targetPort"]}`, service(`type: NodePort, ports: [{port: 80, protocol: TCP, targetPort: 9090}]`)},
		{"a query that fails", `{kind: Service, jqPathExpressions: [".spec.type.deeper"]}`, ""},
		{"the fields of a manager", `{kind: Service, managedFieldsManagers: [mesh]}`, service(`type: NodePort, ports: [{port: 80, protocol: TCP, targetPort: 9090}]`)},
		{"of every kind and name", `{group: "*", kind: "*", name: web, jsonPointers: [/spec/type]}`, service(`type: ClusterIP, ports: [{port: 80, protocol: TCP, targetPort: 8080}]`)},
		{"of another name", `{kind: Service, name: other, jsonPointers: [/spec/type]}`, ""},
		{"of another namespace", `{kind: Service, namespace: other, jsonPointers: [/spec/type]}`, ""},
		{"of another group", `{group: apps, kind: Service, jsonPointers: [/spec/type]}`, ""},
		{"a field that is the same", `{kind: Service, jsonPointers: [/metadata/name]}`, ""},
	} {
		rules, err := ignoredDifferences(applies.Object(t, `{spec: {ignoreDifferences: [`+test.rule+`]}}`))
		if err != nil {
			t.Fatal(err)
		}
		a := &argoCD{ignored: rules}
		got := applies.Object(t, manifest)
		changed, unknown := a.respect(got, applies.Object(t, liveService))
		want := test.want
		if want == "" {
			want = manifest
		}
		if diff := cmp.Diff(applies.Object(t, want), got); diff != "" || changed != (test.want != "") || unknown != nil {
			t.Errorf("%s: changed %v, unknown %v (-want +got):\n%s", test.name, changed, unknown, diff)
		}
	}
}

// TestRespectCustom: manifests of custom resources get the values by a JSON merge patch.
func TestRespectCustom(t *testing.T) {
	a := &argoCD{ignored: []ignoredDifference{{group: "*", pointers: []string{"/spec/size"}}}}
	manifest := applies.Object(
		t,
		`{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 1, color: red}}`,
	)
	live := applies.Object(
		t,
		`{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 5, color: blue}}`,
	)
	if changed, _ := a.respect(manifest, live); !changed {
		t.Error("nothing changed")
	}
	want := applies.Object(
		t,
		`{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}, spec: {size: 5, color: red}}`,
	)
	if diff := cmp.Diff(want, manifest); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if changed, _ := a.respect(manifest, nil); changed {
		t.Error("an absent object has live values")
	}
}

// TestIgnoredDifferencesRefused: a query that cannot be read is an error.
func TestIgnoredDifferencesRefused(t *testing.T) {
	for _, query := range []string{".spec[", "unknown(.spec)"} {
		app := applies.Object(t, `{spec: {ignoreDifferences: [{kind: Service, jqPathExpressions: ["`+query+`"]}]}}`)
		if _, err := ignoredDifferences(app); err == nil {
			t.Errorf("%s is read", query)
		}
	}
}

// TestRemoveOwned: items of a list that a manager owns are removed together, and what only
// has them stays.
func TestRemoveOwned(t *testing.T) {
	const live = `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [x/a, x/b, x/c], managedFields: [{manager: mesh, operation: Update, apiVersion: v1, fieldsType: FieldsV1,
		fieldsV1: {"f:metadata": {"f:finalizers": {'v:"x/a"': {}, 'v:"x/b"': {}}}, "f:data": {".": {}, "f:k": {}}}}]}, data: {k: v}}`
	got := applies.Object(
		t,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [x/a, x/b, x/c]}, data: {k: w, own: x}}`,
	)
	ignoredDifference{managers: []string{"mesh"}}.removeOwned(got, applies.Object(t, live))
	want := applies.Object(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [x/c]}, data: {own: x}}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRespectSecret: a query that does not look at values keeps them, and what one that does
// would keep is not known.
func TestRespectSecret(t *testing.T) {
	const live = `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {p: aHVudGVyMg==, q: b2xk}}`
	for _, test := range []struct {
		query, want string
		unknown     bool
	}{
		{`.data.p`, `{p: aHVudGVyMg==, q: bmV3}`, false},
		{`if (.data.p | @base64d) == "hunter2" then .data.p else empty end`, `{p: eA==, q: bmV3}`, true},
	} {
		rules, err := ignoredDifferences(
			map[string]any{
				"spec": map[string]any{
					"ignoreDifferences": []any{map[string]any{"kind": "Secret", "jqPathExpressions": []any{test.query}}},
				},
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		a := &argoCD{ignored: rules, disguise: redact.Disguised}
		manifest := applies.Object(t, `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {p: eA==, q: bmV3}}`)
		_, unknown := a.respect(manifest, applies.Object(t, live))
		if diff := cmp.Diff(applies.Object(t, test.want), manifest["data"]); diff != "" ||
			(len(unknown) > 0) != test.unknown {
			t.Errorf("%s: %v (-want +got):\n%s", test.query, unknown, diff)
		}
	}
}
