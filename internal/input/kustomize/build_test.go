package kustomize

import (
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const web = `# the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  template:
    spec:
      containers:
      - name: main
        image: nginx:1
        args: [a, b]
---
apiVersion: v1
kind: Service
metadata: {name: web}
`

var shop = map[string]string{
	"base/kustomization.yaml": "resources: [web.yaml]\n",
	"base/web.yaml":           web,
	"over/kustomization.yaml": `namePrefix: prod-
resources: [../base]
buildMetadata: []
configMapGenerator:
- name: other
  literals: [a=b]
- name: settings
  literals: [a=b]
images: [{name: nginx, newTag: "2"}]
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {template: {spec: {containers: [{name: sidecar, image: envoy}]}}}
`,
}

// TestBuildIsKustomizes: what is built is byte for byte what the library builds
// with the options of kubectl, and has no annotations of origins.
func TestBuildIsKustomizes(t *testing.T) {
	dir := filepath.Join(folderOf(t, shop), "over")
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy
	m, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	built := Build(t.Context(), dir, manifest.Options{})
	if diff := cmp.Diff(string(want), string(built.Text)); diff != "" || len(built.Problems) > 0 {
		t.Errorf("problems %v, text (-want +got):\n%s", built.Problems, diff)
	}
}

// TestPlaces: objects and fields stand where they come from, as long as the value
// is the one there.
func TestPlaces(t *testing.T) {
	dir := folderOf(t, shop)
	built := Build(t.Context(), filepath.Join(dir, "over"), manifest.Options{})
	got := map[string]string{}
	for _, d := range built.Documents {
		got[d.Kind+"/"+d.Name[:8]] = strings.TrimPrefix(d.Source.String(), dir)
		if d.Kind == "Deployment" {
			for field, path := range map[string]fieldpath.Path{
				"replicas": fieldpath.MakePathOrDie("spec", "replicas"),
				"sidecar":  fieldpath.MakePathOrDie("spec", "template", "spec", "containers", 0, "image"),
				"image":    fieldpath.MakePathOrDie("spec", "template", "spec", "containers", 1, "image"),
				"args":     fieldpath.MakePathOrDie("spec", "template", "spec", "containers", 1, "args"),
				"spec":     fieldpath.MakePathOrDie("spec"),
			} {
				if line, ok := manifest.Locate(d, path); ok {
					got[field] = string(rune('0'+line/10)) + string(rune('0'+line%10))
				}
			}
		}
	}
	want := map[string]string{
		"Deployment/prod-web": "/base/web.yaml, document 1: line 2",
		"Service/prod-web":    "/base/web.yaml, document 2: line 15",
		"ConfigMap/prod-oth":  "/over/kustomization.yaml: line 5",
		"ConfigMap/prod-set":  "/over/kustomization.yaml: line 7",
		"replicas":            "07",
		"args":                "13",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// TestNothingIsFetchedOrRun: each way in which kustomize reaches out is refused, and
// neither a connection is made nor a program found.
func TestNothingIsFetchedOrRun(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	connected := make(chan struct{}, 100)
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	server.ConnState = func(net.Conn, http.ConnState) { connected <- struct{}{} }
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	url := "http://" + listener.Addr().String()

	bin := folderOf(t, map[string]string{"git": "#!/bin/sh\necho ran > $RAN\n", "helm": "#!/bin/sh\necho ran > $RAN\n"})
	ran := filepath.Join(t.TempDir(), "ran")
	for _, name := range []string{"git", "helm"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("RAN", ran)
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal(err)
	}

	const generator = "configMapGenerator: [{name: a, literals: [a=b]}]\n"
	for name, c := range map[string]struct{ text, want string }{
		"a resource":            {"resources: [" + url + "/x.yaml]\n", "no connection"},
		"a repository":          {"resources: [github.com/a/b]\n", "no connection"},
		"one of a host":         {"resources: ['git@example.com:a/b.git']\n", "no connection"},
		"one that is a folder":  {"resources: [github.com/here/it]\n", "no connection"},
		"a component":           {"components: ['" + url + "//a?ref=b']\n" + generator, "no connection"},
		"a base":                {"bases: ['" + url + "//a?ref=b']\n", "no connection"},
		"a patch":               {"patches: [{path: " + url + "}]\n" + generator, "no connection"},
		"a patch of old":        {"patchesStrategicMerge: [" + url + "]\n" + generator, "no connection"},
		"a file":                {"configMapGenerator: [{name: a, files: [x=" + url + "]}]\n", "no connection"},
		"a schema":              {"openapi: {path: " + url + "}\n" + generator, "no connection"},
		"a case":                {"RESOURCES: [" + url + "/x.yaml]\n", "no connection"},
		"an alias":              {"namePrefix: &u " + url + "\nresources: [*u]\n", "no connection"},
		"a transformer":         {"transformers: [" + url + "]\n" + generator, "no connection"},
		"a transformer's patch": {"transformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: x}\n  path: " + url + "\n" + generator, "no connection"},
		"a chart":               {"helmCharts: [{name: x, repo: " + url + "}]\n", "runs no program"},
		"a chart's generator":   {"generators:\n- |-\n  apiVersion: builtin\n  kind: HelmChartInflationGenerator\n  metadata: {name: x}\n  name: x\n", "runs no program"},
		"a program":             {"transformers:\n- |-\n  apiVersion: x/v1\n  kind: X\n  metadata: {name: x, annotations: {config.kubernetes.io/function: 'exec: {path: git}'}}\n" + generator, "external plugins disabled"},
		"a file outside":        {"configMapGenerator: [{name: a, files: [../x]}]\n", "security"},
	} {
		dir := folderOf(
			t,
			map[string]string{"k/kustomization.yaml": c.text, "x": "top", "k/github.com/here/it/kustomization.yaml": generator},
		)
		built := Build(t.Context(), filepath.Join(dir, "k"), manifest.Options{})
		if len(built.Problems) != 1 || !strings.Contains(built.Problems[0].Error(), c.want) || len(built.Documents) > 0 {
			t.Errorf("%s: %d documents and %v, want one problem with %q", name, len(built.Documents), built.Problems, c.want)
		}
	}
	if len(connected) > 0 {
		t.Errorf("%d connections were made", len(connected))
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program ran")
	}
	if path, err := exec.LookPath("git"); err != nil || filepath.Dir(path) != bin {
		t.Errorf("the search path is not as it was: %s, %v", path, err)
	}
}

// TestBounds: what is small and would become large has no build.
func TestBounds(t *testing.T) {
	bomb := "x0: &x0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n"
	for i := range 9 {
		now, last := string(rune('1'+i)), string(rune('0'+i))
		bomb += "x" + now + ": &x" + now + " [" + strings.Repeat("*x"+last+",", 10) + "]\n"
	}
	object := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	diamond := map[string]string{}
	for i := range 20 {
		for _, side := range "ab" {
			next := string(rune('a' + i + 1))
			text := "namePrefix: " + string(side) + "\nresources: [../" + next + "a, ../" + next + "b]\n"
			if i == 19 {
				text = "namePrefix: " + string(side) + "\nconfigMapGenerator: [{name: x, literals: [a=b]}]\n"
			}
			diamond[string(rune('a'+i))+string(side)+"/kustomization.yaml"] = text
		}
	}
	diamond["kustomization.yaml"] = "resources: [aa]\n"
	diamond["aa/kustomization.yaml"] = strings.Replace(diamond["aa/kustomization.yaml"], "namePrefix: a\n", "", 1)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"aliases":          {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": object + bomb}, "larger than the limit"},
		"aliases in texts": {map[string]string{"kustomization.yaml": "patches:\n- patch: |\n    " + strings.ReplaceAll(object+bomb, "\n", "\n    ")}, "larger than the limit"},
		"a circle":         {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": object + "data: &x {a: *x}\n"}, "the value of an anchor contains itself"},
		"levels":           {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": object + "data: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000)}, "nested too deeply"},
		"a large file":     {map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "a.yaml": object + "data: {a: " + strings.Repeat("x", 1<<20) + "}\n"}, "larger than the limit"},
	} {
		built := Build(t.Context(), folderOf(t, c.files), manifest.Options{MaxDocumentBytes: 1 << 20})
		if len(built.Problems) != 1 || !strings.Contains(built.Problems[0].Error(), c.want) {
			t.Errorf("%s: %v, want one problem with %q", name, built.Problems, c.want)
		}
	}
	at, err := folder(folderOf(t, diamond))
	if err != nil {
		t.Fatal(err)
	}
	few := newFiles(at, manifest.Options{}.WithDefaults())
	few.left = 100 * kustomizationCost
	b := &builder{at: at, options: few.limits}
	if _, err := b.run(few); err == nil || few.refused == nil || !errors.Is(few.refused.Err, errTooMuch) {
		t.Errorf("bases of bases: %v, refused %v", err, few.refused)
	}
}

// TestSecretsAreLearned: each value that a Secret is made of is handed out, also of a
// build that fails.
func TestSecretsAreLearned(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"kustomization.yaml": `secretGenerator:
- {name: a, literals: [a=one-secret, 'b="two-secret"'], files: [x=f.txt], envs: [e.env]}
patches:
- {target: {kind: Secret}, patch: '[{"op": "add", "path": "/data/x/y/z", "value": "three-secret"}]'}
- {patch: '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"q": "four-secret"}}'}
- {path: p.yaml}
`,
		"f.txt": "five-secret", "e.env": "A=six-secret\n",
		"p.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {q: seven-secret}\n",
	})
	var seen strings.Builder
	built := Build(t.Context(), dir, manifest.Options{OnDocument: func(d manifest.Document) {
		if d.Kind == "Secret" {
			seen.Write(d.JSON())
		}
	}})
	if len(built.Problems) != 1 {
		t.Errorf("problems %v, want one", built.Problems)
	}
	for _, value := range []string{"one-secret", "two-secret", "three-secret", "four-secret", "five-secret", "six-secret"} {
		if !strings.Contains(seen.String(), value) {
			t.Errorf("%s is not handed out", value)
		}
	}
}

