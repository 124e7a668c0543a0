package fn

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cmd/fn/resourcelist"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// TestFunctionArgs: the configuration sets flags that read, and no others.
func TestFunctionArgs(t *testing.T) {
	args, err := functionArgs(map[string][]string{"live": {"b.yaml", "a.yaml"}, "field-manager": {"helm"}})
	if got := strings.Join(args, " "); err != nil || got != "--field-manager=helm --live=a.yaml --live=b.yaml" {
		t.Errorf("%s, %v", got, err)
	}
	for _, name := range []string{"output", "write", "filename", "show-secrets"} {
		if _, err := functionArgs(map[string][]string{name: {"x"}}); err == nil ||
			!strings.Contains(err.Error(), `unknown key "`+name+`": use one of crds,`) {
			t.Errorf("%s: %v", name, err)
		}
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
		return resourcelist.Result{Severity: report.SeverityWarning, Message: "of " + name, Resource: &resourcelist.Resource{Kind: "ConfigMap"}}
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
	if strings.Count(text, "assumed") != 1 || strings.Count(text, "message: of ") != 2 || !strings.Contains(text, "message: unread") ||
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
			`functionConfig: unknown key "write"`},
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
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || !strings.Contains(out.String(), c.out) {
			t.Errorf("%s: %v, want %q\n%s%s", name, err, c.err, &out, &errs)
		}
	}
}
