package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// filler makes a YAML List too large to be read as a whole.
func filler() string {
	var b strings.Builder
	text := strings.Repeat("      some text that fills\n", 40)
	for i := range 1200 {
		fmt.Fprintf(&b, "- apiVersion: v1\n  data:\n    x: |\n%s  kind: F\n  metadata:\n    name: f-%d\n", text, i)
	}
	return b.String()
}

func yamlItem3(inside string) string {
	return "- apiVersion: v1\n  kind: A\n  metadata:\n    name: odd\n  data:\n" + inside + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: after\n"
}

// Small Lists are cut once they are read, large ones while they are: both give the same.
func TestYAMLItemsThatAreHardToCut(t *testing.T) {
	tests := []struct {
		name, inside string
		want         []string
	}{
		{"block text with dashes", "    x: |\n      - a\n      - b\n", []string{"odd", "after"}},
		{"list at the column of its key", "    x:\n    - a\n    - b\n", []string{"odd", "after"}},
		{"double-quoted text with a dash at the column", "    x: \"a\n- b\n- c\"\n", []string{"odd", "after"}},
		{"single-quoted text with a dash at the column", "    x: 'it''s\n- b'\n", []string{"odd", "after"}},
		{"quoted text in a flow list", "    x: [\"a\n- b\"]\n", []string{"odd", "after"}},
		{"comment and blank lines", "    x: y\n# - z\n\n", []string{"odd", "after"}},
		{
			"anchor shared between items",
			"    x: &shared y\n- {apiVersion: v1, kind: A, metadata: {name: other, labels: {x: *shared}}}\n",
			[]string{"odd", "other", "after"},
		},
	}
	keys := []string{"items:\n", "\"items\":\n", "'items': # all\n"}
	for i, tt := range tests {
		for _, fill := range []string{"", filler()} {
			t.Run(fmt.Sprintf("%s/%d", tt.name, len(fill)), func(t *testing.T) {
				text := "apiVersion: v1\n" + keys[i%len(keys)] + fill + yamlItem3(tt.inside) + "kind: List\n"
				for _, want := range []func(Identity) bool{nil, func(id Identity) bool { return id.Kind == "A" }} {
					var got []string
					lines := strings.Split(text, "\n")
					for d, err := range Read([]string{"-"}, Options{Stdin: strings.NewReader(text), Want: want}) {
						if err != nil {
							t.Fatal(err)
						}
						if d.Kind == "A" {
							got = append(got, d.Name)
						}
						line, ok := Locate(d, fieldpath.MakePathOrDie("metadata", "name"))
						if at := lines[line-1]; !ok || !strings.Contains(at, "name: "+d.Name) {
							t.Fatalf("Locate of the name of %s gives %q", d.Name, at)
						}
						if at := lines[d.Source.Line-1]; !strings.HasPrefix(at, "- ") {
							t.Fatalf("item %s starts at %q", d.Name, at)
						}
					}
					if diff := cmp.Diff(tt.want, got); diff != "" {
						t.Errorf("names (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

func TestYAMLListsOfOtherShapes(t *testing.T) {
	item := func(name string) string { return "{apiVersion: v1, kind: A, metadata: {name: " + name + "}}" }
	tests := []struct {
		name, text string
		want       []string
	}{
		{
			"flow style",
			"kind: List\napiVersion: v1\nitems: [" + item("a") + ",\n " + item("b") + "]\n",
			[]string{"1/1:3 JSON A a", "1/2:4 JSON A b"},
		},
		{
			"flow style below the key",
			"kind: List\napiVersion: v1\nitems:\n  [\n  " + item("a") + "]\n",
			[]string{"1/1:5 JSON A a"},
		},
		{"aliased items", "x: &x\n- " + item("a") + "\nkind: List\napiVersion: v1\nitems: *x\n", []string{"1/1:2 JSON A a"}},
		{
			"indented dashes",
			"kind: List\napiVersion: v1\nitems:\n  - apiVersion: v1\n    kind: A\n    metadata:\n      name: a\n",
			[]string{"1/1:4 YAML A a"},
		},
		{"typed, kind last", "apiVersion: v1\nitems:\n- metadata:\n    name: a\nkind: AList\n", []string{"1/1:3 JSON A a"}},
		{"items null", "kind: List\napiVersion: v1\nitems:\n", nil},
		{"no line end", "kind: List\napiVersion: v1\nitems:\n- " + item("a"), []string{"1/1:4 YAML A a"}},
		{
			"object with items",
			"apiVersion: x/v1\nitems:\n- a\n- b\nkind: Foo\nmetadata:\n  name: foo\n",
			[]string{"1/0:1 YAML Foo foo"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(tt.text, Options{})); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMalformedYAMLItemCostsItself(t *testing.T) {
	for name, bad := range map[string]string{
		"flow left open":     "- apiVersion: v1\n  kind: [\n",
		"quote left open":    "- apiVersion: v1\n  kind: \"A\n",
		"tab":                "- apiVersion: v1\n\tkind: A\n",
		"bad indentation":    "- apiVersion: v1\n   kind: A\n  metadata: {}\n",
		"line at the margin": "- apiVersion: v1\n  kind: A\noops\n  metadata: {}\n",
		"key at the margin":  "- apiVersion: v1\n  kind: A\noops: 1\n  metadata: {}\n",
		"text":               "- just text\n",
	} {
		for _, fill := range []string{"- apiVersion: v1\n  kind: F\n  metadata: {name: f}\n", filler()} {
			t.Run(fmt.Sprintf("%s/%d", name, len(fill)), func(t *testing.T) {
				text := "apiVersion: v1\nitems:\n" + fill + bad + fill + "kind: List\n"
				got, problems := names(text, Options{})
				if want := 2 * strings.Count(fill, "kind: F"); len(got) != want || len(problems) == 0 || len(problems) > 2 {
					t.Errorf("%d objects, want %d; problems %q", len(got), want, problems)
				}
			})
		}
	}
}

// A List beyond the limit is still cut, whether the doubt comes while it
// is still held or not; only items in doubt are lost.
func TestYAMLListBeyondTheLimit(t *testing.T) {
	text := "apiVersion: v1\nitems:\n" + filler() + yamlItem3("    x: \"a\n- b\"\n") + filler() + filler() + "kind: List\n"
	for _, limit := range []int{100 << 10, 2 << 20} {
		got, problems := names(text, Options{MaxDocumentBytes: limit})
		if want := 3*strings.Count(filler(), "kind: F") + 1; len(got) != want || len(problems) != 2 {
			t.Errorf("limit %d: %d objects, want %d; problems %q", limit, len(got), want, problems)
		}
	}
}
