package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes a file in a new directory and gives its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func messages(problems []*Problem) []string {
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Message())
	}
	return texts
}

func TestHints(t *testing.T) {
	const template = " (it looks like an unrendered Helm template: render the chart first with helm template)"
	const values = "has neither apiVersion nor kind: it looks like values of a Helm chart; render the chart first (helm template CHART -f VALUES | ssactl … -f -)"
	tests := []struct {
		file, text string
		want       []string
	}{
		{
			"a.yaml",
			"kind: A\nmetadata:\n  name: {{ .Values.name }}\n  {{- if .x }}\n",
			[]string{"could not find expected ':'" + template},
		},
		{
			"a.json",
			`{"kind": {{ .Values.kind }}}`,
			[]string{"not JSON: invalid character '{' looking for beginning of object key string" + template},
		},
		{"kustomization.yaml", "resources: [a.yaml]\n", []string{errKustomization.Error()}},
		{"Kustomization", "resources: [a.yaml]\n", []string{errKustomization.Error()}},
		{"a.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", []string{errKustomization.Error()}},
		{"values.yaml", "replicas: 1\n", []string{values}},
		{"values-prod.yaml", "replicas: 1\n", []string{values}},
		{"a.yaml", "\n<!DOCTYPE html>\n<html>\n<title>Sign in: shop</title>\n", []string{errPage.Error()}},
		{"a.yaml", "404: Not Found", []string{errPage.Error()}},
		{"a.yaml", "NAME    READY   STATUS\nweb-0   1/1     Running\n", []string{errTable.Error()}},
		{
			"a.yaml",
			"NAMESPACE   NAME   UP-TO-DATE   CPU(CORES)\r\nshop        web    1            2\r\n",
			[]string{errTable.Error()},
		},
		{"a.yaml", "LAST SEEN   TYPE     REASON\n5m          Normal   Killing\n", []string{errTable.Error()}},
		{"a.yaml", "NAME : 1\n", []string{"has no kind"}},
		{"a.yaml", "null\n---\n~\n---\n" + cm("a"), nil},
		{"a.yaml", "null\n", []string{"the file has no object: it is empty, or has comments only"}},
		{"a.json", "null", []string{"the file has no object: it is empty, or has comments only"}},
		{
			"a.json",
			"[1]\n" + cmJSON("a") + "1",
			[]string{
				"is an array, not an object: put its elements under items of a kind List, or one a line (jq -c '.[]')",
				"is a single value, not an object with apiVersion and kind",
			},
		},
		{"a.json", `{"a": 1,}`, []string{"has no kind"}},
		{"a.json", `{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},}`, nil},
		{
			"a.json",
			`[{"kind":"A"}]`,
			[]string{"is an array, not an object: put its elements under items of a kind List, or one a line (jq -c '.[]')"},
		},
		{"a.yaml", "kind: A\n", []string{"has no apiVersion"}},
		{"a.yaml", "kind: A\napiVersion: 1\n", []string{"has an apiVersion that is no string: put it in quotes"}},
		{"a.yaml", "kind: yes\napiVersion: v1\n", []string{"has a kind that is no string: put it in quotes"}},
		{"a.json", `{"kind":null,"apiVersion":"v1"}`, []string{"has no kind"}},
	}
	for _, tt := range tests {
		_, problems := Load([]string{write(t, tt.file, tt.text)}, Options{})
		if diff := cmp.Diff(tt.want, messages(problems)); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", tt.file, tt.text, diff)
		}
	}
}

func TestStandardInputOnce(t *testing.T) {
	documents, problems := Load([]string{"-", "-"}, Options{Stdin: strings.NewReader(cm("a"))})
	want := []string{"standard input is not available, or named twice"}
	if diff := cmp.Diff(want, messages(problems)); diff != "" || len(documents) != 1 {
		t.Errorf("%d documents, want 1; problems (-want +got):\n%s", len(documents), diff)
	}
}

func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a.yaml", "c.json", "[x].yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(cm("x")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string][]string{
		"?.yaml":   {"a.yaml", "b.yaml"},
		"[ab].*":   {"a.yaml", "b.yaml"},
		"[x].yaml": {"[x].yaml"}, // a file of that name goes first
		"*.txt":    nil,
		"[":        nil,
	} {
		files, err := Files(filepath.Join(dir, pattern), TopOnly)
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		if diff := cmp.Diff(want, files); diff != "" || (err != nil) != (want == nil) {
			t.Errorf("%s: %v (-want +got):\n%s", pattern, err, diff)
		}
	}
}

// A file may change while those before it are read, or itself.
func TestFilesThatChange(t *testing.T) {
	big := "[" + strings.Repeat(" ", 1<<20) + "]"
	for name, text := range map[string]string{
		"yaml": cm("a") + "---\n" + cm("b") + "# " + strings.Repeat("x", 1<<20) + "\n",
		"json": cmJSON("a") + big,
		"list": `{"kind":"List","items":[` + cmJSON("a") + `,{"x":` + big + `}]}`,
	} {
		first, second := write(t, name, text), write(t, "b.yaml", cm("b"))
		var problems []string
		opts := Options{MaxDocumentBytes: 1 << 10}
		for _, err := range Read([]string{first, second}, opts) {
			if err != nil {
				problems = append(problems, err.Error())
				continue
			}
			if err := os.Truncate(first, 70000); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(second)
		}
		if n := len(problems); n < 2 || !strings.Contains(problems[n-2], "the file shrank while it was read") ||
			!strings.HasSuffix(problems[n-1], "no such file or directory") {
			t.Errorf("%s: got %q, want a file that shrank, and one that is gone", name, problems)
		}
	}
}
