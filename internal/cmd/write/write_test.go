package write

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// files makes files in a folder, and goes to it.
func files(t *testing.T, texts map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func says(err error, text string) bool {
	if text == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), text)
}

// runLine runs a command line, and gives what it prints and its verdict.
func runLine(t *testing.T, of func(*app.App) *cobra.Command, args ...string) (out, errs string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app.App{Streams: iostreams.New(strings.NewReader(""), &stdout, &stderr, nil), Secrets: redact.New()}
	cmd := of(a)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(context.Background())
	if flushed := a.Streams.Flush(); flushed != nil {
		t.Fatal(flushed)
	}
	return stdout.String(), stderr.String(), err
}

const (
	deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default, uid: x, resourceVersion: "1"}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
`
	settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default, uid: m, resourceVersion: \"1\"}\ndata: {k: v}\n"
	secret   = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default, uid: z, resourceVersion: \"1\"}\ndata: {p: eA==}\n"
)

// TestCommands: each write is answered for the objects that are named, or the error says
// what is missing.
func TestCommands(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(*app.App) *cobra.Command
		args string
		// out is a part of what is printed, with -o name or another format; verdict the error.
		out, err string
	}{
		"create what is new":       {NewCreate, "-f new.yaml", "configmap/new", ""},
		"create what there is":     {NewCreate, "-f live.yaml --live live.yaml", "", app.ErrNo.Error()},
		"update":                   {NewUpdate, "-f changed.yaml --live live.yaml -o json", `"k": "w"`, ""},
		"update what is not there": {NewUpdate, "-f new.yaml --live live.yaml", "", app.ErrNo.Error()},
		"create without manifests": {NewCreate, "", "", "must specify one of -f and -k"},
		"patch":                    {NewPatch, `configmap/settings --live live.yaml -p data: {k: z} -o json`, `"k": "z"`, ""},
		"patch by JSON": {NewPatch, `cm settings --live live.yaml --type json -p [{"op":"remove","path":"/data/k"}] -o json`,
			`"name": "settings"`, ""},
		"patch by a file": {NewPatch, "configmap/settings --live live.yaml --type merge --patch-file patch.json -o json",
			`"added": "1"`, ""},
		"patch of no kind": {NewPatch, "configmap/settings --live live.yaml --type odd -p {}", "",
			`--type "odd": use strategic, merge, or json`},
		"patch with nothing":    {NewPatch, "configmap/settings --live live.yaml", "", "the patch is missing"},
		"patch with both":       {NewPatch, "configmap/settings --live live.yaml -p {} --patch-file patch.json", "", "not by both"},
		"patch with no YAML":    {NewPatch, "configmap/settings --live live.yaml -p [", "", "parse --patch:"},
		"patch with a mask":     {NewPatch, "secret/s --live live.yaml -p {\"data\":{\"p\":\"***\"}}", "", app.ErrTrouble.Error()},
		"scale":                 {NewScale, "deployment/web --live live.yaml --replicas 5 -o json", `"replicas": 5`, ""},
		"scale to nothing said": {NewScale, "deployment/web --live live.yaml", "", "--replicas is needed, a number from 0"},
		"scale what does not":   {NewScale, "configmap/settings --live live.yaml --replicas 5", "", app.ErrNo.Error()},
		"delete":                {NewDelete, "configmap/settings --live live.yaml", "configmap/settings", ""},
		"delete all of a kind":  {NewDelete, "--all cm,deployments --live live.yaml", "deployment.apps/web", ""},
		"delete by a file":      {NewDelete, "-f changed.yaml --live live.yaml", "configmap/settings", ""},
		"delete in an odd way": {NewDelete, "configmap/settings --live live.yaml --cascade odd", "",
			`--cascade "odd": use background, foreground, or orphan`},
		"delete what is not there": {NewDelete, "configmap/none --live live.yaml", "",
			"the live files have no configmap/none; they have settings"},
		"nothing is named": {NewDelete, "--live live.yaml", "", "nothing says which objects: name them as KIND/NAME"},
		"both are named": {NewDelete, "configmap/settings -f changed.yaml --live live.yaml", "",
			"by -f (or -k) or by arguments, not by both"},
		"all of the manifests":     {NewDelete, "--all -f changed.yaml --live live.yaml", "", "--all means the live objects: leave it or -f out"},
		"no live objects":          {NewDelete, "configmap/settings", "", "--live is needed: the file with the live object"},
		"no manifests in the file": {NewCreate, "-f empty.yaml", "", app.ErrTrouble.Error()},
		"an eviction":              {NewCreate, "-f eviction.yaml --subresource eviction --live pod.yaml", "pod/web", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files(t, map[string]string{
				"live.yaml": deployment + "---\n" + settings + "---\n" + secret, "new.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n",
				"changed.yaml": strings.Replace(
					settings, "k: v", "k: w", 1,
				), "patch.json": `{"data":{"added":"1"}}`, "empty.yaml": "# nothing\n",
				"eviction.yaml": "apiVersion: policy/v1\nkind: Eviction\nmetadata: {name: web, namespace: default}\n",
				"pod.yaml":      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: default, uid: p, resourceVersion: \"1\"}\nspec: {containers: [{name: c, image: i}]}\n",
			})
			args := words(c.args)
			if !strings.Contains(c.args, "-o json") {
				args = append(args, "-o", "name")
			}
			out, errs, err := runLine(t, c.of, args...)
			if !says(err, c.err) || !strings.Contains(out, c.out) {
				t.Errorf("%v, want %q\nit prints %s\nand says %s, want %q", err, c.err, out, errs, c.out)
			}
		})
	}
}

// words are the arguments of a line, with the value of -p as one.
func words(line string) []string {
	before, after, found := strings.Cut(line, " -p ")
	args := strings.Fields(before)
	if !found {
		return args
	}
	if i := strings.LastIndex(after, " -"); i >= 0 {
		return append(append(args, "-p", after[:i]), strings.Fields(after[i:])...)
	}
	return append(args, "-p", after)
}

// TestWriteBack: results are written back once each object is accepted, and else nothing is.
func TestWriteBack(t *testing.T) {
	changed := strings.Replace(settings, "k: v", "k: w", 1)
	for name, c := range map[string]struct{ manifests, said, live string }{
		"all accepted": {changed, "wrote live.yaml\n", "k: w\n"},
		"one refused": {changed + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n",
			"nothing was written, since not every object would be accepted\n", "{k: v}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files(t, map[string]string{"m.yaml": c.manifests, "live.yaml": settings})
			_, errs, _ := runLine(t, NewUpdate, "-f", "m.yaml", "--live", "live.yaml", "--write", "-o", "name")
			text, err := os.ReadFile("live.yaml")
			if err != nil || !strings.Contains(errs, c.said) || !strings.Contains(string(text), c.live) {
				t.Errorf("it says %q, and live.yaml is\n%s%v", errs, text, err)
			}
		})
	}
}

// TestBacklog: results are put where their live objects stand; with one that is refused
// nothing is.
func TestBacklog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "live.yaml")
	if err := os.WriteFile(file, []byte(settings+"---\n"+secret), 0o600); err != nil {
		t.Fatal(err)
	}
	object := func(kind, name string) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       kind,
			"metadata":   map[string]any{"name": name, "namespace": "default"},
		}
	}
	at := func(document int) cluster.Pair {
		return cluster.Pair{
			Live: &live.Object{Document: manifest.Document{Source: manifest.Source{File: file, Document: document}}},
		}
	}
	b := &backlog{plan: &writeback.Plan{NewFile: filepath.Join(filepath.Dir(file), "new.yaml")}}
	b.add(at(1), report.Result{Outcome: report.Configured, Object: object("ConfigMap", "settings")})
	b.add(at(2), report.Result{Outcome: report.Configured, Deleted: true, Live: object("Secret", "s")})
	b.add(cluster.Pair{}, report.Result{Outcome: report.Created, Object: object("ConfigMap", "new")})
	b.add(cluster.Pair{}, report.Result{Outcome: report.Unchanged})
	written, err := b.plan.Commit(context.Background(), atomic.OS{})
	if err != nil || len(written) != 2 {
		t.Fatalf("written are %v, %v", written, err)
	}
	text, _ := os.ReadFile(file)
	if added, _ := os.ReadFile(b.plan.NewFile); strings.Contains(string(text), "Secret") ||
		strings.Contains(string(text), "k: v") ||
		!strings.Contains(string(added), "name: new") {
		t.Errorf("the live file is\n%s, the new one\n%s", text, added)
	}
	b.add(cluster.Pair{}, report.Result{Outcome: report.Conflicted})
	b.add(cluster.Pair{}, report.Result{Outcome: report.Created, Object: object("ConfigMap", "another")})
	if !b.plan.Empty() {
		t.Error("there is something to write, though an object is refused")
	}
}

// TestUnreadInput: what cannot be read is trouble, told once and before the answers.
func TestUnreadInput(t *testing.T) {
	files(
		t,
		map[string]string{"bad.yaml": "a: [\n", "new.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n"},
	)
	out, errs, err := runLine(t, NewCreate, "-f", "bad.yaml", "-f", "new.yaml", "-o", "name", "--ignore-field", ".none")
	if !errors.Is(err, app.ErrTrouble) || !strings.HasPrefix(errs, "error: bad.yaml") ||
		!strings.Contains(errs, "--ignore-field .none: no object has such a field") || out != "configmap/new\n" {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	if lines := strings.Split(strings.TrimSpace(errs), "\n"); slices.ContainsFunc(lines[1:],
		func(line string) bool { return strings.Contains(line, "bad.yaml") }) {
		t.Errorf("it is said more than once: %s", fmt.Sprint(lines))
	}
}
