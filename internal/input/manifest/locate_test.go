package manifest

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// locate finds the line of a path with keys, as whoever asks does: the positions of
// list items are found in the object, here of an unknown type.
func locate(t *testing.T, d Document, path fieldpath.Path) (int, bool) {
	t.Helper()
	var object any
	if err := json.Unmarshal(d.JSON(), &object); err != nil {
		t.Fatal(err)
	}
	positions, whole := (*managedfields.Finder)(nil).Positions(managedfields.Shape{}, object, path)
	line, ok := Locate(d, positions)
	return line, ok && whole
}

func TestLocate(t *testing.T) {
	text := "# top\napiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  finalizers:\n  - a\n  - b\nspec:\n  ports:\n  - port: 80\n  - port: 80\n    protocol: UDP\n"
	documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
	if len(documents) != 1 || len(problems) != 0 {
		t.Fatalf("got %d documents and %v", len(documents), problems)
	}
	tests := []struct {
		path fieldpath.Path
		line int
		ok   bool
	}{
		{fieldpath.MakePathOrDie("metadata", "name"), 5, true},
		{fieldpath.MakePathOrDie("metadata", "finalizers", fieldpath.ValueElement(value.NewValueInterface("b"))), 8, true},
		{fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", 80, "protocol", "TCP")), 11, true},
		{fieldpath.MakePathOrDie("spec", "ports", fieldpath.KeyElementByFields("port", 80, "protocol", "UDP")), 12, true},
		{fieldpath.MakePathOrDie("spec", "ports", 1, "protocol"), 13, true},
		{fieldpath.MakePathOrDie("spec", "type"), 9, false},
	}
	for _, tt := range tests {
		line, ok := locate(t, documents[0], tt.path)
		if line != tt.line || ok != tt.ok {
			t.Errorf("Locate(%s) = %d, %v, want %d, %v", tt.path, line, ok, tt.line, tt.ok)
		}
	}
}

// TestLocateInLong: long maps and lists are looked through as short ones are.
func TestLocateInLong(t *testing.T) {
	var text strings.Builder
	text.WriteString("apiVersion: v1\nkind: Any\nbase: &base\n  merged: 1\nfields:\n  <<: *base\n")
	const n = 2 * long
	for i := range n {
		fmt.Fprintf(&text, "  k%d: x\n", i)
	}
	text.WriteString("set:\n")
	for i := range n {
		fmt.Fprintf(&text, "- v%d\n", i/2)
	}
	text.WriteString("ports:\n")
	for i := range n {
		fmt.Fprintf(&text, "- port: %d\n", i)
		if i%2 == 1 {
			text.WriteString("  protocol: UDP\n")
		}
	}
	text.WriteString("- protocol: TCP\n")
	d := one(t, text.String())
	const fields, set = 7, 7 + n + 1
	ports := set + n + 1
	check := func(want int, ok bool, parts ...any) {
		t.Helper()
		path := fieldpath.MakePathOrDie(parts...)
		if line, found := locate(t, d, path); line != want || found != ok {
			t.Errorf("%s: line %d, %v, want %d, %v", path, line, found, want, ok)
		}
	}
	for i := range n {
		check(fields+i, true, "fields", fmt.Sprintf("k%d", i))
		check(ports+i+i/2, true, "ports", fieldpath.KeyElementByFields("port", i, "protocol", []string{"TCP", "UDP"}[i%2]))
		if i < n/2 {
			check(set+2*i, true, "set", value.NewValueInterface(fmt.Sprintf("v%d", i)))
		}
	}
	check(4, true, "fields", "merged")
	check(5, false, "fields", "none")
	check(ports-1, false, "ports", fieldpath.KeyElementByFields("port", 1, "protocol", "SCTP"))
	check(ports+n+n/2, true, "ports", fieldpath.KeyElementByFields("port", n, "protocol", "TCP"))
	check(set-1, false, "set", value.NewValueInterface("w"))
}

// one reads a text that has one object.
func one(t *testing.T, text string) Document {
	t.Helper()
	documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
	if len(documents) != 1 || len(problems) != 0 {
		t.Fatalf("got %d documents and %v", len(documents), problems)
	}
	return documents[0]
}

func TestLocateInYAMLOfAllKinds(t *testing.T) {
	base := "apiVersion: v1\nkind: A\nmetadata: {name: a}\n" // three lines
	tests := []struct {
		name, text string
		path       []any
		line       int
		ok         bool
	}{
		{"merge key", base + "x: &x\n  a: 1\nw:\n  <<: *x\n  b: 2\n", []any{"w", "a"}, 5, true},
		{"written out before merged", base + "x: &x\n  a: 1\nw:\n  a: 3\n  <<: *x\n", []any{"w", "a"}, 7, true},
		{"list of merged maps", base + "x: &x\n  a: 1\nz: &z\n  c: 1\nw:\n  <<: [*x, *z]\n", []any{"w", "c"}, 7, true},
		{"alias", base + "x: &x\n  a: 1\nw: *x\n", []any{"w", "a"}, 5, true},
		{"the alias itself", base + "x: &x\n  a: 1\nw: *x\n", []any{"w"}, 6, true},
		{
			"alias in a list",
			base + "x: &x {name: abc}\nw:\n- *x\n",
			[]any{"w", fieldpath.KeyElementByFields("name", "abc")},
			6,
			true,
		},
		{"repeated key", base + "x: 1\nx: 2\n", []any{"x"}, 5, true},
		{"boolean key", base + "x:\n  y: 1\n", []any{"x", "true"}, 5, true},
		{"quoted key", base + "x:\n  \"y\": 1\n", []any{"x", "y"}, 5, true},
		{"number in a set", base + "x:\n- 1\n- 2\n", []any{"x", value.NewValueInterface(2)}, 6, true},
		{"null", base + "x: null\n", []any{"x", "y"}, 4, false},
		{"null item", base + "x:\n- null\n- name: abc\n", []any{"x", fieldpath.KeyElementByFields("name", "abc")}, 6, true},
		{"crlf", strings.ReplaceAll(base+"x: 1\nw: 2\n", "\n", "\r\n"), []any{"w"}, 5, true},
		{"behind comments", "# a\n\n---\n# b\n" + base + "x: 1\n", []any{"x"}, 8, true},
		{
			"flow over lines",
			"{apiVersion: v1,\nkind: A,\nmetadata: {name: a,\n namespace: b}}\n",
			[]any{"metadata", "namespace"},
			4,
			true,
		},
		{
			"json",
			"{\"apiVersion\":\"v1\",\n\"kind\":\"A\",\n\t\"metadata\": {\n\"name\":\"\\ud83d\\ude00\\/\",\n\"namespace\":\"b\"}}",
			[]any{"metadata", "namespace"},
			5,
			true,
		},
		{
			"item of a typed list",
			"kind: AList\napiVersion: v1\nitems:\n- metadata:\n    name: a\n  x: 1\n",
			[]any{"x"},
			6,
			true,
		},
		{
			"item of a typed json list",
			"{\"kind\":\"AList\",\"apiVersion\":\"v1\",\"items\":[\n{\"metadata\":{\n\"name\":\"a\"},\n\"x\":1}]}",
			[]any{"x"},
			4,
			true,
		},
		{
			"item in flow style",
			"kind: List\napiVersion: v1\nitems: [\n {apiVersion: v1, kind: A,\n metadata: {\n name: a}}]\n",
			[]any{"metadata", "name"},
			6,
			true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, ok := locate(t, one(t, tt.text), fieldpath.MakePathOrDie(tt.path...))
			if line != tt.line || ok != tt.ok {
				t.Errorf("Locate(%v) = %d, %v, want %d, %v", tt.path, line, ok, tt.line, tt.ok)
			}
		})
	}
}
