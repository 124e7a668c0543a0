package document

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is what a node says, and the lines of its keys and items.
func said(n *Node) any {
	switch n.Kind {
	case Mapping:
		fields := []any{}
		for _, e := range n.Entries {
			fields = append(fields, []any{e.Key, e.Line, said(e.Value)})
		}
		return fields
	case Sequence:
		items := []any{"items"}
		for _, e := range n.Entries {
			items = append(items, e.Line, said(e.Value))
		}
		return items
	}
	return n.Kind
}

// FuzzNodes: the spans of nodes lie within each other, in the order of the text, however
// it is read; and what can be read in one way only has the same keys and items, on the same
// lines, for the fast reader as for the library.
func FuzzNodes(f *testing.F) {
	for _, seed := range []string{
		"a: 1\nb:\n- c\n- d: e # f\n  g: |\n    h\n\n-\n  i: 'j\n\n    k'\n", "{\"a\": [1, {\"b\": null}],\n\"c\": \"\\u00e9\\/\"}",
		"a: &x {b: 1, c: [1, 2]}\nd:\n  <<: *x\n  e: *x\n", "a: {b: c,\n  d: [e,\n  f]}\n", "? a\n: b\n", "a:\n- - 1\n  - 2\n", "y: 1\n\"n\": 2\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if IsJSON(text) {
			checkSpans(t, text, JSON(text))
		}
		parsed, err := YAML(text)
		if err != nil {
			return
		}
		if located := Located(text); located != nil {
			if diff := cmp.Diff(said(parsed), said(located)); diff != "" {
				t.Errorf("%q (-library +fast):\n%s", text, diff)
			}
		}
	})
}

func checkSpans(t *testing.T, text []byte, n *Node) {
	t.Helper()
	n.Walk(func(n *Node) {
		if !n.Sound() || n.Start >= n.End || n.End > len(text) || text[n.Start] != n.Lead {
			t.Errorf("%q: a node from %d to %d is not sound", text, n.Start, n.End)
		}
	})
}

// TestShared: an alias counts for the anchor that it means, not for another of its name.
func TestShared(t *testing.T) {
	root, err := YAML([]byte("a: &x 1\nb: [&x 2, *x]\nc: *x\n? &k d\n: *k\n"))
	if err != nil {
		t.Fatal(err)
	}
	aliases := root.Aliases()
	for i, want := range []bool{false, true, false, false} {
		if got := root.Entries[i].Value.IsShared(aliases); got != want {
			t.Errorf("%s: shared %v, want %v", root.Entries[i].Key, got, want)
		}
	}
	if key := root.Entries[3].KeyNode; key == nil || !key.IsShared(aliases) {
		t.Errorf("the key is not known to be shared: %v", key)
	}
}

// spans are the keys and items of a document, each with the text of its value and, where
// it has its own, of its key.
func spans(text string, n *Node) []string {
	var out []string
	for _, e := range n.Entries {
		line := fmt.Sprintf("%d %s<%s>", e.Line, e.Key, text[e.Value.Start:e.Value.End])
		if e.Odd {
			line += " odd"
		} else if colon := text[e.Start:e.Colon]; !strings.HasSuffix(colon, ":") && colon != "-" && colon != "" {
			line += " behind " + colon
		}
		out = append(out, line)
		if e.Value.Kind != Scalar && e.Value.Kind != Alias {
			out = append(out, spans(text, e.Value)...)
		}
	}
	return out
}

