package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"
)

var seeds = []string{
	cm("a") + "---\n" + cm("b"), cmJSON("a") + "\n" + cmJSON("b"),
	"kind: List\nitems:\n- kind: A\n  apiVersion: v1\n  metadata: {name: x}\n", "a: &a [*a]\n<<: *a\n", "- - |\n ---\n...\nx",
	`{"kind":"XList","apiVersion":"v1","items":[{"metadata":{"name":"x"}}]}`, "{a: b}\n---\n", "\ufeff---\n", "x: \"\n- y\"\n",
}

// Raw of a document outside of a List is the text of its span; Locate stays
// inside of the input.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	path := fieldpath.MakePathOrDie("metadata", "name")
	f.Fuzz(func(t *testing.T, text []byte) {
		documents, _ := Load([]string{"-"}, Options{Stdin: bytes.NewReader(text)})
		if bytes.HasPrefix(text, gzipMagic) || bytes.HasPrefix(text, utf16LE) || bytes.HasPrefix(text, utf16BE) {
			return
		}
		lines := bytes.Count(text, newline) + 1
		for _, d := range documents {
			if got := text[d.Span.Start:d.Span.End]; d.Item == 0 && !bytes.Equal(got, d.Raw) {
				t.Errorf("raw %q is not the text of its span %q", d.Raw, got)
			}
			if line, _ := Locate(d, path); line < 1 || line > lines {
				t.Errorf("Locate gives line %d of %d", line, lines)
			}
		}
	})
}

// Where the quick identity answers, it answers as the full reading does.
func FuzzQuickIdentity(f *testing.F) {
	for _, seed := range append(seeds, cm("web"), cm("web\n   o")+"data: {}\n", cm("\"a: b\" # c"), "apiVersion: v1\nkind: A\nmetadata: {\n  labels: {\n  name: x}}\n", "kind: A\napiVersion: v1\nmetadata:\n  name: x\n  name: y\n",
		"apiVersion: v1\nkind: A\nmetadata:\n  labels:\n    a: \"b\n      name: c\"\n  name: x\n", "apiVersion: v1\nkind: A\nmetadata:\n  managedFields:\n  - fieldsV1:\n      k:{\"a\":\"b\"}: {}\n    time: 'x\n   name: z'\n  name: x\n") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quick, ok := quickIdentity([]byte(text), 0)
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		if !ok || err != nil || strings.Contains(text, "\n...") || strings.Contains(text, "\n---") {
			return
		}
		if full := readHead(asJSON).Identity; full != quick {
			t.Errorf("quick identity %+v, full %+v", quick, full)
		}
	})
}

// The head agrees with encoding/json.
func FuzzIdentity(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]any
		if json.Unmarshal(text, &want) != nil {
			return
		}
		kind, _ := want["kind"].(string)
		if got := readHead(text).Kind; got != kind {
			t.Errorf("kind %q, want %q", got, kind)
		}
	})
}
