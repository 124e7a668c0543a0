package impact

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestTightened: a schema that accepts less than before is reported; one that accepts as
// much or more is not.
func TestTightened(t *testing.T) {
	for _, test := range []struct{ was, is, want string }{
		{`{}`, `{maxLength: 8}`, `maxLength KeywordNew null 8`},
		{`{maxLength: 8}`, `{maxLength: 9}`, ``},
		{`{maxLength: 9}`, `{maxLength: 8}`, `maxLength KeywordOther 9 8`},
		{`{maximum: 2.5}`, `{maximum: 2}`, `maximum KeywordOther 2.5 2`},
		{`{maxItems: 3}`, `{}`, ``},
		{`{}`, `{minimum: 1}`, `minimum KeywordNew null 1`},
		{`{minimum: 1}`, `{minimum: 0}`, ``},
		{`{}`, `{minimum: 0}`, `minimum KeywordNew null 0`},
		{`{}`, `{minimum: -5}`, `minimum KeywordNew null -5`},
		{`{minimum: -5}`, `{minimum: -6}`, ``},
		{`{}`, `{minLength: 0}`, ``},
		{`{exclusiveMinimum: false}`, `{exclusiveMinimum: true}`, `exclusiveMinimum KeywordIs null true`},
		{`{nullable: true}`, `{}`, `nullable KeywordIs null false`},
		{`{}`, `{nullable: true}`, ``},
		{`{pattern: a}`, `{pattern: b}`, `pattern KeywordOther "a" "b"`},
		{`{pattern: a}`, `{}`, ``},
		{`{enum: [a, b]}`, `{enum: [b, c]}`, `enum KeywordWithout ["a"] null`},
		{`{enum: [a]}`, `{enum: [a, b]}`, ``},
		{`{enum: [a]}`, `{}`, ``},
		{`{}`, `{enum: [a]}`, `enum KeywordNew null ["a"]`},
		{`{x-kubernetes-validations: [{rule: a}]}`, `{x-kubernetes-validations: [{rule: a, message: m}, {rule: b}]}`, `x-kubernetes-validations KeywordRules null null b`},
		{`{}`, `{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}`, ``},
		{`{}`, `{not: {required: [a]}}`, `not KeywordNew null {"required":["a"]}`},
	} {
		if got := tighter(t, schemaOf(t, test.was), schemaOf(t, test.is)); got != test.want {
			t.Errorf("from %s to %s: %q, want %q", test.was, test.is, got, test.want)
		}
	}
}

// tighter is the first case with its keyword and values, as JSON.
func tighter(t *testing.T, was, is map[string]any) string {
	t.Helper()
	what, _ := tightened(was, is)
	if len(what) == 0 {
		return ""
	}
	parts := []string{what[0].Text, string(what[0].Kind)}
	for _, v := range []any{what[0].Before.Value, what[0].After.Value} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, string(b))
	}
	return strings.Join(append(parts, what[0].Others...), " ")
}

func schemaOf(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
