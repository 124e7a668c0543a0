package rules_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/schema"
)

// scripted is a server that serves the built-in kinds, and answers trial
// applies as told.
type scripted struct {
	types   *schema.Set
	fate    rules.Effect
	reapply report.Result
	claims  writers.Claims
}

func (s scripted) Serves(kind runtimeschema.GroupVersionKind) bool {
	_, ok := s.types.Type(kind)
	return ok
}

func (s scripted) Effect(rules.Object, int) rules.Effect { return s.fate }

func (s scripted) Reapply(rules.Object, []byte) report.Result { return s.reapply }

// claim notes what an object has written to others.
func (s scripted) claim(o rules.Object) {
	s.claims.Add(
		runtimeschema.FromAPIVersionAndKind(o.Target.APIVersion, o.Target.Kind).GroupKind(),
		o.Target.Namespace,
		o.Live,
	)
}

func (s scripted) Scaler(t report.Target) string { return s.claims.Scaler(t) }

func (s scripted) Leave(rules.Object, managedfields.Entry, fieldpath.Path) []report.ClientFix {
	return nil
}

func newScripted(t testing.TB) scripted {
	t.Helper()
	types, err := schema.Open(schema.Minors()[len(schema.Minors())-1])
	if err != nil {
		t.Fatal(err)
	}
	return scripted{types: types, fate: rules.Dropped, claims: writers.Claims{}}
}

// object reads a live object of a built-in kind.
func (s scripted) object(t testing.TB, text string) rules.Object {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	var live map[string]any
	if err := json.Unmarshal(asJSON, &live); err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return s.of(live)
}

// of is a decoded object with what the schema knows of it.
func (s scripted) of(live map[string]any) rules.Object {
	metadata, _ := live["metadata"].(map[string]any)
	o := rules.Object{Live: live, Source: report.Source{File: "dump.yaml", Document: 1, Line: 1}}
	o.Target.APIVersion, _ = live["apiVersion"].(string)
	o.Target.Kind, _ = live["kind"].(string)
	o.Target.Namespace, _ = metadata["namespace"].(string)
	o.Target.Name, _ = metadata["name"].(string)
	o.Deduced = true
	if p, ok := s.types.Type(runtimeschema.FromAPIVersionAndKind(o.Target.APIVersion, o.Target.Kind)); ok {
		o.Shape, o.Deduced = managedfields.ShapeOf(p), false
	}
	return o
}

// Client-side apply merges ports of built-in kinds by less than all of their keys, and
// replaces the lists of custom ones.
func TestPortsOfCustomKinds(t *testing.T) {
	s := newScripted(t)
	o := s.object(t, `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop},
		spec: {ports: [{port: 53, protocol: UDP, targetPort: 53}, {port: 53, protocol: TCP, targetPort: 53}]}}`)
	for custom, want := range map[bool]int{false: 1, true: 0} {
		o.Custom = custom
		got := 0
		for _, f := range conclude(t, s, o).Findings {
			if f.Rule == "ports-differ-by-protocol" {
				got++
			}
		}
		if got != want {
			t.Errorf("custom %v: %d findings of ports, want %d", custom, got, want)
		}
	}
}

var testClock = rules.Clock{Now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), StaleAfter: 180 * 24 * time.Hour}

// lines are findings in short, with what they say.
func lines(list []report.Finding) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message))
	}
	return out
}

func conclude(t testing.TB, server scripted, objects ...rules.Object) finding.Report {
	t.Helper()
	for _, o := range objects {
		server.claim(o)
	}
	defer clear(server.claims)
	run := rules.Run{Settings: rules.Settings{Clock: testClock}}
	for _, o := range objects {
		run.Examined = append(run.Examined, rules.Examine(o, server, run.Settings))
	}
	return rules.Conclude(run)
}

const template = `selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1", `

