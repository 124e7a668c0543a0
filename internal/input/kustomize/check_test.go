package kustomize

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// TestCheck: what cannot be built here is refused at its line, and files that are there,
// texts of patches and templates of names are not.
func TestCheck(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.yaml": "", "base/kustomization.yaml": "", "x.example/y": ""})
	const fetched = ", which is fetched, and ssactl opens no connection: build it first (kubectl kustomize DIRECTORY | ssactl … -f -)"
	for _, tt := range []struct {
		text string
		line int
		want string
	}{
		{"resources:\n- a.yaml\n- base\n- x.example/y\n", 0, ""},
		{"resources:\n- a.yaml\n- b.yaml\n", 3, "resources has b.yaml: there is no such file or folder"},
		{"RESOURCES: &r [b.yaml]\ncomponents: *r\n", 1, "resources has b.yaml: there is no such file or folder"},
		{"bases: [https://github.com/a/b]\n", 1, "bases has https://github.com/a/b" + fetched},
		{"resources:\n- git::x\n", 2, "resources has git::x" + fetched},
		{"resources:\n- git@example.com:a/b\n", 2, "resources has git@example.com:a/b" + fetched},
		{"resources:\n- github.com/a/b?ref=v1\n", 2, "resources has github.com/a/b?ref=v1" + fetched},
		{"resources:\n- ../none/b\n", 2, "resources has ../none/b: there is no such file or folder"},
		{"patches:\n- patch: |\n    a: b\n- path: b.yaml\n", 4, "patches has b.yaml: there is no such file or folder"},
		{"patchesStrategicMerge:\n- |\n  a: b\n", 0, ""},
		{"configMapGenerator:\n- name: a\n  files: [k=a.yaml, l=b.txt]\n", 3, "configMapGenerator has b.txt: there is no such file or folder"},
		{"secretGenerator: [{name: a, envs: [https://x/y]}]\n", 1, "secretGenerator has https://x/y" + fetched},
		{"generators: ['{a: b}']\nresources: [/none]\n", 0, ""},
		{"helmCharts:\n- name: a\n", 2, errCharts.Error()},
		{"helmCharts: []\n", 0, ""},
		{"resources: []\nresource: [a]\n", 2, `unknown field "resource"`},
		{"resources: [\n", 1, "did not find expected node content"},
	} {
		line, err := parse([]byte(tt.text)).check(dir)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if line != tt.line || !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%q: line %d: %s, want line %d: %s", tt.text, line, got, tt.line, tt.want)
		}
	}
}