// TestRelease: the label that kustomize adds of itself names the release that is in
// kubectl.
func TestRelease(t *testing.T) {
	dir := folderOf(
		t,
		map[string]string{
			"kustomization.yaml": "buildMetadata: [managedByLabel]\nconfigMapGenerator: [{name: a, literals: [a=b]}]\n",
		},
	)
	built := Build(t.Context(), dir, manifest.Options{})
	if want := "app.kubernetes.io/managed-by: kustomize-" + release + "\n"; !strings.Contains(string(built.Text), want) {
		t.Errorf("no %q in:\n%s", want, built.Text)
	}
	kubectl, err := exec.Command("go", "list", "-m", "-f", "{{.GoMod}}", "k8s.io/kubectl").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimSpace(string(kubectl)))
	if err != nil {
		t.Fatal(err)
	}
	if want := "sigs.k8s.io/kustomize/kustomize/v5 " + release + "\n"; !strings.Contains(string(text), want) {
		t.Errorf("kubectl does not require %q", want)
	}
}

// TestWhatEndsTheProcessIsAnError: the library ends the process where it gives up.
func TestWhatEndsTheProcessIsAnError(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(error).Error(), "given up") {
			t.Errorf("recovered %v", p)
		}
	}()
	_ = offline(func() error {
		log.Fatal("given up")
		return nil
	})
}
