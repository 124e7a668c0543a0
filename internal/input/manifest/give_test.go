package manifest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// TestHooks: each document is given to whom it is for, once, in the order of the input.
func TestHooks(t *testing.T) {
	text := cm("a") + "---\n" + cm("beside") + "---\n" + cm("refused") + "---\n" + cm("skipped") + "---\n" +
		"kind: List\napiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(cm("item")), "\n", "\n  ") + "\n"
	file := write(t, "a.yaml", text)
	var got []string
	note := func(what, name string) { got = append(got, what+" "+name) }
	opts := Options{
		Want:       func(id Identity) bool { return id.Name != "skipped" },
		Beside:     func(id Identity) bool { return id.Name == "beside" },
		OnBeside:   func(d Document) { note("beside", d.Name) },
		OnSkip:     func(id Identity) { note("skip", id.Name) },
		OnDocument: func(d Document) { note("document", d.Name) },
		OnList:     func(id Identity) { note("list", id.Kind) },
		Refuse: func(d Document) (fieldpath.Path, error) {
			if d.Name != "refused" {
				return nil, nil
			}
			return fieldpath.MakePathOrDie("metadata", "name"), errors.New("is refused")
		},
		OnFile: func(name string, info fs.FileInfo, sum [sha256.Size]byte) {
			if name != file || info.Size() != int64(len(text)) || sum != sha256.Sum256([]byte(text)) {
				t.Errorf("%s has %d bytes, or another sum", name, info.Size())
			}
			note("file", "a.yaml")
		},
	}
	for d, err := range Read([]string{file}, opts) {
		if err != nil {
			note("problem", strings.TrimPrefix(err.Error(), "read "+file))
			continue
		}
		note("given", d.Name)
	}
	want := []string{"document a", "given a", "beside beside", "problem , document 3: line 14: is refused", "skip skipped",
		"document item", "given item", "list List", "file a.yaml"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLimitsOfInputs: what is within the limits of an input is given.
func TestLimitsOfInputs(t *testing.T) {
	yamls := cm("a") + "---\n" + cm("b") + "---\n" + cm("c")
	lines := cmJSON("a") + "\n" + cmJSON("b") + "\n" + cmJSON("c") + "\n"
	const tooMany = "the input has more objects than the limit of 2; the rest is not read"
	notB := func(id Identity) bool { return id.Name != "b" }
	tests := []struct {
		name, text string
		opts       Options
		want       []string
	}{
		{
			"objects",
			yamls,
			Options{MaxObjects: 2},
			[]string{"1/0:1 YAML ConfigMap a", "2/0:6 YAML ConfigMap b", "read standard input, document 3: " + tooMany},
		},
		{
			"objects that are skipped",
			lines,
			Options{MaxObjects: 2, Want: notB},
			[]string{"1/0:1 JSON ConfigMap a", "read standard input, document 3: " + tooMany},
		},
		{"objects that cannot be read", "a: 1\n---\nb: 1\n---\n" + cm("c"), Options{MaxObjects: 2}, []string{
			"parse standard input, document 1: line 1: has no kind", "parse standard input, document 2: line 3: has no kind", "read standard input, document 3: " + tooMany}},
		{"bytes", lines, Options{MaxInputBytes: int64(len(cmJSON("a")) + 10)}, []string{"1/0:1 JSON ConfigMap a",
			fmt.Sprintf(
				"read standard input, document 2: line 2: the input has more bytes than the limit of %d",
				len(cmJSON("a"))+10,
			)}},
		{
			"bytes, just enough",
			lines,
			Options{MaxInputBytes: int64(len(lines)), Want: notB},
			[]string{"1/0:1 JSON ConfigMap a", "3/0:3 JSON ConfigMap c"},
		},
		{
			"a document that is not wanted",
			`{"kind":"A","apiVersion":"v1","metadata":{"name":"b"},"x":"` + strings.Repeat("x", 1000) + `"}`,
			Options{MaxDocumentBytes: 100, Want: notB},
			[]string{
				"parse standard input, document 1: line 1: the document is larger than the limit of 100 bytes"},
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, told(tt.text, tt.opts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestDeferred: what is put off is read when somebody asks, and what is wrong with it is
// said then, at its line.
func TestDeferred(t *testing.T) {
	bad := cm("bad") + "data: [\n"
	list := func(items ...string) string {
		return "kind: List\napiVersion: v1\nitems:\n- " + strings.ReplaceAll(
			strings.TrimSpace(strings.Join(items, "\x00")),
			"\x00",
			"\n- ",
		) + "\n"
	}
	item := func(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") }
	many := `{"kind":"A","apiVersion":"v1","metadata":{"name":"many"},"x":[` + strings.Repeat("1,", 50) + `1]}`
	tests := []struct {
		name, text string
		want       []string
	}{
		{"documents", cm("a") + "---\n" + bad, []string{
			`YAML a "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n" {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`,
			"parse standard input, document 2: line 11: did not find expected node content"}},
		{"items", list(item(cm("a"))), []string{
			`YAML a "  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n" {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`}},
		{"JSON", cmJSON("a") + many, []string{"JSON a " + fmt.Sprintf("%q", cmJSON("a")) + " " + cmJSON("a"),
			"parse standard input, document 2: line 1: the document has more values than the limit of 50"}},
	}
	for _, tt := range tests {
		documents, problems := Load([]string{"-"}, Options{
			Stdin: strings.NewReader(tt.text), MaxValues: 50,
			Want: func(Identity) bool { return true }, Defer: func(Identity) bool { return true },
		})
		var got []string
		for _, d := range documents {
			if !d.Deferred() || d.Raw != nil {
				t.Errorf("%s: %s is not put off", tt.name, d.Name)
			}
			if err := d.Unread(); err != nil {
				got = append(got, err.Error())
				continue
			}
			line, ok := Locate(d, fieldpath.MakePathOrDie("metadata", "name"))
			if at := strings.Split(tt.text, "\n")[line-1]; !ok || !strings.Contains(at, "name") {
				t.Errorf("%s: the name of %s is not at line %d", tt.name, d.Name, line)
			}
			got = append(got, fmt.Sprintf("%s %s %q %s", d.Format, d.Name, d.Text(), d.JSON()))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, problems, diff)
		}
	}
}

// TestHoldBytes: what is held packed reads as what is held as it is.
func TestHoldBytes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	text := cm("a") + "---\n" + cm("b") + "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: c\n---\n" + cmJSON("d")
	plain, _ := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
	packed, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text), HoldBytes: len(plain[0].JSON())})
	if len(problems) > 0 || len(packed) != 4 {
		t.Fatalf("%d documents, %v", len(packed), problems)
	}
	for i, d := range packed {
		if isPacked := d.derived.json == nil; isPacked != (i == 1 || i == 2) || !bytes.Equal(d.JSON(), plain[i].JSON()) ||
			!bytes.Equal(d.Raw, plain[i].Raw) {
			t.Errorf("%s: packed %v, %s", d.Name, isPacked, d.JSON())
		}
	}
}

// TestCheckBounds: what would take a program without bounds too much is refused, in the text
// and in texts in it.
func TestCheckBounds(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n"
	inText := "x: |\n  " + strings.ReplaceAll(bomb, "\n", "\n  ") + "\n"
	for text, want := range map[string]string{
		"a: 1\n---\nb: [":       "",
		bomb:                    "larger than the limit of 2000 bytes",
		"a: 1\n---\n" + bomb:    "larger than the limit of 2000 bytes",
		inText:                  "larger than the limit of 2000 bytes",
		strings.Repeat("[", 60): "",
		strings.Repeat("[", 60) + strings.Repeat("]", 60): "nested too deeply: more than 50 levels",
		"a: &a [*a]\n":                errContainsItself.Error(),
		strings.Repeat("a: 1\n", 200): "more values than the limit of 100",
	} {
		err := CheckBounds([]byte(text), Options{MaxDocumentBytes: 2000, MaxDepth: 50, MaxValues: 100})
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// TestFolders: a Helm chart is no folder of manifests, nor are its templates; folders that
// are not read are counted, and what may never end is refused.
func TestFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"chart/Chart.yaml": "name: c\n", "chart/templates/a.yaml": "kind: {{ .Kind }}\n", "chart/a.yaml": cm("a"),
		"deep/sub/b.yaml": cm("b"), "deep/none/c.txt": "", "d.yaml": cm("d"),
	} {
		if dir, _, below := strings.Cut(name, "/"); below {
			_ = os.MkdirAll(dir+"/templates", 0o755)
			_ = os.MkdirAll(dir+"/sub", 0o755)
			_ = os.MkdirAll(dir+"/none", 0o755)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const chart = "is a Helm chart, which objects are rendered from: helm template NAME CHART | ssactl … -f -"
	for _, tt := range []struct {
		path  string
		how   Recursion
		files []string
		err   string
	}{
		{"chart", TopOnly, nil, chart},
		{"chart/templates", TopOnly, nil, "chart " + chart},
		{".", Recursive, []string{"d.yaml", "deep/sub/b.yaml"}, "chart " + chart},
		{".", TopOnly, []string{"d.yaml"}, ""},
		{"deep", TopOnly, nil, "the directory has no file that ends in .json, .yaml, .yml; it has directories, which -R reads"},
		{"deep/none", TopOnly, nil, "the directory has no file that ends in .json, .yaml, .yml"},
	} {
		files, err := Files(tt.path, tt.how)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(tt.files, files); diff != "" || got != tt.err {
			t.Errorf("%s: %q, want %q (-want +got):\n%s", tt.path, got, tt.err, diff)
		}
	}
	unread := 0
	_, _ = Load([]string{"."}, Options{OnNotice: func(n Notice) { unread = n.Unread }})
	if unread != 2 {
		t.Errorf("%d folders are not read, want chart and deep", unread)
	}
}

// TestListHooks: items of a List know the annotations by which Helm takes it for a hook, as far as they come
// before the items, and no others.
func TestListHooks(t *testing.T) {
	const notes = `{helm.sh/hook: pre-install, other: x, helm.sh/hook-weight: "5"}`
	item := `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: {helm.sh/hook: test}}}`
	for name, text := range map[string]string{
		"block": "apiVersion: v1\nkind: List\nmetadata:\n  annotations: " + notes + "\nitems:\n- " + item + "\n- " + item + "\n",
		"flow":  "{apiVersion: v1, kind: List, metadata: {annotations: " + notes + "}, items: [" + item + ", " + item + "]}\n",
		"typed": "apiVersion: v1\nkind: ConfigMapList\nmetadata: {annotations: " + notes + "}\nitems:\n- metadata: {name: a}\n- " + item + "\n",
		"JSON":  `{"kind":"List","apiVersion":"v1","metadata":{"annotations":{"helm.sh/hook":"pre-install","other":"x","helm.sh/hook-weight":"5"}},"items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}},{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}]}`,
	} {
		documents, problems := Load([]string{"-"}, Options{Stdin: strings.NewReader(text)})
		if len(documents) != 2 || problems != nil {
			t.Errorf("%s: %d documents, %v", name, len(documents), problems)
		}
		for _, d := range documents {
			want := map[string]string{"helm.sh/hook": "pre-install", "helm.sh/hook-weight": "5"}
			if diff := cmp.Diff(want, d.ListHooks); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
	documents, _ := Load([]string{"-"}, Options{Stdin: strings.NewReader(item)})
	if len(documents) != 1 || documents[0].ListHooks != nil {
		t.Errorf("a document of its own: %v", documents)
	}
}
