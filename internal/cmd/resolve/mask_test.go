package resolve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

func TestMaskedLines(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no Secret", "kind: ConfigMap\ndata: {a: shown}\n", "kind: ConfigMap\ndata: {a: shown}\n"},
		{"block", "kind: Secret\ndata:\n  a: aGlkZGVu # hidden\n  b: |\n    hidden\n    hidden\ntype: Opaque\n", "kind: Secret\ndata:\n  a: ***\n  b: ***\n***\n***\ntype: Opaque\n"},
		{"comment above the first key", "kind: Secret\ndata:\n  # hidden\n  a: hidden\n", "kind: Secret\ndata:\n***\n  a: ***\n"},
		{"flow", "kind: Secret\ndata: {a: hidden, b: hidden}\nmetadata: {name: s}\n", "kind: Secret\ndata: {a: ***b: ***\nmetadata: {name: s}\n"},
		{"flow over lines", "kind: Secret\ndata: {a: hid\n  den, b: hidden}\n", "kind: Secret\ndata: {a: ***\n***b: ***\n"},
		{"JSON", `{"kind": "Secret", "data": {"a": "hidden"}, "type": "Opaque"}` + "\n", `{"kind": "Secret", "data": {"a": ***"type": "Opaque"}` + "\n"},
		{"JSON stream", "{\"kind\":\"Secret\",\"data\":{\"a\":\"hidden\"}}\n{\"kind\":\"ConfigMap\"}\n", "***\n***\n"},
		{"Secret later in a JSON stream", "{\"kind\":\"ConfigMap\"}\n{\"kind\":\"Secret\",\"data\":{\"a\":\"hidden\"}}\n", "***\n***\n"},
		{"empty document", "---\n# Secret\n---\na: 1\n", "---\n# Secret\n---\na: 1\n"},
		{"escaped kind", `{"kind": "Secre\u0074", "data": {"a": "hidden"}}`, `{"kind": "Secre\u0074", "data": {"a": ***`},
		{"document among others", "a: shown\n---\nkind: Secret\nstringData:\n  a: hidden\n---\ndata: {a: shown}\n", "a: shown\n---\nkind: Secret\nstringData:\n  a: ***\n---\ndata: {a: shown}\n"},
		{"alias", "kind: Secret\nmetadata:\n  labels: {a: &x hidden}\ndata:\n  a: *x\n", "kind: Secret\nmetadata:\n  labels: {a: ***\ndata:\n  a: ***\n"},
		{"List", "kind: List\nitems:\n- kind: Secret\n  data:\n    a: hidden\n- kind: ConfigMap\n  data: {a: shown}\n", "kind: List\nitems:\n- kind: Secret\n  data:\n    a: ***\n- kind: ConfigMap\n  data: {a: shown}\n"},
		{"SecretList", "kind: SecretList\nitems:\n- data: {a: hidden}\n", "kind: SecretList\nitems:\n- data: {a: ***\n"},
		{"no mapping", "kind: Secret\ndata: hidden\n", "kind: Secret\ndata: ***\n"},
		{"last-applied", "kind: Secret\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      hidden\n  name: s\n", "kind: Secret\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: ***\n***\n  name: s\n"},
		{"other spellings", "apiVersion: /v1\nkind: secret\ntoken: hidden\nstringData: {a: hidden}\n", "apiVersion: /v1\nkind: secret\ntoken: ***\nstringData: {a: ***\n"},
		{"other kind", "apiVersion: example.com/v1\nkind: Secret\ndata: {a: shown}\n", "apiVersion: example.com/v1\nkind: Secret\ndata: {a: shown}\n"},
		{"template", "kind: Template\nobjects:\n- kind: Secret\n  data:\n    a: hidden\n", "kind: Template\nobjects:\n- kind: Secret\n  data:\n    a: ***\n"},
		{"list in itself", "kind: SecretList\nitems: &a\n- data: {a: hidden}\n- *a\n", "kind: SecretList\nitems: &a\n- data: {a: ***\n- *a\n"},
		{"labels", "kind: Secret\nmetadata:\n  labels:\n    a: shown # shown\n  name: s\n", "kind: Secret\nmetadata:\n  labels:\n    a: shown # shown\n  name: s\n"},
		{"annotations", "kind: Secret\nmetadata:\n  annotations:\n    a: shown\n    b: has hunter22\n    c: '{\"data\":{\"a\":\"hidden\"}}'\nstringData: {a: hunter22}\n", "kind: Secret\nmetadata:\n  annotations:\n    a: shown\n    b: ***\n    c: ***\nstringData: {a: ***\n"},
		{"manifest in a text", "kind: ConfigMap\ndata:\n  a: |\n    kind: Secret\n    data: {a: hidden}\n  b: shown\n", "kind: ConfigMap\ndata:\n  a: ***\n***\n***\n  b: shown\n"},
		{"unreadable", "kind: Secret\ndata: [hidden\n", "***\n***\n"},
		{"CRLF", "kind: Secret\r\ndata:\r\n  a: hidden\r\n", "kind: Secret\r\ndata:\r\n  a: ***\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, strings.Join(MaskedLines([]byte(test.text), nil), "")); diff != "" {
				t.Errorf("masked (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzMaskedLines: however a Secret is written, no value is shown, and lines
// stay where they are.
func FuzzMaskedLines(f *testing.F) {
	f.Add("password", "hunter2", uint8(0))
	f.Add("a", "two\nlines\n", uint8(yaml.LiteralStyle))
	f.Add("# k", "- x: {y}, [z] # no comment", uint8(yaml.FoldedStyle))
	f.Add("'", "\"\t\\", uint8(yaml.SingleQuotedStyle))
	f.Fuzz(func(t *testing.T, key, value string, style uint8) {
		const marker = "QZJXQ"
		value = marker + value + marker
		entry := []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: key},
			{Kind: yaml.ScalarNode, Value: value, Style: yaml.Style(style)},
		}
		data := &yaml.Node{Kind: yaml.MappingNode, Content: entry, Style: yaml.Style(style) & yaml.FlowStyle}
		root := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: "kind"}, {Kind: yaml.ScalarNode, Value: "Secret"},
			{Kind: yaml.ScalarNode, Value: "stringData"}, data,
			{Kind: yaml.ScalarNode, Value: "type"}, {Kind: yaml.ScalarNode, Value: "Opaque"},
		}}
		text, err := yaml.Marshal(root)
		if err != nil || strings.Contains(key, marker) {
			return
		}
		encoded, err := json.Marshal(map[string]any{"kind": "Secret", "data": map[string]any{key: value}})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{text, encoded} {
			masked := MaskedLines(text, nil)
			if got := strings.Join(masked, ""); strings.Contains(got, marker) {
				t.Errorf("a value is shown:\n%s\nof\n%s", got, text)
			}
			if want := strings.Count(string(text), "\n") + 1; len(masked) != want {
				t.Errorf("%d lines of %d", len(masked), want)
			}
		}
	})
}