// TestFiles: nothing is written, and only regular files are read.
func TestFiles(t *testing.T) {
	at, err := folder(folderOf(t, map[string]string{"a.yaml": "a: 1\n"}))
	if err != nil {
		t.Fatal(err)
	}
	f := newFiles(at, manifest.Options{}.WithDefaults())
	path := filepath.Join(at.root, "a.yaml")
	_, created := f.Create(path)
	_, opened := f.Open(path)
	for _, err := range []error{created, opened, f.Mkdir(path), f.MkdirAll(path), f.RemoveAll(path), f.WriteFile(path, nil)} {
		if !errors.Is(err, errReadOnly) {
			t.Errorf("what would write gives %v", err)
		}
	}
	for range 2 {
		if text, err := f.ReadFile(path); err != nil || string(text) != "a: 1\n" {
			t.Errorf("read %q, %v", text, err)
		}
	}
	if _, err := f.ReadFile(filepath.Join(at.root, "b.yaml")); !errors.Is(err, os.ErrNotExist) || f.refused != nil {
		t.Errorf("a file that is not there is %v, refused %v", err, f.refused)
	}
	if _, err := f.ReadFile(at.root); err == nil || f.refused == nil ||
		f.refused.Error() != "build "+at.dir+": is no regular file" {
		t.Errorf("a folder is %v, refused %v", err, f.refused)
	}
	if diff := cmp.Diff([]string{filepath.Join(at.dir, "a.yaml")}, f.read); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	for path, want := range map[string]string{filepath.Join(at.dir, "a.yaml"): "is a file: ", filepath.Join(at.dir, "none"): "there is no such folder", "https://x/y": "is remote, and ssactl opens no connection"} {
		if _, err := folder(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestWhatKustomizeSays: of a build that fails the problem is that of the file at fault,
// and files are named as the user named them; what is deprecated is a notice at its line.
func TestWhatKustomizeSays(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a file that is no YAML", map[string]string{"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": "a: b\nc: [\n"},
			"parse DIR/base/a.yaml, document 1: line 3: did not find expected node content"},
		{"a patch without its object", map[string]string{"base/kustomization.yaml": "patches: [{path: p.yaml}]\n", "base/p.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: a}\n"},
			"build DIR/base: no resource matches strategic merge patch \"A.v1.[noGrp]/a.[noNs]\": no matches for Id A.v1.[noGrp]/a.[noNs]; failed to find unique target for patch A.v1.[noGrp]/a.[noNs]"},
		{"nothing", map[string]string{"base/kustomization.yaml": "resources: []\n"}, "build DIR/base: "},
	} {
		dir := folderOf(t, tt.files)
		built := Build(t.Context(), filepath.Join(dir, "base"), manifest.Options{})
		if len(built.Problems) != 1 ||
			!strings.HasPrefix(strings.ReplaceAll(built.Problems[0].Error(), dir, "DIR"), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, built.Problems, tt.want)
		}
	}
	dir := folderOf(
		t,
		map[string]string{"kustomization.yaml": "configMapGenerator: [{name: a, literals: [a=b]}]\ncommonLabels:\n  a: b\n"},
	)
	var notices []string
	Build(t.Context(), dir, manifest.Options{OnNotice: func(n manifest.Notice) { notices = append(notices, n.String()) }})
	if len(notices) != 1 ||
		!strings.HasPrefix(notices[0], filepath.Join(dir, "kustomization.yaml")+": line 3: 'commonLabels' is deprecated") {
		t.Errorf("notices %q", notices)
	}
}

// TestWithOrigins: a kustomization has origins noted besides what it has noted already; one
// that cannot be read stays.
func TestWithOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"resources: [a]\n":                  "resources: [a]\nbuildMetadata:\n    - originAnnotations\n",
		"buildMetadata: [managedByLabel]\n": "buildMetadata: [managedByLabel, originAnnotations]\n",
		"buildMetadata: x\n":                "buildMetadata: x\nbuildMetadata:\n    - originAnnotations\n",
		"- a\n":                             "- a\n",
		"a: [\n":                            "a: [\n",
	} {
		if diff := cmp.Diff(want, string(withOrigins([]byte(text)))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestOrigins: an object comes from the document of its kind whose name is left in its own,
// the longest one; else from a file, or from the folder.
func TestOrigins(t *testing.T) {
	object := func(kind, name string) string {
		return "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n"
	}
	dir := folderOf(t, map[string]string{
		"a.yaml":             object("A", "web") + "---\n" + object("A", "web-2") + "---\n" + object("B", "web"),
		"kustomization.yaml": "configMapGenerator:\n- name: a\n- name: a-b\nsecretGenerator:\n- name: a-b-c\n",
	})
	at, err := folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		kind, name string
		from       *resource.Origin
		want       string
	}{
		{"A", "x-web-2-y", &resource.Origin{Path: "a.yaml"}, "DIR/a.yaml, document 2: line 6"},
		{"A", "web-3", &resource.Origin{Path: "a.yaml"}, "DIR/a.yaml, document 1: line 1"},
		{"A", "other", &resource.Origin{Path: "a.yaml"}, "DIR/a.yaml"},
		{"B", "other", &resource.Origin{Path: "a.yaml"}, "DIR/a.yaml, document 3: line 11"},
		{"C", "web", &resource.Origin{Path: "a.yaml"}, "DIR/a.yaml"},
		{"ConfigMap", "p-a-b-c-5g", &resource.Origin{ConfiguredIn: "kustomization.yaml"}, "DIR/kustomization.yaml: line 3"},
		{"Secret", "a-b-c-5g", &resource.Origin{ConfiguredIn: "kustomization.yaml"}, "DIR/kustomization.yaml: line 5"},
		{"Secret", "x", &resource.Origin{ConfiguredIn: "none.yaml"}, "DIR/none.yaml"},
		{"A", "web", &resource.Origin{Repo: "x", Path: "a.yaml"}, "DIR"},
		{"A", "web", nil, "DIR"},
	} {
		documents, _ := manifest.Load([]string{"-"}, manifest.Options{Stdin: strings.NewReader(object(tt.kind, tt.name))})
		o := &origins{at: at, options: manifest.Options{}.WithDefaults(), known: map[string][]manifest.Document{}}
		if got := strings.ReplaceAll(o.locate(documents[0], tt.from).Source.String(), dir, "DIR"); got != tt.want {
			t.Errorf("%s %s of %v: %s, want %s", tt.kind, tt.name, tt.from, got, tt.want)
		}
	}
}
