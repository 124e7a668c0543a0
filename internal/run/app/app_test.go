package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

func quietly(env map[string]string) (*App, *bytes.Buffer) {
	errs := &bytes.Buffer{}
	streams := iostreams.New(strings.NewReader(""), &bytes.Buffer{}, errs, func(name string) string { return env[name] })
	return &App{Streams: streams, Secrets: redact.New()}, errs
}

// TestConfigure: a flag that was typed wins over the environment, and that over the file;
// settings of other commands are left out.
func TestConfigure(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile(filepath.Join(dir, ".ssactl.yaml"),
		[]byte("manager: file\nnamespace: file\nlive: [a.yaml, b.yaml]\nignore: .spec\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, errs := quietly(map[string]string{"SSACTL_NAMESPACE": "env"})
	cmd := &cobra.Command{}
	manager, namespace := cmd.Flags().String("field-manager", "kubectl", ""), cmd.Flags().String("namespace", "", "")
	live := cmd.Flags().StringArray("live", nil, "")
	cmd.Flags().Bool("verbose", false, "")
	if err := errors.Join(cmd.ParseFlags([]string{"--field-manager", "typed", "--verbose"}), a.Configure(cmd), a.Streams.Flush()); err != nil {
		t.Fatal(err)
	}
	if *manager != "typed" || *namespace != "env" || strings.Join(*live, " ") != "a.yaml b.yaml" {
		t.Errorf("manager %s, namespace %s, live %v", *manager, *namespace, *live)
	}
	if a.Configured["field-manager"] || !a.Configured["namespace"] || !a.Configured["live"] ||
		a.Configured["ignore-field"] {
		t.Errorf("configured are %v", a.Configured)
	}
	if want := "note: set --namespace env (SSACTL_NAMESPACE)\nnote: set --live a.yaml --live b.yaml (.ssactl.yaml:3)\n"; errs.String() != want {
		t.Errorf("said is %q, want %q", errs, want)
	}
}

// TestMisconfigured: a setting that is wrong is an error with its place.
func TestMisconfigured(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	cmd := &cobra.Command{}
	cmd.Flags().Int("namespace", 0, "")
	a, _ := quietly(map[string]string{"SSACTL_NAMESPACE": "env"})
	if err := a.Configure(cmd); err == nil || !strings.HasPrefix(err.Error(), "SSACTL_NAMESPACE: invalid argument") {
		t.Errorf("a number that is none: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".ssactl.yaml"), []byte("owner: me\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Configure(&cobra.Command{}); err == nil ||
		!strings.Contains(err.Error(), `.ssactl.yaml:1: there is no such setting: known are client,`) {
		t.Errorf("a setting that is none: %v", err)
	}
}

// TestRulingSettings: what a file leaves out, and that it lets a run pass, is noted with its
// place; what a flag says is not, and neither is what makes a run stricter.
func TestRulingSettings(t *testing.T) {
	for name, c := range map[string]struct {
		file, config string
		env          map[string]string
		args         []string
		byDefault    []string
		ignoring     string
		ruled        []string
	}{
		"ignore":                     {file: "manager: a\nignore: [.spec, .status]\n", ignoring: "ignore: .spec, .status (.ssactl.yaml:2)"},
		"ignore, and a flag":         {file: "ignore: .spec\n", args: []string{"--ignore-field", ".data"}},
		"ignore, by the environment": {env: map[string]string{"SSACTL_IGNORE": ".spec"}, ignoring: "ignore: .spec (SSACTL_IGNORE)"},
		"never":                      {file: "fail-on: never\n", ruled: []string{"No risk and no finding fails the run: fail-on: never (.ssactl.yaml:1)."}},
		"never, and a flag":          {file: "fail-on: never\n", args: []string{"--fail-on", "risky"}},
		"risky":                      {file: "fail-on: risky\n"},
		"less than the default": {file: "fail-on: error\n", byDefault: []string{"warning"},
			ruled: []string{"Only fail-on: error fails the run (.ssactl.yaml:1)."}},
		"more than the default": {file: "fail-on: note\n", byDefault: []string{"warning"}},
		"no file":               {file: "ignore: .spec\nfail-on: never\n", config: NoConfig},
		"another file": {file: "ignore: .spec\n", config: "other.yaml",
			ruled: []string{"No risk and no finding fails the run: fail-on: never (other.yaml:2)."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			err := errors.Join(
				os.WriteFile(".ssactl.yaml", []byte(c.file), 0o600),
				os.WriteFile("other.yaml", []byte("\nfail-on: never\n"), 0o600),
			)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := quietly(c.env)
			a.Config = c.config
			cmd := &cobra.Command{}
			cmd.Flags().StringArray("ignore-field", nil, "")
			cmd.Flags().String("field-manager", "", "")
			cmd.Flags().StringSlice("fail-on", c.byDefault, "")
			if err := errors.Join(cmd.ParseFlags(c.args), a.Configure(cmd)); err != nil {
				t.Fatal(err)
			}
			ignoring, ruled := "", []string(nil)
			if a.Ignoring != nil {
				ignoring = a.Ignoring.Message
			}
			for _, s := range a.Settings {
				ruled = append(ruled, s.Message)
			}
			if diff := cmp.Diff(append([]string{c.ignoring}, c.ruled...), append([]string{ignoring}, ruled...)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	a, _ := quietly(nil)
	a.Ignoring = &report.Setting{Message: "ignore: .spec (.ssactl.yaml:2)"}
	if got := a.LeavesOut(2, 1); got.Message != "2 differences of 1 object left out by ignore: .spec (.ssactl.yaml:2)." ||
		got.LeftOut != 2 ||
		got.Objects != 1 {
		t.Errorf("left out: %+v", got)
	}
}

// TestMissingConfig: a file that is named has to be there, and what is wrong with its shape
// is said without its text.
func TestMissingConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("keys.yaml", []byte("password: hunter2\n"), 0o600), os.WriteFile("no.yaml", []byte("a: *hunter2\n"), 0o600),
		os.WriteFile("list.yaml", []byte("- hunter2\n"), 0o600), os.WriteFile("typo.yaml", []byte("\nfail_on: never\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"none.yaml": "no such file", "keys.yaml": "keys.yaml:1: there is no such setting: known are", "no.yaml": "unknown anchor referenced",
		"list.yaml": "list.yaml:1: settings are a map", "typo.yaml": "typo.yaml:2: there is no setting fail_on: did you mean fail-on?",
	} {
		a, _ := quietly(nil)
		a.Config = file
		err := a.Configure(&cobra.Command{})
		if got := fmt.Sprint(err); !strings.Contains(got, want) || strings.Contains(got, "hunter2") ||
			strings.Contains(got, "password") {
			t.Errorf("%s: %s", file, got)
		}
	}
}

// TestExitCodes: there are four, and an error that is no verdict is trouble.
func TestExitCodes(t *testing.T) {
	for want, errs := range map[int][]error{
		0: {nil}, 1: {ErrNo, ErrRisky, fmt.Errorf("in the end: %w", ErrNo)}, 2: {ErrTrouble, errors.New("odd")}, 3: {ErrRefused},
	} {
		for _, err := range errs {
			if got := ExitCode(err); got != want {
				t.Errorf("%v: exit code %d, want %d", err, got, want)
			}
		}
	}
	for _, c := range []struct {
		summary  report.Summary
		problems []report.Problem
		want     error
	}{
		{summary: report.Summary{Total: 2, Unchanged: 2}},
		{summary: report.Summary{Total: 2, Conflicted: 1}, want: ErrNo},
		{summary: report.Summary{Total: 2, Conflicted: 1, Failed: 1}, want: ErrTrouble},
		{summary: report.Summary{Total: 1, Conflicted: 1}, problems: []report.Problem{{Message: "unread"}}, want: ErrTrouble},
	} {
		doc := report.Report{Summary: c.summary}
		doc.Problems = c.problems
		if got := VerdictOf(doc); !errors.Is(got, c.want) {
			t.Errorf("%+v: verdict %v, want %v", c.summary, got, c.want)
		}
	}
}

// TestTellRecovered: of a killed run it is said what became of it, with paths as they are
// typed in the working directory.
func TestTellRecovered(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	a, errs := quietly(nil)
	a.TellRecovered([]atomic.Recovery{
		{Finished: []string{in("a.yaml"), "/elsewhere/b.yaml"}, Swept: 2},
		{Changed: []string{in("c.yaml")}, Next: []string{in("d.yaml")}, Former: []string{in("e.yaml"), in("f.yaml")}},
		{Changed: []string{in("g.yaml")}},
		{Folder: in("sub"), Swept: 3},
		{Folder: in("none")},
	})
	want := `note: finished what a run that was killed had begun to write: a.yaml, /elsewhere/b.yaml
note: a run was killed while it wrote files, and c.yaml changed since, so the rest of it was discarded; it had written d.yaml; it had not written e.yaml, f.yaml; look through them before you go on
note: a run was killed while it wrote files, and g.yaml changed since, so the rest of it was discarded; look through them before you go on
note: removed temporary files that a run that was killed left in sub: 3
`
	if err := a.Streams.Flush(); err != nil || errs.String() != want {
		t.Errorf("said is\n%swant\n%s%v", errs, want, err)
	}
	if got := ShownPath(dir); got != dir {
		t.Errorf("the working directory is shown as %s", got)
	}
}

// TestLearn: the values of Secrets are masked in what is said, those of others are not.
func TestLearn(t *testing.T) {
	a, _ := quietly(nil)
	a.Learn(manifest.Identity{APIVersion: "v1", Kind: "Secret"},
		[]byte(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"p":"hunter2hunter2"}}`))
	a.Learn(manifest.Identity{APIVersion: "v1", Kind: "ConfigMap"},
		[]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"k":"plainly-said"}}`))
	a.Learn(manifest.Identity{APIVersion: "v1", Kind: "Secret"}, []byte(`{`))
	if text := a.Secrets.Text("hunter2hunter2 is plainly-said"); strings.Contains(text, "hunter2") ||
		!strings.Contains(text, "plainly-said") {
		t.Errorf("it is said as %s", text)
	}
}
