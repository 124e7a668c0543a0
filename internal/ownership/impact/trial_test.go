package impact

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// tree reads an object as trees have it: whole numbers are int64.
func tree(t *testing.T, text string) map[string]any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	var out map[string]any
	if err == nil {
		err = json.Unmarshal(asJSON, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// storing is a server of gadgets that answers every write with an object, or an error.
type storing struct {
	*merging.Server
	object map[string]any
	err    error
	asked  []api.Request
}

func (s *storing) Do(_ context.Context, r api.Request) (api.Response, error) {
	s.asked = append(s.asked, r)
	if s.err != nil {
		return api.Response{}, s.err
	}
	text, err := json.Marshal(s.object)
	return api.Response{Code: 200, Body: text, Stored: text}, err
}

// entryOf is a managed fields entry.
func entryOf(manager, operation, apiVersion, fields string) string {
	return "{manager: " + manager + ", operation: " + operation + ", apiVersion: " + apiVersion + ", fieldsType: FieldsV1, fieldsV1: {" + fields + "}}"
}

func gadgetOf(spec string, entries ...string) string {
	return "{apiVersion: lab.example.com/v1, kind: Gadget, metadata: {name: g, namespace: shop, managedFields: [" + strings.Join(
		entries,
		", ",
	) + "]}, spec: {" + spec + "}}"
}

func effectsOf(t *testing.T, live map[string]any, from, to *storing) []string {
	t.Helper()
	o := Object{
		Target: report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Namespace: "shop", Name: "g"}, Live: live,
		New: to, Was: to.Types(merging.GadgetKind), Is: to.Types(merging.GadgetKind), To: merging.GadgetKind,
	}
	if from != nil {
		o.Old = from
	}
	effects, err := Affect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range effects {
		line := e.Rule.Name + ": " + e.Rule.says(e).String()
		if e.Detail != "" {
			line += " (" + e.Detail + ")"
		}
		out = append(out, line)
	}
	return out
}

// TestStoredValues: what the next write leaves out of an object, or fills in, by fields and
// not by items; what the old side does as well is left out.
func TestStoredValues(t *testing.T) {
	for _, test := range []struct {
		name, live, stored, before string
		want                       []string
	}{
		{"nothing", gadgetOf("replicas: 1"), gadgetOf("replicas: 1"), "", nil},
		{"a field is dropped", gadgetOf("replicas: 1, paused: true"), gadgetOf("replicas: 1"), "", []string{"data-pruned: .spec.paused is dropped"}},
		{"a map is dropped", gadgetOf("selector: {a: b}"), gadgetOf(""), "", []string{"data-pruned: .spec.selector is dropped"}},
		{"fields of items are dropped, once for the list", gadgetOf("ports: [{port: 1, name: a}, {port: 2, name: b}]"), gadgetOf("ports: [{port: 1}, {port: 2}]"), "", []string{
			"data-pruned: .spec.ports[*].name is dropped"}},
		{"a key of a map with any keys", gadgetOf("options: {a: 1, b: 2}"), gadgetOf("options: {a: 1}"), "", []string{"data-pruned: .spec.options[*] is dropped"}},
		{"an item is dropped", gadgetOf("zones: [a, b]"), gadgetOf("zones: [a]"), "", []string{"data-pruned: .spec.zones is dropped"}},
		{"a default", gadgetOf(""), gadgetOf("replicas: 3"), "", []string{"object-defaulted: .spec.replicas is filled in (3)"}},
		{"null is no value", gadgetOf("replicas: null"), gadgetOf(""), "", nil},
		{"the old side drops it too", gadgetOf("paused: true, cpu: 1"), gadgetOf(""), gadgetOf("cpu: 1"), []string{"data-pruned: .spec.cpu is dropped"}},
		{"the old side gives another default", gadgetOf(""), gadgetOf("replicas: 3"), gadgetOf("replicas: 2"), nil},
		{"metadata is not of the definition", gadgetOf("replicas: 1"), strings.Replace(gadgetOf("replicas: 1"), "namespace: shop", "namespace: shop, labels: {a: b}", 1), "", nil},
	} {
		to := &storing{Server: gadgets(merging.GadgetType()), object: tree(t, test.stored)}
		var from *storing
		if test.before != "" {
			from = &storing{Server: gadgets(merging.GadgetType()), object: tree(t, test.before)}
		}
		if diff := cmp.Diff(test.want, effectsOf(t, tree(t, test.live), from, to)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestEntries: an entry that the next write drops is lost, one of the scale subresource and
// an empty one are not looked at, and of other versions only that is known.
func TestEntries(t *testing.T) {
	const replicas, all = `"f:spec": {"f:replicas": {}}`, `"f:spec": {"f:options": {"f:a": {}}}`
	for _, test := range []struct {
		name, live, stored string
		want               []string
	}{
		{"kept", gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v1", replicas)), gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v1", replicas)), nil},
		{"dropped", gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v0", replicas)), gadgetOf("replicas: 1"), []string{"entry-lost: the entry of m is dropped (Update at lab.example.com/v0)"}},
		{"an empty one", gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v1", "")), gadgetOf("replicas: 1"), nil},
		{"a field of it is gone", gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v1", replicas)), gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v1", "")), []string{
			"owner-unprotected: m no longer protects what it owns in .spec.replicas"}},
		{"one of another version", gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v0", replicas)), gadgetOf("replicas: 1", entryOf("m", "Update", "lab.example.com/v0", "")), nil},
		{"keys of a map are one place", gadgetOf("options: {a: 1}", entryOf("m", "Update", "lab.example.com/v1", all)), gadgetOf("options: {a: 1}", entryOf("m", "Update", "lab.example.com/v1", "")), []string{
			"owner-unprotected: m no longer protects what it owns in .spec.options[*]"}},
	} {
		to := &storing{Server: gadgets(merging.GadgetType()), object: tree(t, test.stored)}
		if diff := cmp.Diff(test.want, effectsOf(t, tree(t, test.live), nil, to)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestRequests: the next write changes nothing itself, the object is created without what
// only a server sets, and each apply is sent once more as its entry has it.
func TestRequests(t *testing.T) {
	live := tree(
		t,
		gadgetOf(
			"replicas: 1, paused: true",
			entryOf("team", "Apply", "lab.example.com/v1", `"f:spec": {"f:paused": {}}`),
			entryOf("old", "Apply", "lab.example.com/v0", `"f:spec": {}`),
			entryOf("by", "Update", "lab.example.com/v1", `"f:spec": {"f:replicas": {}}`),
		),
	)
	metadata := live["metadata"].(map[string]any)
	metadata["uid"], metadata["resourceVersion"], metadata["generation"], metadata["labels"] = "u", "1", int64(
		2,
	), map[string]any{
		"a": "b",
	}
	to := &storing{Server: gadgets(merging.GadgetType()), object: live}
	effectsOf(t, live, nil, to)
	var got []string
	for _, r := range to.asked {
		got = append(got, string(r.Verb)+" by "+r.Manager+": "+string(r.Body))
	}
	want := []string{
		`apply by ssactl-schema-impact: {"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"annotations":{"ssactl.dev/ssactl-schema-impact":""},"name":"g","namespace":"shop"}}`,
		`create by ssactl-schema-impact: {"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"labels":{"a":"b"},"name":"g","namespace":"shop"},"spec":{"paused":true,"replicas":1}}`,
		`apply by team: {"apiVersion":"lab.example.com/v1","kind":"Gadget","metadata":{"name":"g","namespace":"shop"},"spec":{"paused":true}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if to.asked[1].Live != nil || to.asked[0].Live == nil {
		t.Error("the object is created over a live one, or the next write is over none")
	}
}

// TestUnanswered: a server that gives no answer leaves the object unsimulated; where that is
// the old side, it is said.
func TestUnanswered(t *testing.T) {
	object := tree(t, gadgetOf("replicas: 1"))
	failing := &storing{Server: gadgets(merging.GadgetType()), err: errors.New("no webhook")}
	pruning := &storing{Server: gadgets(merging.GadgetType()), object: tree(t, gadgetOf(""))}
	for _, test := range []struct {
		old, new *storing
		want     string
	}{{nil, failing, "no webhook"}, {failing, pruning, "under the old definition: no webhook"}} {
		o := Object{
			Target: report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Name: "g"},
			Live:   object,
			New:    test.new,
			To:     merging.GadgetKind,
			Was:    pruning.Types(merging.GadgetKind),
			Is:     pruning.Types(merging.GadgetKind),
		}
		if test.old != nil {
			o.Old = test.old
		}
		if _, err := Affect(t.Context(), o); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// TestUnknownVersions: where an entry is at a version that the server does not have, that is
// why every write fails; a failure without one is shown as it is.
func TestUnknownVersions(t *testing.T) {
	failing := func(code int) *merging.Server {
		s := gadgets(merging.GadgetType())
		s.Refuse = func(r api.Request) (api.Response, bool) {
			return api.Response{Code: code, Body: []byte(`{"kind":"Status","message":"cannot convert"}`)}, true
		}
		return s
	}
	for _, test := range []struct {
		name, at string
		code     int
		want     string
	}{
		{"an entry of an unknown version", "lab.example.com/v0", 500, "version-named: the entry of m makes every write fail"},
		{"an entry of the version that is served", "lab.example.com/v1", 500, "write-refused: the object makes every write fail"},
		{"another refusal", "lab.example.com/v0", 403, "write-refused: the object makes every write fail"},
	} {
		s := failing(test.code)
		effects, err := Affect(t.Context(), Object{
			Target: report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Name: "g"}, New: s, To: merging.GadgetKind,
			Live: tree(
				t,
				gadgetOf("replicas: 1", entryOf("m", "Update", test.at, `"f:spec": {}`)),
			), Was: s.Types(merging.GadgetKind), Is: s.Types(merging.GadgetKind),
		})
		if err != nil || len(effects) != 1 ||
			effects[0].Rule.Name+": "+effects[0].Rule.says(effects[0]).String() != test.want {
			t.Errorf("%s: %+v, %v, want %s", test.name, effects, err, test.want)
		}
	}
}

// TestCauseField: a field of a cause is shown without the items of one object.
func TestCauseField(t *testing.T) {
	for field, want := range map[string]string{"": "", "<nil>": "", "spec.ports[0].port": ".spec.ports[*].port", `.spec.ports[name="a"].port`: ".spec.ports[*].port", "metadata.name": ".metadata.name"} {
		if got := causeField(field); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}

// TestGeneral: a path has a place for items and for keys of maps with any keys.
func TestGeneral(t *testing.T) {
	shape := managedfields.ShapeOf(merging.GadgetType())
	for want, path := range map[string]fieldpath.Path{
		".spec.replicas":      fieldpath.MakePathOrDie("spec", "replicas"),
		".spec.options[*]":    fieldpath.MakePathOrDie("spec", "options", "a"),
		".spec.ports[*].port": fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyByFields("port", 1, "protocol", "TCP"), "port"),
	} {
		if got := general(shape, path); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// lines has the paths of a definition, each at a line of its own.
type lines []string

func (l lines) Line(path fieldpath.Path) (report.Source, bool) {
	for i, p := range l {
		if p == path.String() {
			return report.Source{File: "new.yaml", Line: i + 1}, true
		}
	}
	return report.Source{}, false
}

func (l lines) Text(n int) report.Source { return report.Source{Line: n} }

// TestLines: a finding on a field is at the schema of the field in the new definition, at a
// keyword of it, or at the nearest parent.
func TestLines(t *testing.T) {
	k := kindOf(
		t,
		"",
		`{spec: {versions: [{name: v0}, {name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {list: {items: {properties: {a: {type: string, default: b}}}}, map: {additionalProperties: {}}}}}}}}]}}`,
	)
	root := ".spec.versions[1].schema.openAPIV3Schema"
	k.New.Locator = lines{
		root,
		root + ".properties.spec",
		root + ".properties.spec.properties.list.items.properties.a",
		root + ".properties.spec.properties.list.items.properties.a.default",
		root + ".properties.spec.properties.map.additionalProperties",
	}
	s := &subject{Kind: k}
	for _, test := range []struct {
		version, field string
		keywords       []string
		want           int
	}{
		{"v1", "", nil, 1}, {"v1", ".spec", nil, 2}, {"v1", ".spec.list[*].a", nil, 3}, {"v1", ".spec.list[*].a", []string{"pattern", "default"}, 4}, {"v1", ".spec.map[*]", nil, 5},
		{"v1", ".spec.gone", nil, 2}, {"v1", ".spec.list", []string{"default"}, 2},
	} {
		if got := s.lineOf(test.version, test.field, test.keywords...); got == nil || got.Line != test.want {
			t.Errorf("%s%s %v is at %v, want line %d", test.version, test.field, test.keywords, got, test.want)
		}
	}
	if got := s.lineOf("v2", ".spec"); got != nil {
		t.Errorf("a version that is not there is at %v", got)
	}
}

// TestUpdate: the new definition replaces one that is established, at the version at which
// the old one stores.
func TestUpdate(t *testing.T) {
	definition := func(text string) Definition {
		return Definition{Object: tree(t, text), Source: report.Source{File: "crd.yaml"}}
	}
	was := definition(
		`{metadata: {name: widgets.example.com, managedFields: [{}], generation: 4}, spec: {names: {kind: Widget}, versions: [{name: v1}, {name: v2, storage: true}]}}`,
	)
	is := definition(`{metadata: {name: widgets.example.com}, spec: {names: {kind: Other}}, status: {odd: true}}`)
	w := Update(was, is)
	body, _ := w.Decoded.(map[string]any)
	if w.Name != "widgets.example.com" || w.Verb != api.Update || body["status"] != nil || w.Source.File != "crd.yaml" {
		t.Errorf("the write is %+v", w)
	}
	metadata := body["metadata"].(map[string]any)
	if metadata["uid"] == nil || metadata["resourceVersion"] == nil || was.Object["status"] != nil ||
		was.Object["metadata"].(map[string]any)["generation"] == nil {
		t.Errorf("metadata is %v, and the old definition was changed to %v", metadata, was.Object)
	}
	status := w.LiveObject["status"].(map[string]any)
	if diff := cmp.Diff([]any{"v2"}, status["storedVersions"]); diff != "" ||
		!cmp.Equal(status["acceptedNames"], map[string]any{"kind": "Widget"}) {
		t.Errorf("the status is %v (-want +got):\n%s", status, diff)
	}
	if live := w.LiveObject["metadata"].(map[string]any); live["managedFields"] != nil || live["generation"] != nil {
		t.Errorf("the live definition has %v", live)
	}
	if again := Update(definition(`{metadata: {name: w}, status: {storedVersions: [v1]}, spec: {versions: [{name: v2, storage: true}]}}`), is); !cmp.Equal(
		again.LiveObject["status"].(map[string]any)["storedVersions"],
		[]any{"v1"},
	) {
		t.Errorf("stored versions are %v", again.LiveObject["status"])
	}
}
