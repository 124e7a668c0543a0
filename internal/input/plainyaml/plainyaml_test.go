package plainyaml

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// cases are texts with what becomes of them: JSON, or nothing where they are
// left alone.
var cases = []struct{ name, text, want string }{
	{"mapping", "a: b\nc: 1\n", `{"a":"b","c":1}`},
	{"no break at the end", "a: b", `{"a":"b"}`},
	{"nested", "a:\n  b:\n    c: true\n  d: null\n", `{"a":{"b":{"c":true},"d":null}}`},
	{"nothing", "a:\nb:\n  c:\n", `{"a":null,"b":{"c":null}}`},
	{"sequence at the key's column", "a:\n- b\n- c\nd: e\n", `{"a":["b","c"],"d":"e"}`},
	{"sequence below the key", "a:\n  - b\n  -  c\n", `{"a":["b","c"]}`},
	{"compact mappings", "a:\n- b: 1\n  c:\n  - d\n- e: f\n", `{"a":[{"b":1,"c":["d"]},{"e":"f"}]}`},
	{"compact sequences", "a:\n- - b\n  - c\n- - d\n", `{"a":[["b","c"],["d"]]}`},
	{"item of a list", "  a: b\n  c: d\n", `{"a":"b","c":"d"}`},
	{"empty collections", "a: {}\nb: []\nc: [] # none\n", `{"a":{},"b":[],"c":[]}`},
	{"comments", "# x\na: b # y\n\n  # z\nc: 'd' # e\nf: # g\n  h: i\n", `{"a":"b","c":"d","f":{"h":"i"}}`},
	{"field paths", "f:spec:\n  k:{\"name\":\"main\"}:\n    .: {}\n    f:image: {}\n  v:\"x\": {}\n", `{"f:spec":{"k:{\"name\":\"main\"}":{".":{},"f:image":{}},"v:\"x\"":{}}}`},
	{"quoted", "\"a b\": \"c: \\\"d\\\" # \\n\"\n'e''f': 'g''h'\n", `{"a b":"c: \"d\" # \n","e'f":"g'h"}`},
	{"quantities", "a: 500m\nb: 128Mi\nc: 25%\nd: 10.0.0.1\ne: 1.2.3\nf: --x=1\n", `{"a":"500m","b":"128Mi","c":"25%","d":"10.0.0.1","e":"1.2.3","f":"--x=1"}`},
	{"hexadecimal hash", "a: 2d3cdafed80a\nb: 045ab26\n", `{"a":"2d3cdafed80a","b":"045ab26"}`},
	{"numbers", "a: 0\nb: -12\nc: 123456789012345678\n", `{"a":0,"b":-12,"c":123456789012345678}`},
	{"literal", "a: |\n  b\n\n    c\nd: |-\n  e\nf: |+\n  g\n\nh: i\n", `{"a":"b\n\n  c\n","d":"e","f":"g\n\n","h":"i"}`},
	{"literal with what looks like YAML", "a: |\n  # no comment\n  b: c\n  - d\n", `{"a":"# no comment\nb: c\n- d\n"}`},
	{"literal in an item", "- |\n x\n- a: |\n    y\n  b: z\n", `["x\n",{"a":"y\n","b":"z"}]`},
	{"folded plain", "a: one two\n  three\n  4 five\nb: c\n", `{"a":"one two three 4 five","b":"c"}`},
	{"words within words", "a: yesterday\nb: nothing\nc: Yes sir\n", `{"a":"yesterday","b":"nothing","c":"Yes sir"}`},
	{"other letters", "a: gr\u00fc\u00dfe\n\u00e4: b\n", ""},
	{"other letters in values", "a: gr\u00fc\u00dfe\n", `{"a":"gr` + "\u00fc\u00df" + `e"}`},

	{"flow", "a: [b, \"c d\", -1, --x=1] # e\nf: { g: h, 'i': [], \"j\":true }\n- k\n", ""},
	{"flow sequence", "a: [b, \"c d\",'e' , -1, --x=1] # f\nb: [ ]\n", `{"a":["b","c d","e",-1,"--x=1"],"b":[]}`},
	{"flow mapping", "a: { g: h, 'i': [ [] , {}], \"j\":true }\nb:\n- {c: d}\n- [e]\n", `{"a":{"g":"h","i":[[],{}],"j":true},"b":[{"c":"d"},["e"]]}`},
	{"JSON", "{\n  \"a\": [1, {\"b\":null,\"c\" : \"d\\n\"}],\n  \"e\": {}\n}\n", `{"a":[1,{"b":null,"c":"d\n"}],"e":{}}`},
	{"JSON on one line", `{"a":"b","c":[{"d":1}]}`, `{"a":"b","c":[{"d":1}]}`},

	{"repeated key", "a: b\na: c\n", ""}, {"repeated key in flow", "a: {b: 1, b: 2}\n", ""}, {"repeated key in JSON", `{"a":1,"a":2}`, ""},
	{"comma at the end", "a: [b,]\n", ""}, {"no value in flow", "a: {b: , c: d}\n", ""}, {"no comma", "a: [b c]\n", ""}, {"pair in a sequence", "a: [b: c]\n", ""},
	{"flow on two lines", "a: [b,\n  c]\n", ""}, {"flow left open", "a: [b\n", ""}, {"text behind flow", "a: [b] c\n", ""}, {"colon in flow", "a: [b:c]\n", ""},
	{"JSON with a float", `{"a":1.5}`, ""}, {"JSON with an escape of its own", `{"a":"\u00e4"}`, ""}, {"JSON with tabs", "{\t\"a\": 1}", ""}, {"two values", `{"a":1} {}`, ""},
	{"repeated key, escaped", "\"a\\\"\": \"b\\\"\"\nc: \"d\\\"\"\n\"a\\\"\": e\n", ""},
	{"repeated key, quoted", "a: b\n'a': c\n", ""},
	{"words", "a: yes\n", ""}, {"word as key", "y: 1\n", ""}, {"number as key", "1: 2\n", ""},
	{"float", "a: 1.5\n", ""}, {"exponent", "a: 1e3\n", ""}, {"octal", "a: 0644\n", ""}, {"hexadecimal", "a: 0x1f\n", ""},
	{"date", "a: 2024-01-02\n", ""}, {"time of day", "a: 12:30\n", ""}, {"underscores", "a: 1_000\n", ""},
	{"not a number", "a: .nan\n", ""}, {"infinity", "a: .inf\n", ""}, {"tilde", "a: ~\n", ""},
	{"anchor", "a: &x b\n", ""}, {"alias", "a: *x\n", ""}, {"tag", "a: !!str 1\n", ""},
	{"merge", "<<: {}\n", ""}, {"merge, quoted", "\"<<\": {}\n", ""}, {"folded block", "a: >\n  b\n", ""},
	{"tab", "a:\tb\n", ""}, {"carriage return", "a: b\r\n", ""}, {"two documents", "a: b\n---\nc: d\n", ""},
	{"end marker", "a: b\n...\n", ""}, {"directive", "%YAML 1.1\n", ""}, {"scalar", "a\n", ""}, {"nothing at all", "", ""},
	{"deeper for no reason", "a: b\n  c: d\n", ""}, {"shallower than the first", "  a: b\nc: d\n", ""},
	{"colon in a value", "a: b: c\n", ""}, {"complex key", "? a\n: b\n", ""}, {"value on its own line", "a:\n  b\n", ""},
	{"escape", `a: "\x41"` + "\n", ""}, {"escape of JSON alone", `a: "\/"` + "\n", ""}, {"quote left open", "a: \"b\n  c\"\n", ""}, {"text behind a quote", "a: 'b' c\n", ""},
	{"literal with an indicator", "a: |2\n   b\n", ""}, {"literal without a break", "a: |\n  b", ""}, {"literal that starts blank", "a: |\n\n  b\n", ""},
	{"break of Unicode", "a: b\u2028c\n", ""}, {"not UTF-8", "a: \xff\n", ""}, {"blank in a folded scalar", "a: b\n\n  c\n", ""},
	{"empty item", "-\n- a\n", ""},
}

