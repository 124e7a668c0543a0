package impact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/merging"
)

// gadgets is a server of gadgets of a type.
func gadgets(t typed.ParseableType) *merging.Server {
	s := merging.New()
	s.Custom = map[gvk.GroupVersionKind]typed.ParseableType{merging.GadgetKind: t}
	return s
}

// TestAffect: what a changed definition does to a gadget of two managers.
func TestAffect(t *testing.T) {
	was := gadgets(merging.GadgetType())
	gadget := func(spec string) string {
		return "{apiVersion: lab.example.com/v1, kind: Gadget, metadata: {name: g, namespace: shop}, spec: {" + spec + "}}"
	}
	live := was.Object(
		t,
		merging.Writing{
			Verb:     api.Apply,
			Manager:  "helm",
			Manifest: gadget("replicas: 1, selector: {a: x}, zones: [a], ports: [{port: 80, name: web}]"),
		},
		merging.Writing{Verb: api.Apply, Manager: "team", Manifest: gadget("zones: [b]")},
	)
	var object map[string]any
	if err := json.Unmarshal(live, &object); err != nil {
		t.Fatal(err)
	}
	const selector, zones = "{map: {elementType: {scalar: string}, elementRelationship: atomic}}", "{list: {elementType: {scalar: string}, elementRelationship: associative}}"
	for _, test := range []struct {
		name string
		is   *merging.Server
		want []string
	}{
		{"the same type", gadgets(merging.GadgetType()), nil},
		{"a map becomes granular", gadgets(merging.GadgetType(selector, "{map: {elementType: {scalar: string}}}")), []string{"owner-unprotected: helm no longer protects what it owns in .spec.selector"}},
		{"a set becomes atomic", gadgets(merging.GadgetType(zones, "{list: {elementType: {scalar: string}, elementRelationship: atomic}}")), []string{
			"owner-widened: helm comes to own all of .spec.zones", "owner-widened: team comes to own all of .spec.zones",
			`apply-refused: the next apply of helm is rejected for .spec.zones (conflict with "team")`, `apply-refused: the next apply of team is rejected for .spec.zones (conflict with "helm")`}},
		{"other keys", gadgets(merging.GadgetType("keys: [port, protocol]", "keys: [name]")), []string{
			"owner-unprotected: helm no longer protects what it owns in .spec.ports[*].name", "owner-unprotected: helm no longer protects what it owns in .spec.ports[*].port"}},
		{"every write is refused", refusing(func(api.Request) bool { return true }), []string{"write-refused: .spec.replicas makes every write fail (too few)"}},
		{"the object is refused where it is new", refusing(func(r api.Request) bool { return r.Live == nil }), []string{"object-invalid: .spec.replicas is invalid (too few)"}},
		{"the applies of one", refusing(func(r api.Request) bool { return r.Verb == api.Apply && r.Manager == "team" }), []string{
			"apply-refused: the next apply of team is rejected for .spec.replicas (too few)"}},
	} {
		effects, err := Affect(t.Context(), Object{
			Target: report.Target{APIVersion: "lab.example.com/v1", Kind: "Gadget", Namespace: "shop", Name: "g"}, Live: object,
			Old: was, New: test.is, Was: was.Types(merging.GadgetKind), Is: test.is.Types(merging.GadgetKind), To: merging.GadgetKind,
		})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		var got []string
		for _, e := range effects {
			line := e.Rule.Name + ": " + e.Rule.says(e).String()
			if e.Detail != "" {
				line += " (" + e.Detail + ")"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// refusing is a server of gadgets that refuses some requests.
func refusing(refused func(api.Request) bool) *merging.Server {
	s := gadgets(merging.GadgetType())
	s.Refuse = func(r api.Request) (api.Response, bool) {
		return api.Response{
				Code: 422,
				Body: []byte(`{"kind":"Status","status":"Failure","reason":"Invalid","code":422,"message":"no",
			"details":{"causes":[{"reason":"FieldValueInvalid","field":"spec.replicas","message":"too few"}]}}`),
				Stored: r.Live,
			}, refused(
				r,
			)
	}
	return s
}
