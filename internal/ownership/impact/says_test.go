package impact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

func said(list []report.Finding) []string {
	var out []string
	for _, f := range list {
		line := string(f.Severity) + " " + f.Rule + ": " + f.Message.String()
		for _, fix := range f.Fixes {
			line += " | " + fix.Does.String()
		}
		out = append(out, line)
	}
	return out
}

func kindOf(t *testing.T, was, is string) Kind {
	t.Helper()
	k := Kind{GroupKind: gvk.GroupKind{Group: "example.com", Kind: "Widget"}}
	for side, text := range map[**Definition]string{&k.Old: was, &k.New: is} {
		if text == "" {
			continue
		}
		d := Definition{Source: report.Source{File: "crd.yaml"}}
		if err := yaml.Unmarshal([]byte(text), &d.Object); err != nil {
			t.Fatal(err)
		}
		*side = &d
	}
	return k
}

func TestFields(t *testing.T) {
	one, two := any(int64(1)), any(map[string]any{"a": "b"})
	keyed := func(keys ...string) fields.Field {
		f := fields.Field{Field: ".spec.x", Type: "list", Of: "object", Merge: fields.Keyed}
		for _, k := range keys {
			f.Keys = append(f.Keys, fields.Key{Name: k})
		}
		return f
	}
	list := func(m fields.Merge) fields.Field {
		return fields.Field{Field: ".spec.x", Type: "list", Of: "object", Merge: m}
	}
	value := func(d *any, inside string, required bool) fields.Field {
		return fields.Field{
			Field:    ".spec.x",
			Type:     "string",
			Merge:    fields.Scalar,
			Default:  d,
			Inside:   inside,
			Required: required,
		}
	}
	const afterwards = "have every owner apply its unchanged manifest right after the change, before any other manager writes"
	const alone = "let one manager own the field, and take it out of the manifests of all others"
	parent := func(below ...fields.Field) fields.Field {
		return fields.Field{Field: ".spec", Type: "object", Fields: below}
	}
	for _, test := range []struct {
		name    string
		was, is fields.Field
		want    []string
	}{
		{"the same", keyed("a"), keyed("a"), nil},
		{"other keys", keyed("a"), keyed("a", "b"), []string{"warning list-keys-changed: .spec.x of v1 is a list keyed by a, b, and was a list keyed by a | give every item the new keys before the change, and have every owner apply right after it"}},
		{"atomic", keyed("a"), list(fields.Atomic), []string{"warning becomes-atomic: .spec.x of v1 is atomic, and was a list keyed by a | " + alone}},
		{"granular", list(fields.Atomic), list(fields.Set), []string{"warning becomes-granular: .spec.x of v1 is a set, and was atomic | " + afterwards}},
		{"another list", list(fields.Set), keyed("a"), []string{"warning list-type-changed: .spec.x of v1 is a list keyed by a, and was a set | " + afterwards}},
		{"another type", value(nil, "", false), list(fields.Set), []string{"warning type-changed: .spec.x of v1 is list of object, and was string | change manifests together with the definition"}},
		{"a default", value(nil, "", false), value(&one, "", false), []string{"note default-added: .spec.x of v1 gets the default 1"}},
		{"a default in an atomic field", value(nil, ".spec", false), value(&two, ".spec", false), []string{`warning default-in-atomic: .spec.x of v1 gets the default {"a":"b"}, and is part of .spec, which is atomic | write the default in the manifests`}},
		{"another default", value(&one, "", false), value(&two, "", false), []string{`warning default-changed: .spec.x of v1 has the default {"a":"b"} instead of 1 | write the value that is meant in the manifests`}},
		{"no default", value(&one, "", false), value(nil, "", false), []string{"note default-removed: .spec.x of v1 has no default any more; it was 1 | write the value in the manifests that rely on it"}},
		{"required", value(nil, "", false), value(nil, "", true), []string{"warning validation-tightened: .spec.x of v1 becomes required | write it in all manifests"}},
		{"removed", parent(value(nil, "", false)), parent(), []string{"warning field-removed: .spec.x of v1 is removed | take it out of manifests before the change"}},
		{"another name", parent(value(nil, "", false)), parent(fields.Field{Field: ".spec.xs"}), []string{"warning field-removed: .spec.x of v1 is removed | take it out of manifests before the change; .spec.xs may be meant instead", "note field-added: .spec.xs of v1 is new"}},
		{"new and required", parent(), parent(fields.Field{Field: ".spec.a", Required: true}, fields.Field{Field: ".spec.b"}), []string{"warning validation-tightened: .spec.a of v1 is new and required | write it in all manifests", "note field-added: 2 new fields (v1)"}},
	} {
		s := &subject{Kind: kindOf(t, "{}", "{}")}
		c := comparison{subject: s, version: "v1"}
		c.field(test.was, test.is)
		c.news()
		if diff := cmp.Diff(test.want, said(s.findings())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestVersionsOfOneChange: the same change of several versions is one finding.
func TestVersionsOfOneChange(t *testing.T) {
	s := &subject{Kind: kindOf(t, "{}", "{}")}
	for _, v := range []string{"v1", "v1beta1"} {
		c := comparison{subject: s, version: v}
		c.removed(fields.Field{Field: ".spec.x"}, fields.Field{})
	}
	want := []string{
		"warning field-removed: .spec.x of v1, v1beta1 is removed | take it out of manifests before the change",
	}
	if diff := cmp.Diff(want, said(s.findings())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDefinitions(t *testing.T) {
	old := `{spec: {names: {shortNames: [w, wd]}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]}}`
	for _, test := range []struct {
		name, was, is string
		want          []string
	}{
		{"gone", old, "", []string{"error kind-removed: Widget.example.com is in the old definitions only | keep the definition until the last object is gone, or leave it out of what is pruned"}},
		{"a name", old, `{spec: {names: {shortNames: [w]}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]}}`, []string{"note names-changed: spec.names.shortNames has no wd any more"}},
		{"subresources", old, `{spec: {names: {shortNames: [w, wd]}, versions: [{name: v1, served: true, storage: true, subresources: {scale: {}}}]}}`, []string{
			"warning subresource-changed: the status subresource is removed (v1) | update the controller that writes the status together with the definition",
			"warning subresource-changed: the scale subresource is new (v1) | check the autoscalers that name the kind"}},
		{"storage and conversion", old, `{spec: {conversion: {strategy: Webhook}, names: {shortNames: [w, wd]}, versions: [{name: v1, subresources: {status: {}}}, {name: v2, storage: true}]}}`, []string{
			"note storage-version-changed: objects are stored at v2 instead of v1 | rewrite all objects once (kubectl apply or the storage version migrator) before v1 is removed",
			"warning conversion-changed: versions are converted by a webhook instead of writing another apiVersion | make sure that the webhook answers before objects are written"}},
	} {
		s := &subject{Kind: kindOf(t, test.was, test.is)}
		s.definitions()
		if diff := cmp.Diff(test.want, said(s.findings())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestRejectedDefinition(t *testing.T) {
	k := kindOf(t, "{}", "{}")
	k.Update = &report.Result{Outcome: report.Invalid, Code: 422, Status: &report.Status{Message: "no\nsecond line"}}
	want := []string{"error definition-rejected: the API server would answer 422: no"}
	for range 2 {
		s := &subject{Kind: k}
		s.definitions()
		if diff := cmp.Diff(want, said(s.findings())); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		k.Update.Causes = []report.Cause{{Field: "spec.scope", Message: "may not change"}, {Message: "odd"}}
		want = []string{"error definition-rejected: spec.scope: may not change", "error definition-rejected: odd"}
	}
}

// TestEffects: each effect is one finding, with the number of objects and a few names.
func TestEffects(t *testing.T) {
	effects := []Effect{
		{Rule: Unserved},
		{Rule: versionNamed, Manager: "helm", Detail: "example.com/v0"},
		{Rule: writeRefused, Field: ".spec.x", Detail: "Required value"},
		{Rule: writeRefused},
		{Rule: applyRefused, Manager: "helm", Field: ".spec.x"},
		{Rule: entryLost, Manager: "helm"},
		{Rule: dataPruned, Field: ".spec.x"},
		{Rule: ownerWidened, Manager: "helm", Field: ".spec.x"},
		{Rule: ownerUnprotected, Manager: "helm", Field: ".spec.x"},
		{Rule: applyChanges, Manager: "helm", Field: ".spec.x"},
		{Rule: objectInvalid, Field: ".spec.x"},
		{Rule: objectDefaulted, Field: ".spec.x", Detail: "1"},
	}
	var all Effects
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Add(report.Target{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "shop", Name: name}, effects[:1])
	}
	all.Add(report.Target{APIVersion: "example.com/v1", Kind: "Widget", Name: "a"}, effects[1:])
	const one = ": 1 live object, such as a"
	want := []string{
		"error kind-removed: the kind is no longer served: 4 live objects, such as shop/a, shop/b, shop/c | save the objects first, or keep the definition",
		"error version-named: the entry of helm makes every write fail (example.com/v0)" + one + " | have the manager write at a version that stays, or take its entry out (ssactl clear), before the change",
		"error write-refused: .spec.x makes every write fail (Required value)" + one + " | repair the objects before the change",
		"error write-refused: the object makes every write fail" + one + " | repair the objects before the change",
		"error apply-refused: the next apply of helm is rejected for .spec.x" + one + " | change the manifest together with the definition",
		"error entry-lost: the entry of helm is dropped" + one + " | have the manager apply at a version that stays, before the change",
		"error data-pruned: .spec.x is dropped" + one + " | move the data to a field that stays, before the change",
		"warning owner-widened: helm comes to own all of .spec.x" + one + " | let one manager own the field, and take it out of the manifests of all others",
		"warning owner-unprotected: helm no longer protects what it owns in .spec.x" + one + " | have every owner apply its unchanged manifest right after the change, before any other manager writes",
		"warning apply-changes: the next apply of helm changes .spec.x" + one + " | compare the manifest with what is meant",
		"warning object-invalid: .spec.x is invalid" + one + " | repair the objects, best before the change",
		"note object-defaulted: .spec.x is filled in (1)" + one,
	}
	if diff := cmp.Diff(want, said(all.Of(kindOf(t, "{}", "{}")))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWrittenFindings: the write of a definition has one finding of a rule, the worst first, and none of what only adds.
func TestWrittenFindings(t *testing.T) {
	k := kindOf(t, "{}", "{}")
	object := func(name string) report.Target {
		return report.Target{APIVersion: "example.com/v1", Kind: "Widget", Namespace: "shop", Name: name}
	}
	var all Effects
	pruned := func(field string) Effect { return Effect{Rule: dataPruned, Field: field} }
	all.Add(
		object("a"),
		[]Effect{
			{Rule: objectInvalid, Field: ".spec.x"},
			{Rule: objectDefaulted, Field: ".spec.y"},
			pruned(".spec.a"),
			pruned(".spec.b"),
		},
	)
	all.Add(object("b"), []Effect{pruned(".spec.b"), pruned(".spec.c"), pruned(".spec.d")})
	gone := versionRemoved.On(k.Target(), report.Source{}, text.New("example.com/v0 is no longer there"),
		report.Fix{Does: text.New("write another version")})
	want := []string{
		"error version-removed: example.com/v0 is no longer there | write another version; schema impact shows all that the change does",
		"error data-pruned: .spec.a is dropped: 1 live object, such as shop/a; .spec.b is dropped: 2 live objects, such as shop/a, shop/b; " +
			".spec.c is dropped: 1 live object, such as shop/b; and 1 more | move the data to a field that stays, before the change",
		"warning object-invalid: .spec.x is invalid: 1 live object, such as shop/a | repair the objects, best before the change",
	}
	noted := fieldAdded.On(k.Target(), report.Source{}, text.New("is new"))
	written := all.Written(k, []report.Finding{gone, noted})
	if diff := cmp.Diff(want, said(written)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := written[1].Objects; len(got) != 2 || written[1].Field != "" {
		t.Errorf("it is about %v, field %q", got, written[1].Field)
	}
	all.Pass()
	for at, examined := range [][]report.Finding{nil, {gone}} {
		got := said(all.Written(k, examined))[at]
		if !strings.Contains(got, "and 1 more; only the first 2 of 3 live objects were asked about") {
			t.Errorf("of objects that are not asked about: %s", got)
		}
	}
	if Harmless([]report.Finding{gone}) || !Harmless([]report.Finding{noted}) {
		t.Error("what is gone is harmless, or what is new is not")
	}
}
