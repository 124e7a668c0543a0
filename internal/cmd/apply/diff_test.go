package apply

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

const (
	liveMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  namespace: default
  uid: x
  resourceVersion: "1"
  managedFields:
  - {manager: mine, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}}}}
  - {manager: other, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:theirs": {}}}}
data: {k: v, theirs: x}
`
	manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {k: v}\n"
)

// runLine runs a command on a manifest and the live object, and gives what it prints.
func runLine(t *testing.T, of func(*app.App) *cobra.Command, env map[string]string, text string,
	args ...string) (out, errs string, err error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("m.yaml", []byte(text), 0o600), os.WriteFile("live.yaml", []byte(liveMap), 0o600)); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	a := &app.App{
		Streams: iostreams.New(strings.NewReader(""), &stdout, &stderr, func(name string) string { return env[name] }),
		Secrets: redact.New(),
	}
	cmd := of(a)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"-f", "m.yaml"}, args...))
	err = cmd.ExecuteContext(context.Background())
	if flushed := a.Streams.Flush(); flushed != nil {
		t.Fatal(flushed)
	}
	return stdout.String(), stderr.String(), err
}

// TestVerdicts: of apply, a refused object is no; of diff, a difference is, and what is
// refused is more than that.
func TestVerdicts(t *testing.T) {
	changed, refused := strings.Replace(manifest, "k: v", "k: w", 1), strings.Replace(manifest, "k: v", "theirs: z", 1)
	for name, c := range map[string]struct {
		manifest    string
		args        string
		apply, diff error
	}{
		"the same":               {manifest: manifest},
		"a change":               {manifest: changed, diff: app.ErrNo},
		"a change, left out":     {manifest: changed, args: "--ignore-field .data.k"},
		"a conflict":             {manifest: refused, apply: app.ErrNo, diff: app.ErrRefused},
		"one that is forced":     {manifest: refused, args: "--force-conflicts", diff: app.ErrNo},
		"a kind that is none":    {manifest: "a: b\n", apply: app.ErrTrouble, diff: app.ErrTrouble},
		"a change, in a whisper": {manifest: changed, args: "-q", diff: app.ErrNo},
	} {
		t.Run(name, func(t *testing.T) {
			for command, of := range map[string]func(*app.App) *cobra.Command{"apply": New, "diff": NewDiff} {
				want := map[string]error{"apply": c.apply, "diff": c.diff}[command]
				out, errs, err := runLine(
					t, of, nil, c.manifest,
					append(strings.Fields(c.args), "--live", "live.yaml", "--field-manager", "mine")...)
				if app.ExitCode(err) != app.ExitCode(want) || err == nil != (want == nil) {
					t.Errorf("%s: %v, want %v\n%s%s", command, err, want, out, errs)
				}
				if command == "diff" && c.args == "-q" && out != "" {
					t.Errorf("quietly it prints %s", out)
				}
			}
		})
	}
}

// TestFlags: what does not go together is refused before anything is read.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		of   func(*app.App) *cobra.Command
		args string
		err  string
	}{
		{NewDiff, "", "--live is needed"},
		{New, "--force-conflicts --server-side=false", "--force-conflicts only works with --server-side"},
		{New, "--client spinnaker", `--client "spinnaker"`},
		{New, "--write-new x.yaml", "--write-new works only with --write"},
	} {
		if _, _, err := runLine(t, c.of, nil, manifest, strings.Fields(c.args)...); err == nil ||
			!strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, want %q", c.args, err, c.err)
		}
	}
}

// TestDeletions: a client that prunes deletes what it applied and no manifest names.
func TestDeletions(t *testing.T) {
	const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: api}\ndata: {k: v}\n"
	out, errs, err := runLine(t, New, nil, other, "--live", "live.yaml", "--client", "flux", "--prune", "-o", "name")
	if err != nil || !strings.Contains(out, "configmap/api") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
}

// TestExternalDiff: another program compares two folders with a file for each object, and
// its exit code is the verdict.
func TestExternalDiff(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	program := filepath.Join(t.TempDir(), "compare")
	script := "#!/bin/sh\necho \"$3 $4\"\ncat \"$1\"/* \"$2\"/* | grep -c 'name: web'\nexit $EXIT\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	for exit, want := range map[string]error{"0": nil, "1": app.ErrNo,
		"3": errors.New("run " + program + " of KUBECTL_EXTERNAL_DIFF: exit status 3")} {
		t.Setenv("EXIT", exit)
		out, errs, err := runLine(
			t,
			NewDiff,
			map[string]string{"KUBECTL_EXTERNAL_DIFF": program + " -u a;b --x=1"},
			manifest, "--live", "live.yaml", "--field-manager", "mine",
		)
		if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("exit %s: %v, want %v", exit, err, want)
		}
		if out != "-u --x=1\n2\n" || !strings.Contains(errs, `left "a;b" out, as kubectl does`) {
			t.Errorf("exit %s: it prints %q, %q", exit, out, errs)
		}
	}
	if _, _, err := runLine(t, NewDiff, map[string]string{"KUBECTL_EXTERNAL_DIFF": " "}, manifest, "--live", "live.yaml"); err == nil ||
		!strings.Contains(err.Error(), "names no program") {
		t.Errorf("blanks: %v", err)
	}
}

// TestShortened: long names stay apart, and fit every file system.
func TestShortened(t *testing.T) {
	long := strings.Repeat("a", 300)
	a, b := shortened(long+"1"), shortened(long+"2")
	if len(a) != maxFileName || a == b || shortened("web") != "web" {
		t.Errorf("%s, %s, %s", a, b, shortened("web"))
	}
}
