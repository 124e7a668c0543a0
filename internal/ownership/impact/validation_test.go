package impact

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/text"
)

// TestTightened: a schema that accepts less than before is reported; one that accepts as
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
		{`{enum: [a, b, d]}`, `{enum: [b, c]}`, `enum without "a", "d"`},
		{`{enum: [a]}`, `{enum: [a, b]}`, ``},
		{`{enum: [a]}`, `{}`, ``},
		{`{}`, `{enum: [a]}`, `enum ["a"] is new`},
		{`{x-kubernetes-validations: [{rule: a}]}`, `{x-kubernetes-validations: [{rule: a, message: m}, {rule: b}]}`, `x-kubernetes-validations b is new`},
		{`{}`, `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, ``},
		{`{}`, `{not: {required: [a]}}`, `not {"required":["a"]} is new`},
	} {
		what, _ := tightened(schemaOf(t, test.was), schemaOf(t, test.is))
		if got := text.Join(what, "; ").String(); got != test.want {
			t.Errorf("from %s to %s: %q, want %q", test.was, test.is, got, test.want)
		}
	}
}

func schemaOf(t *testing.T, schema string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(schema), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
