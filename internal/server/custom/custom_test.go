package custom

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/exchange"
	"github.com/ssactl/ssactl/internal/server/memory"
)

var (
	widget  = schema.GroupKind{Group: "lab.io", Kind: "Widget"}
	version = func(name, more string) string {
		return `{"name":"` + name + `","served":true,"storage":` + map[bool]string{true: "true", false: "false"}[name == "v1"] + more + `,` +
			`"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{` +
			`"size":{"type":"integer","default":3},"items":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],` +
			`"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}}}}}}}}`
	}
)

// definitionOf is a definition of Widgets, with the versions that are given.
func definitionOf(more string, versions ...string) []byte {
	return []byte(
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.lab.io"},"spec":{"group":"lab.io","scope":"Namespaced",` +
			`"names":{"plural":"widgets","singular":"widget","shortNames":["wd"],"kind":"Widget","listKind":"WidgetList"},"versions":[` + strings.Join(
			versions,
			",",
		) + `]}` + more + `}`,
	)
}

func newResources(more func(schema.GroupKind) [][]byte, crds ...[]byte) *Resources {
	return New(crds, more, admission.NewChainHandler(), authorizerfactory.NewAlwaysAllowAuthorizer())
}

// scopeOf tells definitions of one kind apart: by their scope.
func scopeOf(c *Resources) string {
	crd, ok := c.Of(widget)
	if !ok {
		return ""
	}
	return string(crd.Spec.Scope)
}

// TestOf: of several definitions of a kind the last counts, and those that cannot be read
// define nothing. What others give counts before.
func TestOf(t *testing.T) {
	namespaced := definitionOf("", version("v1", ""))
	cluster := []byte(strings.Replace(string(namespaced), "Namespaced", "Cluster", 1))
	other := []byte(strings.ReplaceAll(string(namespaced), "Widget", "Gadget"))
	broken := []byte(strings.Replace(string(namespaced), `"versions":[`, `"versions":[7,`, 1))
	unclear := []byte(strings.Replace(string(cluster), `"group":"lab.io"`, `"group":"x.io","group":"lab.io"`, 1))
	for _, c := range []struct {
		name string
		crds [][]byte
		more [][]byte
		want string
	}{
		{"nothing", nil, nil, ""},
		{"one", [][]byte{namespaced}, nil, "Namespaced"},
		{"the last", [][]byte{namespaced, cluster}, nil, "Cluster"},
		{"another kind behind it", [][]byte{namespaced, other}, nil, "Namespaced"},
		{"a broken one behind it", [][]byte{namespaced, broken}, nil, "Namespaced"},
		{"only a broken one", [][]byte{broken}, nil, ""},
		{"no definition at all", [][]byte{[]byte(`{"kind":"ConfigMap"}`), nil}, nil, ""},
		{"a group that is said twice", [][]byte{unclear}, nil, "Cluster"},
		{"of others", nil, [][]byte{other, cluster}, "Cluster"},
	} {
		asked := 0
		resources := newResources(func(schema.GroupKind) [][]byte { asked++; return c.more }, c.crds...)
		if got := scopeOf(resources); got != c.want {
			t.Errorf("%s: scope %q, want %q", c.name, got, c.want)
		}
		if scopeOf(resources); asked != 1 {
			t.Errorf("%s: others were asked %d times", c.name, asked)
		}
	}
}

// TestRedefine: a definition that was written replaces the others, and what serves them.
func TestRedefine(t *testing.T) {
	c := newResources(nil, definitionOf("", version("v1", "")))
	kind := widget.WithVersion("v2")
	if c.Resource(kind).Known || !c.Resource(widget.WithVersion("v1")).Known {
		t.Fatal("v2 is known before it is defined")
	}
	before := c.TypeOf(widget.WithVersion("v1"))
	if err := c.Redefine(definitionOf("", version("v1", ""), version("v2", ""))); err != nil {
		t.Fatal(err)
	}
	if !c.Resource(kind).Known {
		t.Error("v2 is not known")
	}
	if after := c.TypeOf(widget.WithVersion("v1")); after.Schema == before.Schema {
		t.Error("the old definition is still served")
	}
	if err := c.Redefine([]byte(`{}`)); err == nil {
		t.Error("what is no definition was taken for one")
	}
}

