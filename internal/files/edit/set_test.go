package edit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

func TestSet(t *testing.T) {
	tests := []struct {
		name, text string
		path       fieldpath.Path
		value      any
		want       string
	}{
		{"number, with its comment", "a:   1   # c\nb: 2\n", path("a"), 5, "a:   5   # c\nb: 2\n"},
		{"equal value", "a: 0x10\n", path("a"), 16, "a: 0x10\n"},
		{"double quotes", "a: \"x\" # c\n", path("a"), `q"<`, "a: \"q\\\"<\" # c\n"},
		{"single quotes", "a: 'x'\n", path("a"), "it's", "a: 'it''s'\n"},
		{"plain that needs quotes", "a: x\n", path("a"), "yes", "a: \"yes\"\n"},
		{"tag goes", "a: !!str 5\n", path("a"), 6, "a: 6\n"},
		{"block scalar", "a: |\n  x\n\n# c\nb: 1\n", path("a"), "y\nz\n", "a: |\n  y\n  z\n\n# c\nb: 1\n"},
		{"block scalar to number", "a: |\n  x\nb: 1\n", path("a"), 1, "a: 1\nb: 1\n"},
		{"number to text of lines", "a: 1 # c\nb: 1\n", path("a"), "y\nz", "a: |- # c\n  y\n  z\nb: 1\n"},
		{"null", "a: # c\nb: 1\n", path("a"), "x", "a: x # c\nb: 1\n"},
		{
			"null to mapping",
			"a: # c\nb: 1\n",
			path("a"),
			map[string]any{"c": 1, "d": []any{1}},
			"a: # c\n  c: 1\n  d:\n  - 1\nb: 1\n",
		},
		{"mapping to number", "a: # c\n  # d\n  b: 1\nc: 2\n", path("a"), 3, "a: 3 # c\nc: 2\n"},
		{
			"mapping to mapping",
			"a: # c\n  b: 1\nc: 2\n",
			path("a"),
			map[string]any{"x": 1, "z": 2},
			"a: # c\n  x: 1\n  z: 2\nc: 2\n",
		},
		{"atomic list", "a:\n  - 1\n  - 2\nc: 2\n", path("a"), []any{3, "b"}, "a:\n  - 3\n  - b\nc: 2\n"},
		{
			"atomic list of mappings",
			"a:\n- x: 1\n  y: 2\nc: 2\n",
			path("a"),
			[]any{map[string]any{"z": 1, "w": 2}},
			"a:\n- w: 2\n  z: 1\nc: 2\n",
		},
		{
			"item",
			"a:\n- x: 1\n- y: 2 # c\nc: 2\n",
			path("a", 1),
			map[string]any{"z": 1, "w": 2},
			"a:\n- x: 1\n- w: 2 # c\n  z: 1\nc: 2\n",
		},
		{"item of a set", "a: [x, y]\n", path("a", item("x")), "z", "a: [z, y]\n"},
		{
			"in braces",
			"a: {b: 1, c: [1]} # c\n",
			path("a", "b"),
			map[string]any{"x": "y, z"},
			"a: {b: {\"x\": \"y, z\"}, c: [1]} # c\n",
		},
		{"braces", "a: {b: 1} # c\nd: 1\n", path("a"), map[string]any{"x": 1}, "a: # c\n  x: 1\nd: 1\n"},
		{"JSON", "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n", path("b"), "é<", "{\n  \"a\": 1,\n  \"b\": \"é<\"\n}\n"},

		{"new field", "a:\n  b: 1 # c\n\nc: 2\n", path("a", "x"), "z", "a:\n  b: 1 # c\n  x: z\n\nc: 2\n"},
		{"new field at the end", "a: 1", path("x"), []any{}, "a: 1\nx: []"},
		{"new fields", "a: 1\n", path("x", "w", "z"), true, "a: 1\nx:\n  w:\n    z: true\n"},
		{"new quoted key", "a: 1\n", path("y"), "z", "a: 1\n\"y\": z\n"},
		{"new field of a null", "a:\nb: 1\n", path("a", "x"), 1, "a:\n  x: 1\nb: 1\n"},
		{"new field of an empty mapping", "a: {}\nb: 1\n", path("a", "x"), 1, "a:\n  x: 1\nb: 1\n"},
		{
			"new item",
			"l:\n- name: a\n  v: 1\nb: 1\n",
			path("l", key("name", "b"), "v"),
			2,
			"l:\n- name: a\n  v: 1\n- name: b\n  v: 2\nb: 1\n",
		},
		{"new list", "b: 1\n", path("l", key("name", "b"), "v"), 2, "b: 1\nl:\n- name: b\n  v: 2\n"},
		{"new item of a set", "l:\n  - a\nb: 1\n", path("l", item("x")), "x", "l:\n  - a\n  - x\nb: 1\n"},
		{
			"new field of an item",
			"l:\n- name: a\nb: 1\n",
			path("l", key("name", "a"), "v"),
			2,
			"l:\n- name: a\n  v: 2\nb: 1\n",
		},
		{"new field in braces", "a: {b: 1}\n", path("a", "x"), "z", "a: {b: 1, x: z}\n"},
		{"new field in JSON", "{\n\t\"a\": 1\n}", path("x"), "y", "{\n\t\"a\": 1,\n\t\"x\": \"y\"\n}"},
		{"new field in empty JSON", "{}", path("x"), "y", "{\"x\": \"y\"}"},
		{
			"carriage returns",
			"a:\r\n  b: 1\r\n",
			path("a", "c"),
			map[string]any{"d": 1, "e": 2},
			"a:\r\n  b: 1\r\n  c:\r\n    d: 1\r\n    e: 2\r\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Document([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.Set(tt.path, tt.value); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(doc.Bytes())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		path       fieldpath.Path
		reason     Reason
	}{
		{"shared anchor", "a: &x 1\nb: *x\n", path("a"), SharedAnchor},
		{"new field of a shared anchor", "a: &x {c: 1}\nb: *x\n", path("a", "d"), SharedAnchor},
		{"through an alias", "a: &x {c: 1}\nb: *x\n", path("b", "c"), ThroughAlias},
		{"everything", "a: 1\n", path(), Required},
		{"position behind the end", "a: [1]\n", path("a", 3, "b"), NotFound},
		{"position in a new list", "a: 1\n", path("l", 1), NotFound},
		{"new item that cannot have keys", "l: []\n", path("l", key("a", 1)), NotFound},
		{"template", "a: x{{ .b }}\n", path("a"), Template},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := Document([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.Set(tt.path, "new"); !isRefused(err, tt.reason) {
				t.Errorf("error %v, want %s", err, tt.reason)
			}
			if diff := cmp.Diff(tt.text, string(doc.Bytes())); diff != "" {
				t.Errorf("the text has changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditsFollowEachOther(t *testing.T) {
	doc, err := Document([]byte(deployment))
	if err != nil {
		t.Fatal(err)
	}
	side := []any{"spec", "template", "spec", "containers", key("name", "side")}
	if err := doc.Set(path("spec", "replicas"), 5); err != nil {
		t.Fatal(err)
	}
	if err := doc.Remove(path(append(side, "command")...)); err != nil {
		t.Fatal(err)
	}
	if err := doc.Set(path(append(side, "image")...), "alpine"); err != nil {
		t.Fatal(err)
	}
	if err := doc.Remove(path("spec", "replicas")); err != nil {
		t.Fatal(err)
	}
	if err := doc.Remove(path("spec", "replicas")); !isRefused(err, NotFound) {
		t.Errorf("second removal: %v, want not found", err)
	}
}
