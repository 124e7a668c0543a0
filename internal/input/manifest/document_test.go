package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/packed"
)

func TestIdentity(t *testing.T) {
	for apiVersion, want := range map[string][2]string{"v1": {"", "v1"}, "apps/v1": {"apps", "v1"}, "": {"", ""}} {
		id := Identity{APIVersion: apiVersion}
		if got := [2]string{id.Group(), id.Version()}; got != want {
			t.Errorf("%s: %q, want %q", apiVersion, got, want)
		}
	}
	if PlaceOf(Identity{Kind: "Secret"}) != packed.InMemory || PlaceOf(Identity{Kind: "ConfigMap"}) != packed.Anywhere {
		t.Error("a Secret may be on a disk, or a ConfigMap may not")
	}
}

// TestPlain: YAML that can be read in one way only is known, where it is a document.
func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{cm("a"): true, cm("a") + "x: &x 1\n": false, cm("a") + "y: 1\n": false, cmJSON("a"): false} {
		if got := one(t, text).Plain(); got != want {
			t.Errorf("%q: plain %v, want %v", text, got, want)
		}
	}
	if one(t, "kind: List\napiVersion: v1\nitems:\n- "+strings.ReplaceAll(cm("a"), "\n", "\n  ")+"\n").Plain() {
		t.Error("nobody has looked at an item")
	}
}

