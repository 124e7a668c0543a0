package plainyaml

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// cases are texts with their results: JSON, or nothing where they are
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
	{
		"field paths",
		"f:spec:\n  k:{\"name\":\"main\"}:\n    .: {}\n    f:image: {}\n  v:\"x\": {}\n",
		`{"f:spec":{"k:{\"name\":\"main\"}":{".":{},"f:image":{}},"v:\"x\"":{}}}`,
	},
	{"quoted", "\"a b\": \"c: \\\"d\\\" # \\n\"\n'e''f': 'g''h'\n", `{"a b":"c: \"d\" # \n","e'f":"g'h"}`},
	{
		"quantities",
		"a: 500m\nb: 128Mi\nc: 25%\nd: 10.0.0.1\ne: 1.2.3\nf: --x=1\n",
		`{"a":"500m","b":"128Mi","c":"25%","d":"10.0.0.1","e":"1.2.3","f":"--x=1"}`,
	},
	{
		"digits in parts",
		"a: 11111111-1111-4111-8111-111111111111\nb: 10.0.0.1:80\nc: 12:30\nd: --\ne: ../f\ng: ...\n",
		`{"a":"11111111-1111-4111-8111-111111111111","b":"10.0.0.1:80","c":"12:30","d":"--","e":"../f","g":"..."}`,
	},
	{"hexadecimal hash", "a: 2d3cdafed80a\nb: 045ab26\n", `{"a":"2d3cdafed80a","b":"045ab26"}`},
	{"numbers", "a: 0\nb: -12\nc: 123456789012345678\n", `{"a":0,"b":-12,"c":123456789012345678}`},
	{"literal", "a: |\n  b\n\n    c\nd: |-\n  e\nf: |+\n  g\n\nh: i\n", `{"a":"b\n\n  c\n","d":"e","f":"g\n\n","h":"i"}`},
	{"literal with what looks like YAML", "a: |\n  # no comment\n  b: c\n  - d\n", `{"a":"# no comment\nb: c\n- d\n"}`},
	{"literal in an item", "- |\n x\n- a: |\n    y\n  b: z\n", `["x\n",{"a":"y\n","b":"z"}]`},
	{"folded plain", "a: one two\n  three\n  4 five\nb: c\n", `{"a":"one two three 4 five","b":"c"}`},
	{"plain on its own line", "a:\n  b\nc:\n  # d\n  'e'\nf:\n- g\n-\n  h: i\n", `{"a":"b","c":"e","f":["g",{"h":"i"}]}`},
	{
		"plain with blank lines",
		"a: b\n\n  c\n \n\n  - d\n  'e' # f\n\n\ng: h\n\n  # i\n",
		`{"a":"b\nc\n\n- d 'e'","g":"h"}`,
	},
	{
		"plain that starts as no letter",
		"a: ^[a-z]+$\nb: <none>\nc: :8080\nd: ~/x\ne: \\d\n",
		`{"a":"^[a-z]+$","b":"<none>","c":":8080","d":"~/x","e":"\\d"}`,
	},
	{"single quotes", "a: 'b: c\n  d''s # e \n\n\n    f' # g\n- h\n", ""},
	{
		"single quotes on lines",
		"a: 'b: c\n  d''s # e \n\n\n    f' # g\nh:\n- 'i\n  j'\n",
		`{"a":"b: c d's # e\n\nf","h":["i j"]}`,
	},
	{"double quotes on lines", "a: \"b\\n\\tc \\\n  \\ d\n  e\\\n\n  f\\\\\n  g\"\n", `{"a":"b\n\tc  d e\nf\\ g"}`},
	{"escapes", `a: "\x41\u00e4\U0001f600\0"` + "\n", ""},
	{"escapes of characters", `a: "\x41\u00e4\U0001f600\x1b"` + "\n", `{"a":"A` + "\u00e4\U0001f600" + `\u001b"}`},
	{"fractions", "a: 0.5\nb: -12.50\nc: 2.0\n", `{"a":0.5,"b":-12.5,"c":2}`},
	{"octal", "a: 0644\nb: -010\n", `{"a":420,"b":-8}`},
	{
		"folded block",
		"a: >\n  b\n  c\n\n  d\n    e\n\n  f\n\n\ng: >-\n  h \n  i\n",
		`{"a":"b c\nd\n  e\n\nf\n","g":"h  i"}`,
	},
	{
		"indicators",
		"a: |2\n   b\n  c\nd: |1-\n  e\nf:\n- >+2 # g\n    h\n   i\n\n",
		`{"a":" b\nc\n","d":" e","f":["  h\n i\n\n"]}`,
	},
	{"literal that starts blank", "a: |\n \n\n  b\n", `{"a":"\n\nb\n"}`},
	{"literal without a break", "a: |\n  b", `{"a":"b"}`},
	{"literal with tabs and spaces", "a: |\n  b\tc\n  \td\n     \n  e  \n", `{"a":"b\tc\n\td\n   \ne  \n"}`},
	{
		"comments everywhere",
		"# a\nb: # c\n# d\n  e: f # g\n     # h\n  i:\n  # j\n  - k\n# l\n  - m: [s, # o\n      p # q\n      # r\n    ]\n",
		`{"b":{"e":"f","i":["k",{"m":["s","p"]}]}}`,
	},
	{"words within words", "a: yesterday\nb: nothing\nc: Yes sir\n", `{"a":"yesterday","b":"nothing","c":"Yes sir"}`},
	{"other letters", "a: gr\u00fc\u00dfe\n\u00e4: b\n", `{"a":"gr` + "\u00fc\u00df" + `e","` + "\u00e4" + `":"b"}`},
	{"other letters in values", "a: gr\u00fc\u00dfe\n", `{"a":"gr` + "\u00fc\u00df" + `e"}`},

	{"flow", "a: [b, \"c d\", -1, --x=1] # e\nf: { g: h, 'i': [], \"j\":true }\n- k\n", ""},
	{"flow sequence", "a: [b, \"c d\",'e' , -1, --x=1] # f\nb: [ ]\n", `{"a":["b","c d","e",-1,"--x=1"],"b":[]}`},
	{
		"flow mapping",
		"a: { g: h, 'i': [ [] , {}], \"j\":true }\nb:\n- {c: d}\n- [e]\n",
		`{"a":{"g":"h","i":[[],{}],"j":true},"b":[{"c":"d"},["e"]]}`,
	},
	{
		"flow on lines",
		"a: [\n  b,\n  \"c\",\n]\nd: {e: [f,\n    g], h: {}\n}\n",
		`{"a":["b","c"],"d":{"e":["f","g"],"h":{}}}`,
	},
	{
		"flow of words",
		"a: [b c, d:e, http://f/g, 0.5, 10.0.0.1]\nh: {i j: k's, l: nginx:1.27, }\n",
		`{"a":["b c","d:e","http://f/g",0.5,"10.0.0.1"],"h":{"i j":"k's","l":"nginx:1.27"}}`,
	},
	{"JSON with numbers and escapes", `{"a":1.5,"b":"\u00e4"}`, `{"a":1.5,"b":"` + "\u00e4" + `"}`},
	{"JSON", "{\n  \"a\": [1, {\"b\":null,\"c\" : \"d\\n\"}],\n  \"e\": {}\n}\n", `{"a":[1,{"b":null,"c":"d\n"}],"e":{}}`},
	{"JSON on one line", `{"a":"b","c":[{"d":1}]}`, `{"a":"b","c":[{"d":1}]}`},

	{
		"ids that begin as numbers do",
		"a: 0b1e5e3c-7d2f-4e6a-9b1c-2d3e4f5a6b7c\nb: 0xcf-1\n",
		`{"a":"0b1e5e3c-7d2f-4e6a-9b1c-2d3e4f5a6b7c","b":"0xcf-1"}`,
	},
	{
		"owned fields again and again",
		strings.Repeat(
			"- fieldsV1:\n    f:a:\n      k:{\"b\":\"c\"}: {}\n  d: e\n",
			4,
		) + "- fieldsV1:\n    f:a:\n      k:{\"b\":\"c\"}: {}\n",
		`[` + strings.Repeat(
			`{"fieldsV1":{"f:a":{"k:{\"b\":\"c\"}":{}}},"d":"e"},`,
			4,
		) + `{"fieldsV1":{"f:a":{"k:{\"b\":\"c\"}":{}}}}]`,
	},
	{
		"owned fields that go on",
		strings.Repeat(
			"- fieldsV1:\n    a: b\n",
			3,
		) + "- fieldsV1:\n    a: b\n\n    c: d\n- fieldsV1:\n    a: b\n # e\n    c: d\n- fieldsV1:\n    a: b\n\n     c\n",
		`[` + strings.Repeat(
			`{"fieldsV1":{"a":"b"}},`,
			3,
		) + strings.Repeat(
			`{"fieldsV1":{"a":"b","c":"d"}},`,
			2,
		) + `{"fieldsV1":{"a":"b\nc"}}]`,
	},
	{
		"owned fields at several depths",
		strings.Repeat(
			"- fieldsV1:\n    - a: b\n- c:\n    fieldsV1:\n     - a: b\n  fieldsV1:\n     - a: b\n",
			3,
		) + strings.Repeat(
			"- fieldsV1:\n    |1\n     a\n",
			3,
		) + "-  fieldsV1:\n    |1\n     a\n",
		`[` + strings.Repeat(
			`{"fieldsV1":[{"a":"b"}]},{"c":{"fieldsV1":[{"a":"b"}]},"fieldsV1":[{"a":"b"}]},`,
			3,
		) + strings.Repeat(
			`{"fieldsV1":"  a\n"},`,
			3,
		) + `{"fieldsV1":" a\n"}]`,
	},
	{"owned fields with a mistake", strings.Repeat("- fieldsV1:\n    a: b\n    a: c\n", 3), ""},

	{
		"repeated key",
		"a: b\na: c\n",
		"",
	}, {"repeated key in flow", "a: {b: 1, b: 2}\n", ""}, {"repeated key in JSON", `{"a":1,"a":2}`, ""},
	{"no value in flow", "a: {b: , c: d}\n", ""}, {"pair in a sequence", "a: [b: c]\n", ""},
	{"flow left open", "a: [b\n", ""}, {"text behind flow", "a: [b] c\n", ""},
	{"JSON with tabs", "{\t\"a\": 1}", ""}, {"two values", `{"a":1} {}`, ""},
	{"repeated key, escaped", "\"a\\\"\": \"b\\\"\"\nc: \"d\\\"\"\n\"a\\\"\": e\n", ""},
	{"repeated key, quoted", "a: b\n'a': c\n", ""},
	{"words", "a: yes\n", ""}, {"word as key", "y: 1\n", ""}, {"number as key", "1: 2\n", ""},
	{
		"exponent",
		"a: 1e3\n",
		"",
	}, {"point in front", "a: .5\n", ""}, {"point behind", "a: 5.\n", ""}, {"long fraction", "a: 0.0000001\n", ""},
	{
		"octal with a nine",
		"a: 0689\n",
		"",
	}, {"fraction with a zero in front", "a: 00.5\n", ""}, {"zero below zero", "a: -0\n", ""}, {"hexadecimal", "a: 0x1f\n", ""},
	{
		"date",
		"a: 2024-01-02\n",
		"",
	}, {"exponent below zero", "a: 1e-5\n", ""}, {"date without zeros", "a: 2024-1-2\n", ""}, {"underscores", "a: 1_000\n", ""},
	{"not a number", "a: .nan\n", ""}, {"infinity", "a: .inf\n", ""}, {"tilde", "a: ~\n", ""},
	{"anchor", "a: &x b\n", ""}, {"alias", "a: *x\n", ""}, {"tag", "a: !!str 1\n", ""},
	{"merge", "<<: {}\n", ""}, {"merge, quoted", "\"<<\": {}\n", ""},
	{"tab", "a:\tb\n", ""}, {"carriage return", "a: b\r\n", ""}, {"two documents", "a: b\n---\nc: d\n", ""},
	{"end marker", "a: b\n...\n", ""}, {"directive", "%YAML 1.1\n", ""}, {"scalar", "a\n", ""}, {"nothing at all", "", ""},
	{"deeper for no reason", "a: b\n  c: d\n", ""}, {"shallower than the first", "  a: b\nc: d\n", ""},
	{
		"colon in a value",
		"a: b: c\n",
		"",
	}, {"complex key", "? a\n: b\n", ""}, {"complex key on two lines", "a:\n  ?\n\n  b\n", ""}, {"key in the second line", "a: b\n  c: d\n", ""},
	{
		"escape of JSON alone",
		`a: "\/"` + "\n",
		"",
	}, {"half of a pair", `a: "\ud800"` + "\n", ""}, {"escape cut short", `a: "\x4"` + "\n", ""},
	{
		"text behind a quote",
		"a: 'b' c\n",
		"",
	}, {"text behind a quote, two lines", "a: 'b\n  c' d\n", ""}, {"quote never closed", "a: 'b\n  c\n", ""},
	{"quoted line that is not deeper", "a: 'b\nc'\n", ""}, {"space behind the last backslash", "a: \"b\\ \n  c\"\n", ""},
	{
		"flow line that is not deeper",
		"a: [b,\nc]\n",
		"",
	}, {"comment that touches", "a: [b,#c\n  d]\n", ""}, {"marker in flow", "[a,\n--- b]\n", ""}, {"plain on two lines in flow", "a: [b\n  c]\n", ""},
	{
		"deep tab in front of a literal",
		"a: |\n  \tb\n",
		"",
	}, {"literal below a blank line that is longer", "a: |\n    \n  b\n", ""}, {"empty literal", "a: |\nb: c\n", ""},
	{
		"literal less deep than told",
		"a: |4\n  b\n",
		"",
	}, {"line between literal and parent", "a: |\n    b\n  c\n", ""}, {"tab outside of a literal", "a: |\n  b\nc:\t d\n", ""}, {"two indicators of depth", "a: |12\n  b\n", ""},
	{"break of Unicode", "a: b\u2028c\n", ""}, {"not UTF-8", "a: \xff\n", ""},
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
		"flow in mappings": func(n int) string {
			var b strings.Builder
			for i := range n / 2 {
				b.WriteString(strings.Repeat(" ", i) + "a:\n")
			}
			return b.String() + strings.Repeat(" ", n) + "b: " + strings.Repeat("[", n-n/2) + strings.Repeat("]", n-n/2) + "\n"
		},
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

// TestPrintable: each character counts at each of eight places.
func TestPrintable(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			text := []byte("\n a~\nB z")
			text[at] = byte(c)
			want := c >= ' ' && c < 0x7f || c == '\n'
			if got := printable(binary.LittleEndian.Uint64(text)); got != want {
				t.Errorf("%q: %v", text, got)
			}
			if tabs, ok := readable(text); ok != (want || c == '\t') || tabs != (c == '\t') {
				t.Errorf("%q: readable %v, tabs %v", text, ok, tabs)
			}
		}
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