// TestLongKeys: YAML counts the characters of a key as it is written.
func TestLongKeys(t *testing.T) {
	for _, n := range []int{300, 505, 600, 1100} {
		key := `"` + strings.Repeat(`\"`, n) + `"`
		for _, text := range []string{key + ": a\n", "{" + key + ":1}", "{" + key + strings.Repeat(" ", 900) + ":1}"} {
			checkLaw(t, []byte(text))
			if _, ok := ToJSON([]byte(text)); ok != (len(text) < maxKey) {
				t.Errorf("%d characters in %d: converted %v", n, len(text), ok)
			}
		}
	}
}

// TestMaxDepth: whatever is converted, it nests no deeper than told.
func TestMaxDepth(t *testing.T) {
	const far = 2 * MaxDepth
	shapes := map[string]func(n int) string{
		"mappings": func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String() + strings.Repeat(" ", n) + "b: c\n"
		},
		"sequences": func(n int) string { return strings.Repeat("- ", n) + "b\n" },
		"sequences of mappings": func(n int) string {
			b := "a:\n"
			for i := range n {
				b += strings.Repeat("  ", i) + "- a:\n"
			}
			return b + strings.Repeat("  ", n) + "- [{}]\n"
		},
		"flow": func(n int) string { return "a: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" },
		"JSON": func(n int) string { return strings.Repeat(`{"a":`, n) + "[]" + strings.Repeat("}", n) },
	}
	for name, shape := range shapes {
		deepest := 0
		for n := 1; n < far; n++ {
			json, ok := ToJSON([]byte(shape(n)))
			if ok {
				deepest = max(deepest, levels(json))
			}
		}
		if deepest > MaxDepth || deepest < 50 {
			t.Errorf("%s: up to %d levels are converted, want no more than %d", name, deepest, MaxDepth)
		}
	}
}