func TestRules(t *testing.T) {
	for _, test := range []struct {
		name, live string
		want       []string
	}{{
		name: "an object with one applier and a controller is fine",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: helm, operation: Apply, apiVersion: apps/v1, time: "2019-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}},
			{manager: kube-controller-manager, operation: Update, apiVersion: apps/v1, subresource: status, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:replicas": {}}}}]},
			spec: {replicas: 1, ` + template + `}]}}}, status: {replicas: 1}}`,
		want: []string{},
	}, {
		name: "a client-side entry stays beside its heir, with an item that was dropped before",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: argocd-controller, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}, "f:b": {}}}},
			{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {".": {}, "f:a": {}, "f:old": {}}}}]},
			data: {a: "1", b: "1", old: "1"}}`,
		want: []string{
			"warning stays-when-dropped: argocd-controller applies .data.a, and kubectl-client-side-apply (Update) owns it too: dropped from the manifest, it stays",
			"warning left-over-field: kubectl-client-side-apply (Update) alone owns .data.old, next to what argocd-controller applies: no apply removes it",
		},
	}, {
		name: "one who applies a little beside a tool took nothing over",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: reloader, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:reloaded": {}}}},
			{manager: helm, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {".": {}, "f:a": {}}}}]},
			data: {a: "1", reloaded: "1"}}`,
		want: []string{},
	}, {
		name: "an unknown updater may be a controller",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
			{manager: injector, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}}]},
			data: {a: "1"}}`,
		want: []string{},
	}, {
		name: "what a person added is a note",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: flux, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
			{manager: kubectl-edit, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}, "f:hand": {}}}}]},
			data: {a: "1", hand: "1"}}`,
		want: []string{
			"warning stays-when-dropped: flux applies .data.a, and kubectl-edit (Update) owns it too: dropped from the manifest, it stays",
			"note left-over-field: kubectl-edit (Update) alone owns .data.hand, next to what flux applies: no apply removes it",
		},
	}, {
		name: "what a person changed in what a tool manages",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: helm, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"web"}': {".": {}, "f:name": {}}}}}}}},
			{manager: kubectl, operation: Update, subresource: scale, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}},
			{manager: kubectl-rollout, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:template": {"f:metadata": {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/restartedAt": {}}}}}}},
			{manager: kubectl-edit, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:template": {"f:spec": {"f:containers": {'k:{"name":"web"}': {"f:image": {}}}}}}}}]},
			spec: {replicas: 1, ` + template + `}]}}}}`,
		want: []string{
			"note changed-by-hand: kubectl (Update of scale) alone owns .spec.replicas of what helm manages",
			"note changed-by-hand: kubectl-edit (Update) alone owns .spec.template.spec.containers[name=\"web\"].image of what helm manages",
			"note owned-field-missing: kubectl-rollout (Update) owns .spec.template.metadata.annotations, but the object has no such field",
		},
	}, {
		name: "one name under both operations",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: kubectl, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
			{manager: kubectl, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
			{manager: other, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:b": {}}}},
			{manager: other, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:c": {}}}}]},
			data: {a: "1", b: "1", c: "1"}}`,
		want: []string{
			"warning applies-and-updates: kubectl owns .data.a both by Apply and by Update",
			"note applies-and-updates: other has an Update entry next to its Apply entry: an apply that sets .data.c to another value conflicts with itself",
		},
	}, {
		name: "the scale subresource is another role",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: kubectl, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}},
			{manager: kubectl, operation: Update, subresource: scale, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}]},
			spec: {replicas: 1, ` + template + `}]}}}}`,
		want: []string{},
	}, {
		name: "managers that the server makes up",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: before-first-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},
			{manager: ancient-changes, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:b": {}}}},
			{manager: m, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}, "f:b": {}}}}]},
			data: {a: "1", b: "1"}}`,
		want: []string{
			"warning before-first-apply: before-first-apply owns 1 field: no client writes under this name",
			"note ancient-changes: ancient-changes owns 1 field: the names of their managers are lost",
		},
	}, {
		name: "entries that cannot be read",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, managedFields: [
			{manager: m, operation: Patch, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}}, text]}, data: {a: "1"}}`,
		want: []string{`error managed-fields-unreadable: managedFields cannot be read: entry 1 (m): operation is "Patch", not Apply or Update; entry 2: not an object`},
	}, {
		name: "owned though the object does not have it",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: helm, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:template": {"f:spec": {"f:hostNetwork": {}, "f:containers": {'k:{"name":"gone"}': {".": {}, "f:name": {}}}}}}}},
			{manager: old, operation: Update, apiVersion: apps/v2, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:elsewhere": {}}}}]},
			spec: {replicas: 1, ` + template + `}]}}}}`,
		want: []string{
			"warning entry-version-removed: the entry of old (Update) is at apps/v2, which is not served: the API server drops it with its 1 field",
			`note owned-field-missing: helm (Apply) owns .spec.template.spec.containers[name="gone"] and .spec.template.spec.hostNetwork, but the object has no such fields`,
		},
	}, {
		name: "a dump that was stripped of the status",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: kube-controller-manager, operation: Update, subresource: status, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:replicas": {}}}}]}, spec: {replicas: 1}}`,
		want: []string{},
	}, {
		name: "a Secret's stringData",
		live: `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop, managedFields: [
			{manager: app, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:stringData": {"f:pass": {}}, "f:data": {"v:\"hunter2\"": {}}}}]}, data: {pass: aHVudGVyMg==}}`,
		want: []string{
			"warning string-data-owned: app (Apply) owns .stringData.pass, which the API server keeps in .data",
			"note owned-field-missing: app (Apply) owns .data[=***], but the object has no such field",
		},
	}, {
		name: "a Secret in the annotation, of another object",
		live: `{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"kind":"Secret","metadata":{"name":"other"},"stringData":{"a":"hunter2","b":""}}'}, managedFields: [
			{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}}]}, data: {a: aHVudGVyMg==}}`,
		want: []string{
			"warning last-applied-leaks-secret: the last-applied annotation holds the values of 1 key of this Secret",
			"warning last-applied-of-other-object: the last-applied annotation is of the Secret other",
		},
	}, {
		name: "an annotation that is cut",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"kind":"ConfigMap","metada'}, managedFields: [
			{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}]}}`,
		want: []string{"warning last-applied-unreadable: the last-applied annotation cannot be read: unexpected end of JSON input"},
	}, {
		name: "an annotation at a removed version",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v0","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"2"}}'}, managedFields: [
			{manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}]}, data: {a: "1"}}`,
		want: []string{"warning last-applied-version-removed: the last-applied annotation is at v0, which is not served"},
	}, {
		name: "an annotation at the object's version, which is removed",
		live: `{apiVersion: extensions/v1beta1, kind: Ingress, metadata: {name: i, namespace: shop, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"extensions/v1beta1","kind":"Ingress","metadata":{"name":"i"}}'}, managedFields: [
			{manager: a, operation: Update, apiVersion: extensions/v1beta1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:rules": {}}}}]}}`,
		want: []string{"warning object-version-removed: Ingress is not served as extensions/v1beta1, but as networking.k8s.io/v1"},
	}, {
		name: "repeated keys, and ports of two protocols under client-side apply",
		live: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, managedFields: [
			{manager: kubectl-client-side-apply, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:replicas": {}}}}]},
			spec: {replicas: 1, ` + template + `env: [{name: A, value: "1"}, {name: A, value: "2"}], ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53}]}]}}}}`,
		want: []string{
			`warning duplicate-keys: .spec.template.spec.containers[name="web"].env has several items with one key: .spec.template.spec.containers[name="web"].env[name="A"]`,
			`warning ports-differ-by-protocol: .spec.template.spec.containers[name="web"].ports has ports that differ by their protocol only, and kubectl-client-side-apply (Update) writes the object client-side`,
		},
	}, {
		name: "an atomic map that two apply",
		live: `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop, managedFields: [
			{manager: a, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:selector": {}, "f:type": {}}}},
			{manager: b, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:selector": {}, "f:type": {}}}}]},
			spec: {type: ClusterIP, selector: {app: s}}}`,
		want: []string{"warning atomic-shared: .spec.selector is one field, applied by a and b"},
	}, {
		name: "a claim of atomic times on a granular map",
		live: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop, annotations: {a: "1"}, managedFields: [
			{manager: a, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {}, "f:metadata": {"f:annotations": {}}}},
			{manager: b, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:binaryData": {}}},
			{manager: c, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:binaryData": {"f:k": {}}}}]}, data: {k: v}, binaryData: {k: eA==}}`,
		want: []string{"warning claim-protects-nothing: a (Apply) owns .data as a whole, but what is in it has no owner"},
	}, {
		name: "an object at a removed version",
		live: `{apiVersion: extensions/v1beta1, kind: Ingress, metadata: {name: i, namespace: shop, managedFields: [
			{manager: a, operation: Apply, apiVersion: extensions/v1beta1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:rules": {}}}}]}}`,
		want: []string{"warning object-version-removed: Ingress is not served as extensions/v1beta1, but as networking.k8s.io/v1"},
	}} {
		t.Run(test.name, func(t *testing.T) {
			server := newScripted(t)
			doc := conclude(t, server, server.object(t, test.live))
			if diff := cmp.Diff(test.want, lines(doc.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyUpdates(t *testing.T) {
	server := newScripted(t)
	text := `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, managedFields: [`
	for i := range 10 {
		text += fmt.Sprintf(
			`{manager: m%d, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:a": {}}}},`,
			i,
		)
	}
	doc := conclude(t, server, server.object(t, text+`]}, data: {a: "1"}}`))
	want := []string{
		"note many-update-entries: 10 of at most 10 Update entries are taken: with the next new manager that updates the object, the two oldest are folded into one",
	}
	if diff := cmp.Diff(want, lines(doc.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