// TestAsApplied: only JSON with escapes that YAML 1.1 does not have is written anew.
func TestAsApplied(t *testing.T) {
	tests := []struct {
		format     Format
		text, want string
	}{
		{YAML, "a: \"\\/\"\n", "a: \"\\/\"\n"},
		{JSON, `{"b": "\n", "a": 1.50}`, `{"b": "\n", "a": 1.50}`},
		{JSON, `{"b": "\/", "a": 1}`, `{"a":1,"b":"/"}`},
		{JSON, `{"a": "\ud83d\ude00"}`, "{\"a\":\"\U0001f600\"}"},
		{JSON, `{"a": "\/"`, `{"a": "\/"`},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, string(AsApplied(tt.format, []byte(tt.text)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestTextLine: lines of the text count from its first content on.
func TestTextLine(t *testing.T) {
	documents, _ := Load([]string{"-"}, Options{Stdin: strings.NewReader(cm("a") + "---\n# c\n\n" + cm("b"))})
	d := documents[1]
	if got := [2]int{TextLine(d, 1), TextLine(d, 4)}; d.Source.Line != 8 || got != [2]int{6, 9} {
		t.Errorf("the content is at line %d, the lines of the text at %v", d.Source.Line, got)
	}
	if line := TextLine(d.At(Source{File: "x"}), 1); line != 0 {
		t.Errorf("what was built is at line %d", line)
	}
}

// located are the lines of fields of a document; 0 for those that are not located.
func located(d Document, fields ...[]any) []int {
	var lines []int
	for _, field := range fields {
		line, ok := Locate(d, fieldpath.MakePathOrDie(field...))
		if !ok {
			line = 0
		}
		lines = append(lines, line)
	}
	return lines
}

// TestBuilt: of a document that was built from another, what is as it is there stands
// where it stands there: items by their names, else by their places.
func TestBuilt(t *testing.T) {
	origin := one(t, `apiVersion: v1
kind: A
metadata:
  name: a
  labels: {x: "1"}
spec:
  items:
  - name: one
    value: 1
  - name: two
    value: 2
  args: [a, b]
  same: {deep: true}
  y: n
`)
	built := one(t, `{"apiVersion":"v1","kind":"A","metadata":{"name":"pre-a","labels":{"x":"1","y":"2"}},"spec":{"items":[
{"name":"new"},{"name":"two","value":2},{"name":"one","value":3}],"args":["a","c","d"],"same":{"deep":true},"true":false}}`)
	fields := [][]any{
		{"kind"}, {"metadata", "name"}, {"metadata", "labels"}, {"metadata", "labels", "x"},
		{"spec", "items", 0}, {"spec", "items", 1},
		{
			"spec", "items", 1, "value",
		},
		{"spec", "items", 2, "name"}, {"spec", "items", 2, "value"}, {"spec", "args", 0},
		{"spec", "args", 1}, {"spec", "same"}, {"spec", "true"},
	}
	want := []int{2, 0, 0, 5, 0, 10, 11, 8, 0, 12, 0, 13, 14}
	from := built.From(origin)
	if diff := cmp.Diff(want, located(from, fields...)); diff != "" || from.Source != origin.Source ||
		from.Span != (Span{}) {
		t.Errorf("from %v (-want +got):\n%s", from.Source, diff)
	}
	at := built.At(Source{File: "kustomization.yaml", Line: 7})
	if diff := cmp.Diff(make([]int, len(fields)), located(at, fields...)); diff != "" || at.Source.Line != 7 {
		t.Errorf("at %v (-want +got):\n%s", at.Source, diff)
	}
	before := located(built, fields...)
	built.Forget()
	if diff := cmp.Diff(before, located(built, fields...)); diff != "" || before[0] != 1 {
		t.Errorf("forgotten (-before +after):\n%s", diff)
	}
	replaced := built.Replaced([]byte(`{"x":1}`))
	if replaced.Forget(); string(replaced.JSON()) != `{"x":1}` || located(replaced, fields[0])[0] != 0 ||
		replaced.HasManagedFields() ||
		replaced.Plain() {
		t.Errorf("replaced is %s", replaced.JSON())
	}
}

// TestNameless: what gives no name is said as far as it can be guessed.
func TestNameless(t *testing.T) {
	const head = "apiVersion: v1\nkind: "
	for text, want := range map[string]string{
		head + "A\n":                               "has no metadata.name",
		head + "A\nmetadata: {name: 5}\n":          "has 5 as its metadata.name, which is no string: put it in quotes",
		head + "A\nmetadata: {name: [a]}\n":        "has a metadata.name that is no string",
		head + "A\nmetadata: {generateName: a-}\n": "has no metadata.name, and generateName works only with create",
		head + "List\n":                            "is a list without items: its kind is List, and its objects stand under items",
		head + "A\nobject: {}\n":                   "wraps an object: give what stands under its key object",
		head + "A\nMetadata: {name: a}\n":          "has no metadata, but Metadata at line 3: did you mean metadata?",
		"kind: List\napiVersion: v1\nitems: [{kind: AList, apiVersion: v1, items: []}]\n": "is a List inside of a List: put its items into the outer one",
	} {
		if got := one(t, text).Nameless(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestForeign: what other programs print into a stream of manifests is recognized, at its
// line, and so are characters that are not meant.
func TestForeign(t *testing.T) {
	said := func(line, text string) []string {
		return []string{"parse standard input, document 1: line " + line + ": " + text}
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"helm's head", "NAME: web\nLAST DEPLOYED: now\nSTATUS: deployed\n", said("1", errHelmHead.Error())},
		{"helm's notes", "a: 1\nNOTES:\nGo to http://x: y\n", said("2", errHelmLine.Error())},
		{"helm's line in an object", cm("a") + "MANIFEST:\n", []string{
			"notice standard input, document 1: line 5: " + errHelmLine.Error(), "1/0:1 YAML ConfigMap a"}},
		{"a warning", "\nWARNING: no: config\n" + cm("a"), said("2", errToolMessage.Error())},
		{"a diff", "diff -u a b\n--- a\n+++ b\n", []string{"read standard input: line 1: " + errDiff.Error()}},
		{"a tab that indents", "a:\n\tb: 1\n", said("2", tabIndents)},
		{"a character that is reserved", "a: b\nc: @d\n", said("2", "a value cannot begin with @: put it in quotes")},
		{"keys that are words", cm("a") + "on: 1\n\"on\": 2\nx:\n  n: 1\n", []string{
			"notice standard input, document 1: line 5: YAML reads the key on as true: put it in quotes",
			"notice standard input, document 1: line 8: YAML reads the key n as false: put it in quotes", "1/0:1 YAML ConfigMap a"}},
		{"a kind in other letters", "Kind: A\napiVersion: v1\n", said("1", "has no kind, but Kind: did you mean kind?")},
		{
			"a version of three parts",
			"kind: A\napiVersion: a/b/c\n",
			said("1", `has the apiVersion "a/b/c", which is neither GROUP/VERSION nor v1`),
		},
		{
			"a list of another kind",
			`{"items":[` + cmJSON("a") + strings.Repeat(" ", 2*wholeListBytes) + `],"kind":"` + strings.Repeat("A", 70) + `"}`,
			[]string{"1/1:1 JSON ConfigMap a",
				"parse standard input, document 1: line 1: has items with kinds of their own, but its kind is " + strings.Repeat(
					"A",
					60,
				) + "… and not a List"},
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, told(tt.text, Options{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
