package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layout is how a program writes a JSON List.
type layout string

const (
	indented layout = "indented"
	compact  layout = "compact"
	perLine  layout = "an item a line"
)

func (l layout) list(items ...string) string {
	switch l {
	case compact:
		return `{"apiVersion":"v1","items":[` + strings.Join(
			items,
			",",
		) + `],"kind":"List","metadata":{"resourceVersion":""}}` + "\n"
	case perLine:
		return "{\"apiVersion\":\"v1\",\"items\":[\n" + strings.Join(items, ",\n") + "\n],\"kind\":\"List\"}\n"
	}
	items = slices.Clone(items)
	for i, item := range items {
		var b bytes.Buffer
		if json.Indent(&b, []byte(item), "        ", "    ") != nil {
			b.Reset()
			b.WriteString(indent(item))
		}
		items[i] = b.String()
	}
	return "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        " + strings.Join(items, ",\n        ") +
		"\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
}

// indent writes an item in kubectl's way though its brackets do not match.
func indent(item string) string {
	var b strings.Builder
	depth := 2
	newLine := func() { b.WriteString("\n" + strings.Repeat("    ", max(depth, 0))) }
	for _, c := range item {
		switch c {
		case '{', '[':
			b.WriteRune(c)
			depth++
			newLine()
		case '}', ']':
			depth--
			newLine()
			b.WriteRune(c)
		case ',':
			b.WriteRune(c)
			newLine()
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func nested(name string) string {
	return `{"apiVersion":"v1","kind":"A","metadata":{"name":"` + name + `","ownerReferences":[{"apiVersion":"v1","kind":"B","name":"x"},{"apiVersion":"v1","kind":"B","name":"y"}]},"spec":{"list":[1,[2,{"a":"b"}]]}}`
}

// names gives the names of the objects and how many problems there were.
func names(text string, opts Options) (names []string, problems []string) {
	for _, line := range told(text, opts) {
		if name := line[strings.LastIndexByte(line, ' ')+1:]; strings.HasPrefix(line, "parse") ||
			strings.HasPrefix(line, "read") {
			problems = append(problems, line)
		} else {
			names = append(names, name)
		}
	}
	return names, problems
}

// A mistake in a List ends its file, told with the item and the line; the items
// before it are given.
func TestMalformedItem(t *testing.T) {
	good := func(i int) string { return nested(fmt.Sprint("n", i)) }
	tests := []struct{ name, cut, put string }{
		{"value missing", `"A"`, ""},
		{"string without end", `n3"`, "n3"},
		{"brace missing", "}}", "}"},
		{"all brackets missing", "]]}}", ""},
		{"bracket missing", "]}", "}"},
		{"one brace too many", "}}", "}}}"},
		{"comma missing", `,"spec"`, `"spec"`},
		{"bad escape", "n3", `\q`},
		{"bad number", "[1", "[01"},
		{"bad literal", "[1", "[nil"},
		{"deep", "[1", strings.Repeat("[", 2000)},
	}
	for _, l := range []layout{indented, compact, perLine} {
		for _, size := range []int{1, 3000} { // of which the kind is read ahead, and not
			items := []string{good(1), good(2), good(3), good(4), good(5)}
			for i := range size - 1 {
				items = append(items, nested(fmt.Sprint("m", i)))
			}
			for _, tt := range tests {
				t.Run(fmt.Sprintf("%s/%s/%d", tt.name, l, size), func(t *testing.T) {
					damaged := slices.Clone(items)
					damaged[2] = strings.Replace(good(3), tt.cut, tt.put, 1)
					got, problems := names(l.list(damaged...)+cmJSON("behind"), Options{})
					want := []string{"n1", "n2"}
					if tt.name == "one brace too many" {
						want = append(want, "n3") // which is whole
					}
					if diff := cmp.Diff(want, got); diff != "" || len(problems) != 1 ||
						!strings.Contains(problems[0], "item 3 of the list") {
						t.Errorf("problems %.500q, names (-want +got):\n%.2000s", problems, diff)
					}
				})
			}
		}
	}
}

func TestOversizeItems(t *testing.T) {
	for _, size := range []int{300 << 10, 2 << 20} {
		checkOversize(
			t,
			`{"apiVersion":"v1","data":{"x":"`+strings.Repeat("x", size)+`"},"kind":"A","metadata":{"name":"big"}}`,
		)
	}
}

func checkOversize(t *testing.T, big string) {
	t.Helper()
	for _, l := range []layout{indented, compact, perLine} {
		text := l.list(nested("a"), big, nested("b"))
		opts := Options{MaxDocumentBytes: 64 << 10}
		got, problems := names(text, opts)
		if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" || len(problems) != 1 ||
			!strings.Contains(problems[0], "item 2 of the list: the document is larger than the limit") {
			t.Errorf("%s: problems %.300q, names (-want +got):\n%s", l, problems, diff)
		}
		opts.Want = func(id Identity) bool { return id.Name != "big" }
		if _, problems := names(text, opts); len(problems) != 0 {
			t.Errorf("%s: problems %q for an item that nobody wants", l, problems)
		}
	}
}

func TestListsOfAllShapes(t *testing.T) {
	typeless := func(i int) string {
		return fmt.Sprintf(`{"metadata":{"name":"n%d"},"x":%q}`, i, strings.Repeat("x", 400))
	}
	var many []string
	for i := range 5000 {
		many = append(many, typeless(i))
	}
	joined := strings.Join(many, ",")
	tests := []struct {
		name, text string
		objects    int
		problems   []string
	}{
		{"two lists", compact.list(nested("a")) + indented.list(nested("b"), nested("c")), 3, nil},
		{"kind after items", `{"items":[` + nested("a") + `],"apiVersion":"v1","kind":"List"}`, 1, nil},
		{"typed, kind after items", `{"items":[` + typeless(1) + `],"apiVersion":"v1","kind":"AList"}`, 1, nil},
		{"typed and large", `{"apiVersion":"v1","kind":"AList","items":[` + joined + `]}`, 5000, nil},
		{"typed and large, kind after items", `{"items":[` + joined + `],"apiVersion":"v1","kind":"AList"}`, 5000, nil},
		{"an object with items", `{"apiVersion":"x/v1","items":[{"a":1}],"kind":"Foo","metadata":{"name":"a"}}`, 1, nil},
		{
			"an object with kind before items",
			`{"apiVersion":"x/v1","kind":"Foo","items":[{"a":1}],"metadata":{"name":"a"}}`, 1, nil,
		},
		{"no items", `{"apiVersion":"v1","kind":"List","items":[]}`, 0, nil},
		{"items of no kind", `{"apiVersion":"v1","kind":"List","items":[1,{}]}`, 0, []string{
			"parse standard input, document 1: line 1: item 1 of the list: is a single value, not an object with apiVersion and kind",
			"parse standard input, document 1: line 1: item 2 of the list: has no kind"}},
		{
			"items twice",
			`{"apiVersion":"v1","kind":"List","items":[` + nested("a") + `],"items":[` + nested("b") + `]}`,
			1,
			[]string{
				"parse standard input, document 1: line 1: the list has the key items twice; the rest of the file is not read"},
		},
		{
			"items twice, kind after items",
			`{"items":[` + nested("a") + `],"items":[` + nested("b") + `],"apiVersion":"v1","kind":"List"}`,
			1,
			[]string{
				"parse standard input, document 1: line 1: the list has the key items twice; the rest of the file is not read"},
		},
		{
			"cut off",
			indented.list(nested("a"), nested("b"))[:1300],
			1,
			[]string{"parse standard input, document 1: line 49: item 2 of the list: the JSON ends in the middle of a value"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := names(tt.text, Options{})
			if diff := cmp.Diff(tt.problems, problems); diff != "" || len(got) != tt.objects {
				t.Errorf("%d objects, want %d; problems (-want +got):\n%s", len(got), tt.objects, diff)
			}
		})
	}
}

// A typed List whose kind comes last is read ahead where it is a file; of a
// stream only as many items wait as a document may be large.
func TestLateKind(t *testing.T) {
	item := `{"metadata":{"name":"n"},"x":"` + strings.Repeat("x", 1000) + `"},`
	text := `{"items":[` + strings.Repeat(item, 4000) + `{"metadata":{"name":"last"}}],"apiVersion":"v1","kind":"AList"}`
	opts := Options{MaxDocumentBytes: 2 << 20}
	if _, problems := names(text, opts); len(problems) != 1 || !strings.Contains(problems[0], errLateKind.Error()) {
		t.Errorf("got %q, want %q", problems, errLateKind)
	}
	path := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(path, []byte(cmJSON("first")+"\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	documents, problems := Load([]string{path}, opts)
	if len(documents) != 4002 || len(problems) != 0 || documents[4001].Kind != "A" {
		t.Errorf("got %d documents and %v, want 4002 and none", len(documents), problems)
	}
}

// Wherever a line is cut off, the objects on the other lines are given, and the
// line is reported.
func TestCutLine(t *testing.T) {
	object := func(name string) string {
		return `{"apiVersion":"v1","kind":"A","metadata":{"labels":{},"name":"` + name + `","finalizers":["x","y"]},"spec":[{"a":[1,{"b":"c"}],"d":true}]}`
	}
	line := object("b")
	for n := 1; n < len(line); n++ {
		got := told(object("a")+"\n"+line[:n]+"\n"+object("c")+"\n"+object("d")+"\n", Options{})
		want := []string{"1/0:1 JSON A a", "", "3/0:3 JSON A c", "4/0:4 JSON A d"}
		if len(got) > 1 && strings.HasPrefix(got[1], "parse standard input, document 2: line 2: ") {
			want[1] = got[1]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the line %s (-want +got):\n%s", line[:n], diff)
		}
	}
}

// Objects that stand inside of another on lines of their own, with commas between
// them, are no documents, whatever is wrong around them.
func TestLinesInside(t *testing.T) {
	object := func(name string) string { return `{"apiVersion":"v1","kind":"A","metadata":{"name":"` + name + `"}}` }
	open := `{"apiVersion":"v1","kind":"W","metadata":{"name":"w"},"spec":{"all":[` + "\n" + object(
		"a",
	) + ",\n" + object(
		"b",
	) + "\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"the end is missing", object("x") + "\n" + open + "]\n", []string{"1/0:1 JSON A x",
			"parse standard input, document 2: line 6: the JSON ends in the middle of a value"}},
		{"a mistake behind them", object("x") + "\n" + open + "]},}\n" + object("c") + "\n", []string{"1/0:1 JSON A x",
			"parse standard input, document 2: line 5: not JSON: invalid character '}' looking for beginning of object key string", "3/0:6 JSON A c"}},
		{"the bracket around them is missing", object("x") + "\n" + open + object("c") + "\n", []string{"1/0:1 JSON A x",
			"parse standard input, document 2: line 4: " + errCutOff.Error(), "3/0:5 JSON A c"}},
		{
			"an array without commas",
			object("x") + "\n[\n" + object("a") + "\n" + object("b") + "\n]\n",
			[]string{"1/0:1 JSON A x",
				"parse standard input, document 2: line 2: " + errCutOff.Error(), "3/0:3 JSON A a", "4/0:4 JSON A b",
				"parse standard input, document 5: line 5: not JSON: invalid character ']' looking for beginning of value"},
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, told(tt.text, Options{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Where every line lacks its brackets, no line is read again and again.
func TestAllLinesCut(t *testing.T) {
	text := `{"kind":"A"}` + "\n" + strings.Repeat(`{"kind":"A","x":["`+strings.Repeat("y", 100)+`",`+"\n", 1000)
	if problems := told(text, Options{MaxDepth: 100, MaxDocumentBytes: 10_000}); len(problems) > 100 {
		t.Errorf("%d problems: so many lines were gone back to", len(problems))
	}
}

// Whatever is cut out of one item, the items before it are given, and no item is
// lost without a word.
func FuzzCutItem(f *testing.F) {
	for at := range uint16(40) {
		f.Add(at*17, at%5+1)
	}
	f.Fuzz(func(t *testing.T, from, n uint16) {
		text := indented.list(nested("a"), nested("b"), nested("c"), nested("d"))
		name := strings.Index(text, `"name": "c"`)
		start := strings.LastIndex(text[:name], "\n        {") + len("\n        {")
		end := start + strings.Index(text[start:], "\n        }")
		cutFrom := start + int(from)%(end-start)
		line := text[cutFrom:end]
		cutTo := cutFrom + min(int(n), max(strings.IndexByte(line, '\n'), 0))
		got, problems := names(text[:cutFrom]+text[cutTo:], Options{})
		if len(got) < 2 || got[0] != "a" || got[1] != "b" || len(got) < 4 && len(problems) == 0 {
			t.Errorf("without %q: names %q, problems %q", text[cutFrom:cutTo], got, problems)
		}
	})
}