// TestSpans: a value is enclosed with its anchor and tag, without the comment, blank lines
// and line break behind it.
func TestSpans(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"plain", "a: b c # d\nb:  1\n", []string{"1 a<b c>", "2 b<1>"}},
		{"plain over lines", "a: b\n  c\n\n  d # e\nf: g\n", []string{"1 a<b\n  c\n\n  d>", "5 f<g>"}},
		{"quoted", "a: 'it''s' # x\n\"b\" : \"\\\"c\\\"\"\n", []string{"1 a<'it''s'>", "2 b<\"\\\"c\\\"\">"}},
		{"left out", "a:\nb: # c\nc: &x\nd: !!str\n", []string{"1 a<>", "2 b<>", "3 c<&x>", "4 d<!!str>"}},
		{"block", "a: |-\n  b\n\n  c\n\n# d\ne: >\n  f\n", []string{"1 a<|-\n  b\n\n  c>", "7 e<>\n  f>"}},
		{"block that keeps blank lines", "a: |+\n  b\n\nc: d\n", []string{"1 a<|+\n  b\n>", "4 c<d>"}},
		{
			"flow",
			"a: {b: [c, 'd' ], e: f}\n",
			[]string{"1 a<{b: [c, 'd' ], e: f}>", "1 b<[c, 'd' ]>", "1 <c>", "1 <'d'>", "1 e<f>"},
		},
		{
			"items",
			"a:\n- b\n-   c: d\n    e: f\n-\n",
			[]string{"1 a<- b\n-   c: d\n    e: f\n->", "2 <b>", "3 <c: d\n    e: f>", "3 c<d>", "4 e<f>", "5 <>"},
		},
		{
			"anchors and tags",
			"a: &x !!str b\nc: *x\nd: !t {e: f}\n",
			[]string{"1 a<&x !!str b>", "2 c<*x>", "3 d<!t {e: f}>", "3 e<f>"},
		},
		{"keys that are no plain ones", "? a\n: b\n&x c: d\n", []string{"1 a<b> odd", "3 c<d> odd"}},
		{"other breaks and characters", "\u00fc: \u00e4\r\nb: c\r\n", []string{"1 \u00fc<\u00e4>", "2 b<c>"}},
		{"an end marker", "a: b\n\n...\n", []string{"1 a<b>"}},
	}
	for _, tt := range tests {
		root, err := YAML([]byte(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, spans(tt.text, root)); diff != "" || !root.Sound() {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	const inJSON = "{\"a\": [1, \"x\\n\"],\n\"b\": {\"c\": null}}"
	want := []string{"1 a<[1, \"x\\n\"]>", "1 <1>", "1 <\"x\\n\">", "2 b<{\"c\": null}>", "2 c<null>"}
	if diff := cmp.Diff(want, spans(inJSON, JSON([]byte(inJSON)))); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

// TestNoDocument: what is no mapping, several documents, or nothing is none.
func TestNoDocument(t *testing.T) {
	for text, want := range map[string]error{"": ErrNoMapping, "# a\n": ErrNoMapping, "- a\n": ErrNoMapping, "a: b\n---\nc: d\n": errSeveral} {
		if _, err := YAML([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if JSON([]byte(`{"a":`)) != nil || Located([]byte("a: &x b\n")) != nil || IsJSON([]byte("[]")) ||
		!IsJSON([]byte(" {}\n")) {
		t.Error("what cannot be read has nodes, or is taken for JSON")
	}
}

// TestSplit: documents are numbered as they are read, and each knows its section.
func TestSplit(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"one", "# a\n\na: b\n\n# c\n", []string{`1 "a: b\n" alone in "# a\n\na: b\n\n# c\n"`}},
		{
			"separators",
			"---\na: b\n--- # x\n# nothing\n---\nc: |\n  ---\n",
			[]string{`1 "a: b\n" alone in "a: b\n"`, `3 "c: |\n  ---\n" alone in "c: |\n  ---\n"`},
		},
		{
			"a comment that touches the separator",
			"a: b\n---# c\nd: e\n",
			[]string{`1 "a: b\n" alone in "a: b\n"`, `2 "d: e\n" alone in "# c\nd: e\n"`},
		},
		{"text behind a separator", "--- {a: b}\n---\n", []string{`1 " {a: b}\n" alone in " {a: b}\n"`}},
		{"an end marker", "%YAML 1.1\na: b\n...\nc: d\n", []string{`1 "a: b\n" alone in "%YAML 1.1\na: b\n...\nc: d\n"`}},
		{
			"JSON values",
			"{\"a\":1} {\"b\":2}\n---\n{\"c\":3}\n",
			[]string{
				`1 JSON "{\"a\":1}" in "{\"a\":1} {\"b\":2}\n"`,
				`2 JSON "{\"b\":2}" in "{\"a\":1} {\"b\":2}\n"`,
				`3 JSON "{\"c\":3}" alone in "{\"c\":3}\n"`,
			},
		},
		{"flow style is YAML", "{a: 1}\n", []string{`1 "{a: 1}\n" alone in "{a: 1}\n"`}},
		{"nothing", "# a\n---\n", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range Split([]byte(tt.text)) {
			line := fmt.Sprint(p.Number)
			if p.JSON {
				line += " JSON"
			}
			line += fmt.Sprintf(" %q", p.Of([]byte(tt.text)))
			if p.Alone {
				line += " alone"
			}
			got = append(got, line+fmt.Sprintf(" in %q", tt.text[p.SectionStart:p.SectionEnd]))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestValue: a document says the same in YAML and in JSON, numbers included.
func TestValue(t *testing.T) {
	want := map[string]any{"a": int64(1), "b": []any{1.5, int64(2), nil, true}, "true": "x"}
	for _, text := range []string{"a: 1.0\nb: [1.5, 2, ~, yes]\ny: x\n", `{"a":1.0,"b":[1.5,2e0,null,true],"true":"x"}`} {
		got, err := Value([]byte(text), IsJSON([]byte(text)))
		if diff := cmp.Diff(any(want), got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
	if _, err := Value([]byte("a: ["), false); err == nil {
		t.Error("what is no YAML has a value")
	}
	got, err := Normal(map[string]any{"a": []int{1}, "b": 2.0})
	if diff := cmp.Diff(any(map[string]any{"a": []any{int64(1)}, "b": int64(2)}), got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestTexts: splices are carried out in any order, lines get their indentation and ends,
// and compact JSON its spaces outside of strings.
func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		string(Apply([]byte("abcdef"), []Splice{{4, 5, "X"}, {0, 1, ""}, {2, 2, "YY"}})): "bYYcdXf",
		string(Apply([]byte("[a]"), Between(0, 3).Within().Replaced([]byte("b, c")))):    "[b, c]",
		Indented("a\n\nb", "  ", "\r\n"):                                                 "  a\r\n\r\n  b",
		Indented("", "  ", "\n"):                                                         "",
		Newline([]byte("a\r\nb\n")) + Newline([]byte("a")):                               "\r\n\n",
		string(Spaced([]byte(`{"a:,\"":[1,{"b":"\\"}]}`))):                               `{"a:,\"": [1, {"b": "\\"}]}`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
