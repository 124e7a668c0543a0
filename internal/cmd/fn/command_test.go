package fn

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/cmd/apply"
	"github.com/ssactl/ssactl/internal/cmd/fn/resourcelist"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/settings"
)

// TestFunctionArgs: the configuration sets what describes a run, by the names of its flags and
// by former ones, and nothing else; an unknown key is named with its line and the nearest one.
func TestFunctionArgs(t *testing.T) {
	keys := func(line int, name string, values ...string) resourcelist.Key {
		return resourcelist.Key{Name: name, Line: line, Values: values}
	}
	args, config, err := functionArgs([]resourcelist.Key{keys(1, "live", "b.yaml", "a.yaml"), keys(2, "manager", "helm"),
		keys(3, "config", "none"), keys(4, "client", "helm@3")})
	if got := strings.Join(args, " "); err != nil || config != "none" ||
		got != "--client=helm@3 --field-manager=helm --live=a.yaml --live=b.yaml" {
		t.Errorf("%s, config %s, %v", got, config, err)
	}
	for name, want := range map[string]string{
		"output": "use one of config, client,", "write": "use one of config, client,", "filename": "use one of",
		"show-secrets": "use one of", "ownership": "use one of", "relase": "did you mean release?", "clinet": "did you mean client?",
	} {
		if _, _, err := functionArgs([]resourcelist.Key{keys(7, name, "x")}); err == nil ||
			!strings.HasPrefix(err.Error(), `line 7: unknown key "`+name+`": `+want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := functionArgs([]resourcelist.Key{keys(7, "release", "a", "b")}); err == nil {
		t.Error("two releases are taken")
	}
}

// notOfRun are the flags of apply that do not describe a run: what is applied, one question
// about it, and how the answer is shown and kept.
var notOfRun = []string{
	"all", "color", "config", "dry-run", "filename", "full-path", "jobs", "kustomize", "max-bytes", "max-depth", "max-document-bytes",
	"max-input-bytes", "max-objects", "max-values", "now", "output", "quiet", "rounds", "show-managed-fields", "show-secrets",
	"show-server-fields", "subresource", "unmatched", "user-agent", "verbose", "write", "write-new",
}

// TestRun: the description of a run has each flag of apply that describes one, and no other.
func TestRun(t *testing.T) {
	var got, want []string
	apply.Command(&app.App{}, &apply.Options{}).Flags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notOfRun, f.Name) {
			want = append(want, f.Name)
			if k, known := settings.InRun(f.Name); known && k.Switch != (f.Value.Type() == "bool") {
				t.Errorf("%s is a %s", f.Name, f.Value.Type())
			}
		}
	})
	for _, k := range settings.Run() {
		got = append(got, k.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the description of a run (-flags of apply +table):\n%s", diff)
	}
}

const list = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, annotations: {config.kubernetes.io/path: a.yaml}}
`

// TestFunction: what is said of an item is a result of the list; what each says of the run
// is one, and errors stand on standard error too.
func TestFunction(t *testing.T) {
	l, err := resourcelist.Read([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	f := &function{list: l, out: &out, err: &errs}
	if err := f.Begin(stream.Start{Problems: []report.Problem{{Message: "unread"}}}); err != nil {
		t.Fatal(err)
	}
	about := func(name string) resourcelist.Result {
		return resourcelist.Result{
			Severity: report.SeverityWarning,
			Message:  "of " + name,
			Resource: &resourcelist.Resource{Kind: "ConfigMap"},
		}
	}
	assumed := resourcelist.Result{Severity: resourcelist.SeverityInfo, Message: "assumed"}
	for _, part := range [][]resourcelist.Result{{about("a"), assumed}, {about("b"), assumed}} {
		if err := f.Add(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.End(stream.Ending{Report: report.Report{Summary: report.Summary{Total: 2, Conflicted: 1}}}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Count(text, "assumed") != 1 || strings.Count(text, "message: of ") != 2 ||
		!strings.Contains(text, "message: unread") ||
		!strings.Contains(text, "name: a, annotations") {
		t.Errorf("the list is\n%s", text)
	}
	if told := errs.String(); strings.Contains(told, "assumed") || strings.Count(told, "\n") != 3 {
		t.Errorf("standard error has\n%s", told)
	}
}

// TestCommand: the items are applied as apply does, and come out as they are.
func TestCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct{ list, out, err string }{
		"an item":  {list, "kind: ResourceList", ""},
		"no items": {strings.Split(list, "items:")[0] + "items: []\n", "items: []", ""},
		"configured": {list + "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {field-manager: helm, validate: warn}}\n",
			"name: a, annotations", ""},
		"with no such key": {list + "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {write: \"true\"}}\n", "",
			`functionConfig: line 7: unknown key "write"`},
		"with a bad value": {list + "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {recursive: perhaps}}\n", "",
			"functionConfig: invalid argument"},
		"no list": {"a: b\n", "", "standard input: "},
	} {
		var out, errs bytes.Buffer
		a := &app.App{Streams: iostreams.New(strings.NewReader(c.list), &out, &errs, nil), Secrets: redact.New()}
		cmd := New(a)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(nil)
		err := cmd.Execute()
		if flushed := a.Streams.Flush(); flushed != nil {
			t.Fatal(flushed)
		}
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			!strings.Contains(out.String(), c.out) {
			t.Errorf("%s: %v, want %q\n%s%s", name, err, c.err, &out, &errs)
		}
	}
}
