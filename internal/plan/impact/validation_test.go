package impact

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// TestTightened: a schema that accepts less than before is told, and one that accepts as
// much or more is not.
func TestTightened(t *testing.T) {
	for _, test := range []struct{ was, is, want string }{
		{`{}`, `{maxLength: 8}`, `maxLength 8 is new`},
		{`{maxLength: 8}`, `{maxLength: 9}`, ``},
		{`{maxLength: 9}`, `{maxLength: 8}`, `maxLength 8 instead of 9`},
		{`{maximum: 2.5}`, `{maximum: 2}`, `maximum 2 instead of 2.5`},
		{`{maxItems: 3}`, `{}`, ``},
		{`{}`, `{minimum: 1}`, `minimum 1 is new`},
		{`{minimum: 1}`, `{minimum: 0}`, ``},
		{`{}`, `{minimum: 0}`, `minimum 0 is new`},
		{`{}`, `{minimum: -5}`, `minimum -5 is new`},
		{`{minimum: -5}`, `{minimum: -6}`, ``},
		{`{}`, `{minLength: 0}`, ``},
		{`{exclusiveMinimum: false}`, `{exclusiveMinimum: true}`, `exclusiveMinimum true`},
		{`{nullable: true}`, `{}`, `nullable false`},
		{`{}`, `{nullable: true}`, ``},
		{`{pattern: a}`, `{pattern: b}`, `pattern "b" instead of "a"`},
		{`{pattern: a}`, `{}`, ``},
		{`{enum: [a, b]}`, `{enum: [b, c]}`, `enum without "a"`},
		{`{enum: [a]}`, `{enum: [a, b]}`, ``},
		{`{enum: [a]}`, `{}`, ``},
		{`{}`, `{enum: [a]}`, `enum ["a"] is new`},
		{`{x-kubernetes-validations: [{rule: a}]}`, `{x-kubernetes-validations: [{rule: a, message: m}, {rule: b}]}`, `x-kubernetes-validations b is new`},
		{`{}`, `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, ``},
		{`{}`, `{not: {required: [a]}}`, `not {"required":["a"]} is new`},
	} {
		if got := tighter(schemaOf(t, test.was), schemaOf(t, test.is)); got != test.want {
			t.Errorf("from %s to %s: %q, want %q", test.was, test.is, got, test.want)
		}
	}
}

func tighter(was, is map[string]any) string {
	what, _ := tightened(was, is)
	if len(what) == 0 {
		return ""
	}
	return what[0]
}

func schemaOf(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