// levels counts how deep a JSON text nests that has no brackets in its strings.
func levels(text []byte) int {
	deepest, depth := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

func TestToJSON(t *testing.T) {
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			got, ok := ToJSON([]byte(test.text))
			if !ok {
				got = nil
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkLaw(t, []byte(test.text))
		})
	}
}

// checkLaw: what is converted, sigs.k8s.io/yaml converts alike, strictly, and
// go.yaml.in/yaml/v3 sees keys and items on the same lines.
func checkLaw(t *testing.T, text []byte) {
	t.Helper()
	got, ok := ToJSON(text)
	if !ok {
		return
	}
	want, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		t.Fatalf("converted %q to %s, which is wrong: %v", text, got, err)
	}
	var a, b any
	if err := json.Unmarshal(want, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &b); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatalf("of %q (-want +got):\n%s", text, diff)
	}
	again, at, ok := Located(text)
	if !ok || string(again) != string(got) {
		t.Fatalf("%q: located %v %s, want %s", text, ok, again, got)
	}
	var document yamlv3.Node
	if err := yamlv3.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(nodeLines(nil, &document), at); diff != "" {
		t.Fatalf("lines of %q (-want +got):\n%s", text, diff)
	}
}

// nodeLines are the lines of keys and items in their order.
func nodeLines(lines []int, node *yamlv3.Node) []int {
	for i, child := range node.Content {
		switch {
		case node.Kind == yamlv3.MappingNode && i%2 == 0, node.Kind == yamlv3.SequenceNode:
			lines = append(lines, child.Line)
		}
		lines = nodeLines(lines, child)
	}
	return lines
}

func FuzzToJSON(f *testing.F) {
	for _, test := range cases {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkLaw(t, text) })
}
