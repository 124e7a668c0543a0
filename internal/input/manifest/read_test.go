package manifest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// told renders what was read: one line a document, problem or notice.
func told(text string, opts Options) []string {
	opts.Stdin = strings.NewReader(text)
	var lines []string
	opts.OnNotice = func(n Notice) { lines = append(lines, "notice "+n.String()) }
	for d, err := range Read([]string{"-"}, opts) {
		if err != nil {
			lines = append(lines, err.Error())
			continue
		}
		lines = append(
			lines,
			fmt.Sprintf("%d/%d:%d %s %s %s", d.Source.Document, d.Item, d.Source.Line, d.Format, d.Kind, d.Name),
		)
	}
	return lines
}

func cm(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n"
}

func cmJSON(name string) string {
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`
}

func TestRead(t *testing.T) {
	var zipped bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	_, _ = zw.Write([]byte(cm("a")))
	_ = zw.Close()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"one", cm("a"), []string{"1/0:1 YAML ConfigMap a"}},
		{
			"comments and empty documents count",
			"# c\n---\n" + cm("a") + "--- # x\n# only\n---\n\n" + cm("b"),
			[]string{"1/0:3 YAML ConfigMap a", "3/0:11 YAML ConfigMap b"},
		},
		{
			"bom and crlf",
			"\ufeff" + strings.ReplaceAll(cm("a")+"---\n"+cm("b"), "\n", "\r\n"),
			[]string{"1/0:1 YAML ConfigMap a", "2/0:6 YAML ConfigMap b"},
		},
		{
			"utf-16",
			"\xff\xfe" + strings.Join(strings.Split(cm("a"), ""), "\x00") + "\x00",
			[]string{"1/0:1 YAML ConfigMap a"},
		},
		{"gzip", zipped.String(), []string{"1/0:1 YAML ConfigMap a"}},
		{"literal with dashes", cm("a") + "data:\n  x: |\n    ---\n    b\n", []string{"1/0:1 YAML ConfigMap a"}},
		{
			"end marker",
			cm("a") + "...\nrest: 1\n---\n" + cm("b"),
			[]string{
				"1/0:1 YAML ConfigMap a",
				`notice standard input, document 1: line 5: what follows the document end marker "..." is not read, as in kubectl: separate documents with "---"`,
				"2/0:8 YAML ConfigMap b",
			},
		},
		{
			"bad separator",
			cm("a") + "---oops\nb: 1\n---\n" + cm("b"),
			[]string{
				"1/0:1 YAML ConfigMap a",
				"parse standard input, document 2: line 5: invalid YAML document separator: only spaces and a comment may follow ---",
				"3/0:8 YAML ConfigMap b",
			},
		},
		{
			"malformed costs itself",
			cm("a") + "---\nx: [\n---\n" + cm("b"),
			[]string{
				"1/0:1 YAML ConfigMap a",
				"parse standard input, document 2: line 7: did not find expected node content",
				"3/0:8 YAML ConfigMap b",
			},
		},
		{"json lines", cmJSON("a") + "\n" + cmJSON("b") + "\n", []string{"1/0:1 JSON ConfigMap a", "2/0:2 JSON ConfigMap b"}},
		{
			"json line malformed",
			cmJSON("a") + "\n{\"a\":}\n" + cmJSON("b"),
			[]string{
				"1/0:1 JSON ConfigMap a",
				"parse standard input, document 2: line 2: not JSON: invalid character '}' looking for beginning of value",
				"3/0:3 JSON ConfigMap b",
			},
		},
		{"json concatenated", cmJSON("a") + cmJSON("b"), []string{"1/0:1 JSON ConfigMap a", "2/0:1 JSON ConfigMap b"}},
		{"json then yaml", cmJSON("a") + "\n---\n" + cm("b"), []string{"1/0:1 JSON ConfigMap a", "2/0:3 YAML ConfigMap b"}},
		{
			"json values between yaml separators",
			cm("a") + "---\n" + cmJSON("b") + " # c\n\n" + cmJSON("c") + "\n---\n" + cmJSON("d") + "\n# e\n",
			[]string{"1/0:1 YAML ConfigMap a",
				`notice standard input, document 2: line 8: what follows the JSON document is not read, as in kubectl: separate documents with "---"`,
				"2/0:6 YAML ConfigMap b", "3/0:10 YAML ConfigMap d"},
		},
		{"flow yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n", []string{"1/0:1 YAML ConfigMap a"}},
		{
			"yaml list",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\nkind: List\n",
			[]string{"1/1:3 YAML ConfigMap a", "1/2:7 YAML ConfigMap b"},
		},
		{
			"yaml list with shared anchor",
			"kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: &m {name: a}}\n- {apiVersion: v1, kind: ConfigMap, metadata: *m}\n",
			[]string{"1/1:4 YAML ConfigMap a", "1/2:5 JSON ConfigMap a"},
		},
		{
			"json list",
			"{\"apiVersion\":\"v1\",\"items\":[\n" + cmJSON(
				"a",
			) + ",\n" + cmJSON(
				"b",
			) + "\n],\"kind\":\"List\",\"metadata\":{\"continue\":\"x\"}}",
			[]string{
				"1/1:2 JSON ConfigMap a",
				"1/2:3 JSON ConfigMap b",
				"notice standard input, document 1: line 1: the list is incomplete (metadata.continue is set): fetch all of it, without --limit or a limit= in the query",
			},
		},
		{
			"typed list",
			`{"kind":"ConfigMapList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}`,
			[]string{"1/1:1 JSON ConfigMap a"},
		},
		{"empty", "# nothing\n", []string{"read standard input: the file has no object: it is empty, or has comments only"}},
		{"binary", "ab\x00", []string{"read standard input: " + errBinary.Error()}},
		{"no kind", "a: 1\n", []string{"parse standard input, document 1: line 1: has no kind"}},
		{
			"table",
			`{"kind":"Table","apiVersion":"meta.k8s.io/v1"}`,
			[]string{
				"parse standard input, document 1: line 1: is a Table, which the API server makes for printing, not an object: use " + howToGet,
			},
		},
		{
			"watch event",
			`{"type":"ADDED","object":` + cmJSON("a") + `}`,
			[]string{
				"parse standard input, document 1: line 1: is a watch event, not an object: use " + howToGet + " without --watch",
			},
		},
		{
			"status",
			`{"kind":"Status","apiVersion":"v1","message":"no"}`,
			[]string{
				`parse standard input, document 1: line 1: is a Status, an answer of the API server ("no"), not an object: use ` + howToGet,
			},
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

func TestReadLargeLists(t *testing.T) {
	const n = 30000
	var y, j strings.Builder
	y.WriteString("apiVersion: v1\nitems:\n")
	j.WriteString("{\"apiVersion\":\"v1\",\"items\":[\n")
	for i := range n {
		fmt.Fprintf(&y, "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c-%d\n", i)
		if i > 0 {
			j.WriteString(",\n")
		}
		j.WriteString(cmJSON(fmt.Sprintf("c-%d", i)))
	}
	y.WriteString("kind: List\nmetadata:\n  continue: more\n")
	j.WriteString("],\"kind\":\"List\",\"metadata\":{\"continue\":\"more\"}}")
	for _, text := range []string{y.String(), j.String()} {
		got := told(text, Options{MaxDocumentBytes: 2 << 20, Want: func(id Identity) bool { return id.Name == "c-29999" }})
		if len(got) != 2 || !strings.HasSuffix(got[0], "ConfigMap c-29999") || !strings.Contains(got[1], "incomplete") {
			t.Errorf("got %q, want the last object and the notice", got)
		}
	}
}

func TestReadLimits(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%[3]c,*%[3]c,*%[3]c,*%[3]c,*%[3]c,*%[3]c,*%[3]c,*%[3]c]\n", c, c, c-1)
	}
	tests := []struct{ name, text, want string }{
		{"aliases", bomb, "its aliases expand to a document that is larger than the limit"},
		{
			"alias of a long text",
			"a: &a " + strings.Repeat("x", 1<<16) + "\nb: [" + strings.Repeat("*a,", 900) + "]\n",
			"larger than the limit",
		},
		{"size", cm("a") + "data:\n  x: " + strings.Repeat("x", 17<<20) + "\n", "larger than the limit"},
		{"size of json", `{"a":"` + strings.Repeat("x", 17<<20) + `"}`, "larger than the limit"},
		{"a text of 100 MB", `{"a":"` + strings.Repeat("x", 100<<20) + `"}`, "larger than the limit"},
		{"a text of 100 MB in YAML", "a: " + strings.Repeat("x", 100<<20) + "\n", "larger than the limit"},
		{"a million brackets", strings.Repeat("[", 1e6), "nested too deeply"},
		{"a million objects inside each other", strings.Repeat(`{"a":`, 1e6), "nested too deeply"},
		{"a million brackets in YAML", "a: " + strings.Repeat("[", 1e6), "exceeded max depth"},
		{"a million dashes", strings.Repeat("- ", 1e6), "exceeded max depth"},
		{"a million brackets in an item", `{"kind":"List","items":[` + strings.Repeat("[", 1e6), "nested too deeply"},
		{"a million keys in YAML", strings.Repeat("k: v\n", 1e6), "more values than the limit of 838860"},
		{
			"a million keys in JSON",
			`{"kind":"A","apiVersion":"v1",` + strings.Repeat(`"k":1,`, 1e6) + `"k":1}`,
			"more values than the limit of 838860",
		},
		{
			"a million values in an item of a List",
			`{"kind":"List","apiVersion":"v1","items":[{"kind":"A","apiVersion":"v1","a":[` + strings.Repeat(
				"0,",
				1e6,
			) + `0]}]}`,
			"more values than the limit of 838860",
		},
		{
			"a million values in flow style",
			"a: [" + strings.Repeat("{},", 1e6) + "]\n",
			"more values than the limit of 838860",
		},
		{"a million lines of text", cm("a") + "data:\n  x: |-\n" + strings.Repeat("    a,b\n", 1e6), "ConfigMap a"},
		{"a million keys", `{"a":1` + strings.Repeat(`,"k":1`, 1e6) + "}", "has no kind"},
		{
			"a million commas after a mistake",
			`{"kind":"List","items":[{"a":}` + strings.Repeat(`,{"kind":`, 1e6),
			"item 1 of the list: not JSON",
		},
		{"dashes that are no items", "items:\n" + strings.Repeat("- \n", 5e5), "has no kind"},
		{"depth", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested too deeply"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(told(tt.text, Options{}), "\n")
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %.300q, want %q in it", got, tt.want)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a.json", ".h.yml", "c.txt", "sub/d.yaml"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(cm("x")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for recursion, want := range map[Recursion][]string{
		TopOnly:   {".h.yml", "a.json", "b.yaml"},
		Recursive: {".h.yml", "a.json", "b.yaml", "sub/d.yaml"},
	} {
		got, err := Files(dir, recursion)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i], _ = filepath.Rel(dir, got[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("files (-want +got):\n%s", diff)
		}
	}
	for _, path := range []string{"https://x/y.yaml", filepath.Join(dir, "none"), ""} {
		if _, err := Files(path, TopOnly); err == nil {
			t.Errorf("Files(%q): no error", path)
		}
	}
}

// Opening and reading a pipe or a device may take for ever: the reader that is
// given for it decides, and nothing is opened before.
func TestWait(t *testing.T) {
	given := errors.New("given up")
	waited := 0
	opts := Options{Stdin: strings.NewReader("kind: A"), Wait: func(io.Reader) io.Reader {
		waited++
		return iotest.ErrReader(given)
	}}
	for _, path := range []string{"-", os.DevNull} {
		documents, problems := Load([]string{path}, opts)
		if len(documents) > 0 || len(problems) != 1 || !errors.Is(problems[0], given) {
			t.Errorf("%s: %v, %v", path, documents, problems)
		}
	}
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: v1\nkind: A\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problems := Load([]string{file}, opts); len(problems) > 0 {
		t.Error(problems)
	}
	if waited != 2 {
		t.Errorf("%d inputs were waited for, want 2", waited)
	}
}

// A file of comments among others is no trouble; an empty one, or one that is
// named itself, is.
func TestCommentsOnly(t *testing.T) {
	cases := []struct {
		name  string
		files map[string]string
		path  string
		want  []string
	}{
		{"among others", map[string]string{"a.yaml": "# later\n---\n", "b.yaml": cm("b")}, ".",
			[]string{"notice a.yaml: the file has no object: it has comments only", "b.yaml b"}},
		{"empty", map[string]string{"a.yaml": "", "b.yaml": cm("b")}, ".",
			[]string{"read a.yaml: the file has no object: it is empty, or has comments only", "b.yaml b"}},
		{"nothing else", map[string]string{"a.yaml": "# later\n", "b.yaml": "---\n"}, ".", []string{
			"notice a.yaml: the file has no object: it has comments only",
			"notice b.yaml: the file has no object: it has comments only",
			"read .: none of the files has an object: they have comments only",
		}},
		{
			"alone",
			map[string]string{"a.yaml": "# later\n"},
			".",
			[]string{"read a.yaml: the file has no object: it is empty, or has comments only"},
		},
		{"named", map[string]string{"a.yaml": "# later\n", "b.yaml": cm("b")}, "a.yaml",
			[]string{"read a.yaml: the file has no object: it is empty, or has comments only"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range c.files {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			opts := Options{OnNotice: func(n Notice) { got = append(got, "notice "+n.String()) }}
			for d, err := range Read([]string{c.path}, opts) {
				if err != nil {
					got = append(got, err.Error())
					continue
				}
				got = append(got, d.Source.File+" "+d.Name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestManyProblems has a file end after so many objects that cannot be read; those
// after it are read.
func TestManyProblems(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": strings.Repeat("a: 1\n---\n", 3*mostProblems) + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: unread}\n",
		"b.json": strings.Repeat("{\"a\": 1}\n", 3*mostProblems),
		"c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: read}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	documents, problems := Load([]string{folder}, Options{})
	if len(documents) != 1 || documents[0].Name != "read" {
		t.Errorf("%d documents, want the one of c.yaml", len(documents))
	}
	if want := 2 * (mostProblems + 1); len(problems) != want {
		t.Fatalf("%d problems, want %d", len(problems), want)
	}
	const last = "1000 objects of the input cannot be read; the rest is not read"
	for _, p := range []*Problem{problems[mostProblems], problems[2*mostProblems+1]} {
		if !strings.HasSuffix(p.Error(), last) {
			t.Errorf("the last problem of a file is %q, want %q", p, last)
		}
	}
}