// TestAll: all kinds that are defined, those that were asked about included, and none that
// nothing defines.
func TestAll(t *testing.T) {
	given := definitionOf("", version("v1", ""))
	unclear := []byte(
		strings.ReplaceAll(
			strings.Replace(string(given), `"group":"lab.io"`, `"group":"x.io","group":"lab.io"`, 1),
			"Widget",
			"Gadget",
		),
	)
	c := newResources(nil, given, unclear)
	c.Of(schema.GroupKind{Group: "lab.io", Kind: "Nothing"})
	var kinds []string
	for kind := range c.All() {
		kinds = append(kinds, kind.Kind)
	}
	slices.Sort(kinds)
	if diff := cmp.Diff([]string{"Gadget", "Widget"}, kinds); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestResource: how a kind is served at a version, and why not.
func TestResource(t *testing.T) {
	refused := `,"status":{"conditions":[{"type":"NamesAccepted","status":"False","message":"\"widgets\" is already in use"}]}`
	accepted := `,"status":{"conditions":[{"type":"NamesAccepted","status":"True"}]}`
	scaled := version(
		"v1",
		`,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size"}}`,
	)
	names := []string{"widget", "wd"}
	for _, c := range []struct {
		name, version string
		crds          [][]byte
		want          api.Resource
	}{
		{"undefined", "v1", nil, api.Resource{Resource: "widgets", Namespaced: true}},
		{"defined", "v1", [][]byte{definitionOf("", version("v1", ""))},
			api.Resource{Known: true, Custom: true, Resource: "widgets", Names: names, Namespaced: true}},
		{"another version", "v2", [][]byte{definitionOf("", version("v1", ""))},
			api.Resource{Custom: true, Resource: "widgets", Names: names, Namespaced: true}},
		{"subresources", "v1", [][]byte{definitionOf("", scaled)},
			api.Resource{Known: true, Custom: true, Resource: "widgets", Names: names, Namespaced: true, Subresources: []string{"scale", "status"}}},
		{"refused names", "v1", [][]byte{definitionOf(refused, version("v1", ""))},
			api.Resource{Custom: true, Resource: "widgets", Names: names, Namespaced: true,
				Unestablished: `CustomResourceDefinition "widgets.lab.io" is not established: "widgets" is already in use`}},
		{"accepted names", "v1", [][]byte{definitionOf(accepted, version("v1", ""))},
			api.Resource{Known: true, Custom: true, Resource: "widgets", Names: names, Namespaced: true}},
	} {
		if diff := cmp.Diff(c.want, newResources(nil, c.crds...).Resource(widget.WithVersion(c.version))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestTypeOf: the merge type is that of the schema, and deduced without one.
func TestTypeOf(t *testing.T) {
	defined := newResources(nil, definitionOf("", version("v1", "")))
	shape := managedfields.ShapeOf(defined.TypeOf(widget.WithVersion("v1")).ParseableType)
	if got := shape.Field("spec").Field("items").Keys(); !slices.Equal(got, []string{"name"}) {
		t.Errorf("keys of the list: %v", got)
	}
	for name, c := range map[string]struct {
		kind    schema.GroupVersionKind
		deduced bool
	}{
		"defined":            {widget.WithVersion("v1"), false},
		"an unserved one":    {widget.WithVersion("v7"), true},
		"undefined":          {schema.GroupVersionKind{Group: "lab.io", Version: "v1", Kind: "Gadget"}, true},
		"that none can have": {schema.GroupVersionKind{Group: "lab", Version: "v1", Kind: "Gadget"}, true},
	} {
		if got := defined.TypeOf(c.kind); got.Deduced != c.deduced {
			t.Errorf("%s: deduced %t", name, got.Deduced)
		}
	}
}

// TestDefinable: which names a definition may have, and which any server may serve.
func TestDefinable(t *testing.T) {
	for _, c := range []struct {
		group, version, kind string
		definable, nameable  bool
	}{
		{"lab.io", "v1", "Widget", true, true},
		{"lab", "v1", "Widget", false, true},
		{"", "v1", "Widget", false, false},
		{"Lab.io", "v1", "Widget", false, false},
		{"lab.io", "1", "Widget", false, false},
		{"lab.io", "v1", "Wid get", false, true},
	} {
		kind := schema.GroupVersionKind{Group: c.group, Version: c.version, Kind: c.kind}
		if got := definable(kind); got != c.definable {
			t.Errorf("%s is definable: %t", kind, got)
		}
		if got := NameableVersion(kind.GroupVersion()); got != c.nameable {
			t.Errorf("%s is nameable: %t", kind.GroupVersion(), got)
		}
	}
	c := newResources(nil, definitionOf("", version("v1", "")))
	lacked := schema.GroupVersionKind{Group: "lab.io", Version: "v1", Kind: "Gadget"}
	if !c.MayServe(widget.WithVersion("v1")) || !c.MayServe(lacked) {
		t.Error("a kind that is or may be defined is not served")
	}
	if c.Lacks.Insert(lacked.GroupKind()); c.MayServe(lacked) {
		t.Error("a kind that nothing defines for certain is served")
	}
}

// TestStoredDefinition: a definition of any version is stored at v1, with defaults, and one
// with names that no server accepts is refused.
func TestStoredDefinition(t *testing.T) {
	stored, err := StoredDefinition(definitionOf("", version("v1", "")))
	if err != nil {
		t.Fatal(err)
	}
	conversion, _ := stored["spec"].(map[string]any)["conversion"].(map[string]any)
	if stored["apiVersion"] != "apiextensions.k8s.io/v1" || conversion["strategy"] != "None" {
		t.Errorf("%s, conversion %v", stored["apiVersion"], conversion)
	}
	old := []byte(
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.lab.io"},` +
			`"spec":{"group":"lab.io","version":"v1","names":{"plural":"widgets","kind":"Widget"}}}`,
	)
	if stored, err = StoredDefinition(old); err != nil {
		t.Fatal(err)
	}
	spec := stored["spec"].(map[string]any)
	if spec["scope"] != "Namespaced" || spec["names"].(map[string]any)["listKind"] != "WidgetList" ||
		len(spec["versions"].([]any)) != 1 {
		t.Errorf("of v1beta1: %v", spec)
	}
	for text, want := range map[string]string{
		strings.ReplaceAll(string(definitionOf("", version("v1", ""))), "lab.io", "lab"): `no server accepts a definition of "lab/v1, Kind=Widget"`,
		`{"apiVersion":"v1","kind":"ConfigMap"}`:                                         "read CustomResourceDefinition: ",
		`{`:                                                                              "read CustomResourceDefinition: ",
	} {
		if err := CheckDefinition([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
}

// TestServedAt: only the version of the call is served, but where it is deprecated. Where a
// webhook converts, that version is the stored one. The definition itself stays as it is.
func TestServedAt(t *testing.T) {
	states := func(crd *apiextensionsv1.CustomResourceDefinition) string {
		var out []string
		for _, v := range crd.Spec.Versions {
			state := v.Name
			if v.Served {
				state += " served"
			}
			if v.Storage {
				state += " stored"
			}
			out = append(out, state)
		}
		return strings.Join(out, ", ")
	}
	webhook := strings.Replace(
		string(definitionOf("", version("v1", ""), version("v2", ""))),
		`"scope"`,
		`"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://x.io"}}},"scope"`,
		1,
	)
	for _, c := range []struct {
		name    string
		crd     []byte
		version string
		want    string
	}{
		{"one version", definitionOf("", version("v1", "")), "v1", "v1 served stored"},
		{"the stored one", definitionOf("", version("v1", ""), version("v2", "")), "v1", "v1 served stored, v2"},
		{"another one", definitionOf("", version("v1", ""), version("v2", "")), "v2", "v1 stored, v2 served"},
		{"a deprecated one", definitionOf("", version("v1", `,"deprecated":true`), version("v2", "")), "v1", "v1 served stored, v2 served"},
		{"one that is not there", definitionOf("", version("v1", ""), version("v2", "")), "v3", "v1 served stored, v2 served"},
		{"by webhook", []byte(webhook), "v2", "v1, v2 served stored"},
		{"a deprecated one, by webhook", []byte(strings.Replace(webhook, `"name":"v2","served":true`, `"name":"v2","served":true,"deprecated":true`, 1)), "v2", "v1 served, v2 served stored"},
	} {
		crd, err := decodeDefinition(c.crd)
		if err != nil {
			t.Fatal(err)
		}
		before := states(crd)
		at := servedAt(crd, c.version)
		if got := states(at); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := states(crd); got != before {
			t.Errorf("%s: the definition was %s, and is %s", c.name, before, got)
		}
		if at.Spec.Conversion.Webhook != nil && at.Spec.Conversion.Webhook.ClientConfig.URL != nil {
			t.Errorf("%s: the webhook may be called", c.name)
		}
	}
}

// TestUndefined: an undefined kind has the scope of the call, and the subresources that it
// or the live object shows. Definitions that serve differently have other uids.
func TestUndefined(t *testing.T) {
	kind := schema.GroupVersionKind{Group: "lab.io", Version: "v1", Kind: "Policy"}
	live := []byte(`{"metadata":{"managedFields":[{"subresource":"status"},{"manager":"x"}]}}`)
	uids := map[string]string{}
	for _, c := range []struct {
		name  string
		call  api.Request
		scope string
		below []string
	}{
		{"of the cluster", api.Request{Kind: kind}, "Cluster", nil},
		{"in a namespace", api.Request{Kind: kind, Namespace: "a"}, "Namespaced", nil},
		{"with a status", api.Request{Kind: kind, Namespace: "a", Live: live}, "Namespaced", []string{"status"}},
		{"to its scale", api.Request{Kind: kind, Namespace: "a", Subresource: "scale", Live: live}, "Namespaced", []string{"scale", "status"}},
	} {
		crd := undefined(c.call)
		if string(crd.Spec.Scope) != c.scope || crd.Name != "policies.lab.io" {
			t.Errorf("%s: %s %s", c.name, crd.Name, crd.Spec.Scope)
		}
		if diff := cmp.Diff(c.below, subresourcesOf(&crd.Spec.Versions[0])); diff != "" {
			t.Errorf("%s: subresources (-want +got)\n%s", c.name, diff)
		}
		if other, taken := uids[string(crd.UID)]; taken {
			t.Errorf("%s is served as %s", c.name, other)
		}
		uids[string(crd.UID)] = c.name
	}
}

// TestRoute: a call goes to the server's own handler: defaults are set, what the schema has
// no field for is dropped, and an undefined kind is stored as it is.
func TestRoute(t *testing.T) {
	body := `{"apiVersion":"lab.io/v1","kind":"Widget","metadata":{"name":"w","namespace":"a"},"spec":{"unknown":1}}`
	for _, c := range []struct {
		name string
		crds [][]byte
		body string
		code int
		spec map[string]any
	}{
		{"defined", [][]byte{definitionOf("", version("v1", ""))}, body, http.StatusCreated, map[string]any{"size": 3.0}},
		{"undefined", nil, body, http.StatusCreated, map[string]any{"unknown": 1.0}},
		{"of the wrong type", [][]byte{definitionOf("", version("v1", ""))}, strings.Replace(body, `"unknown":1`, `"size":"x"`, 1), http.StatusUnprocessableEntity, nil},
	} {
		call := api.Request{
			Verb:      api.Create,
			Kind:      widget.WithVersion("v1"),
			Namespace: "a",
			Name:      "w",
			Manager:   "m",
			Body:      []byte(c.body),
		}
		target, err := newResources(nil, c.crds...).Route(call)
		if err != nil {
			t.Fatal(err)
		}
		tx := memory.NewTransaction(target.GVR.GroupResource(), nil)
		reply, err := exchange.Send(memory.WithTransaction(context.Background(), tx), call, target.GVR, nil, target.Handler)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ Spec map[string]any }
		if err := json.Unmarshal(reply.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if reply.Code != c.code || !cmp.Equal(answer.Spec, c.spec) {
			t.Errorf("%s: %d %v", c.name, reply.Code, answer.Spec)
		}
		stored, err := tx.Stored()
		if err != nil || (stored != nil) != (c.spec != nil) {
			t.Errorf("%s: stored %v, %v", c.name, stored, err)
		}
		if stored != nil {
			if text, err := target.Encode(stored); err != nil || !strings.Contains(string(text), `"apiVersion":"lab.io/v1"`) {
				t.Errorf("%s: %s, %v", c.name, text, err)
			}
		}
	}
}

// TestHeavyPatterns: a definition with a pattern that takes gigabytes to be matched is not
// served, wherever in the schema it is.
func TestHeavyPatterns(t *testing.T) {
	heavy := `{"type":"string","pattern":"` + strings.Repeat("(a|b)*", 50_000) + `"}`
	rule := `{"type":"string","x-kubernetes-validations":[{"rule":"self.matches('` + strings.Repeat(
		"(a|b)*",
		16_000,
	) + `')"}]}`
	for name, schema := range map[string]string{
		"property": `{"type":"object","properties":{"a":` + heavy + `}}`, "item": `{"type":"object","properties":{"a":{"type":"array","items":` + heavy + `}}}`,
		"additional": `{"type":"object","additionalProperties":` + heavy + `}`, "rule": `{"type":"object","properties":{"a":` + rule + `}}`,
		"any": `{"type":"object","properties":{"a":{"type":"string","anyOf":[{},` + strings.Replace(heavy, `"type":"string",`, "", 1) + `]}}}`,
	} {
		text := definitionOf("", `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":`+schema+`}}`)
		if err := CheckDefinition(text); err == nil || !strings.Contains(err.Error(), "too many groups") ||
			len(err.Error()) > 300 {
			t.Errorf("%s: %.300v", name, err)
		}
	}
	if err := CheckDefinition(definitionOf("", strings.Replace(version("v1", ""), `"type":"string"`, `"type":"string","pattern":"^(a|b)+(-(c|d))*$"`, 1))); err != nil {
		t.Error(err)
	}
}
