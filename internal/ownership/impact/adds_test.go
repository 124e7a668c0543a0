package impact

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestOnlyAdds: fields, versions and descriptions are seen to add only, and what takes something away,
// or may, is not.
func TestOnlyAdds(t *testing.T) {
	spec := func(schema, more string) string {
		return `
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: ` + schema + `}}}` + more
	}
	const was = `{type: object, description: a, properties: {a: {type: string}, l: {type: array, items: {type: object, properties: {n: {type: string}}}}, m: {type: object, additionalProperties: {type: object, properties: {x: {type: integer}}}}, o: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`
	const another = `
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object}}`
	for _, test := range []struct {
		name, is, more string
		adds           bool
	}{
		{"the same", was, "", true},
		{"a description", edit(t, was, "description: a", "description: b"), "", true},
		{"a field", edit(t, was, "a: {type: string}", "a: {type: string}, b: {type: string}"), "", true},
		{"a field of items", edit(t, was, "n: {type: string}", "n: {type: string}, p: {type: string}"), "", true},
		{"a field of values", edit(t, was, "x: {type: integer}", "x: {type: integer}, y: {type: integer}"), "", true},
		{"a version", was, another, true},
		{"a default", edit(t, was, "a: {type: string}", "a: {type: string}, b: {type: string, default: c}"), "", false},
		{"a field of what was kept", edit(t, was, "fields: true", "fields: true, properties: {q: {type: string}}"), "", false},
		{"a bound of names", edit(t, was, "a: {type: string}", "a: {type: string}, metadata: {type: object}"), "", false},
		{"another type", edit(t, was, "x: {type: integer}", "x: {type: string}"), "", false},
		{"a bound", edit(t, was, "a: {type: string}", "a: {type: string, maxLength: 3}"), "", false},
		{"a field less", edit(t, was, "a: {type: string}, ", ""), "", false},
		{"a required field", edit(t, was, "description: a", "required: [a]"), "", false},
	} {
		var before, after map[string]any
		for into, text := range map[*map[string]any]string{&before: spec(was, ""), &after: spec(test.is, test.more)} {
			if err := yaml.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		if got := OnlyAdds(before["spec"], after["spec"]); got != test.adds {
			t.Errorf("%s: only adds: %v", test.name, got)
		}
	}
}

func edit(t *testing.T, text, old, with string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("no %q", old)
	}
	return strings.Replace(text, old, with, 1)
}

func TestServesLess(t *testing.T) {
	spec := func(served ...any) any {
		var versions []any
		for i, is := range served {
			versions = append(versions, map[string]any{"name": fmt.Sprint("v", i), "served": is})
		}
		return map[string]any{"versions": versions}
	}
	for _, test := range []struct {
		before, after any
		want          bool
	}{
		{spec(true, false), spec(true, false), false},
		{spec(true), spec(true, true), false},
		{spec(true, true), spec(true), true},
		{spec(true, true), spec(true, false), true},
		{spec(true, false), spec(true), false},
	} {
		if got := ServesLess(test.before, test.after); got != test.want {
			t.Errorf("%v after %v: %v", test.after, test.before, got)
		}
	}
}
