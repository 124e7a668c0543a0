package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/run/app"
)

// TestFlags: what the flags make of the plan, and what is wrong with them.
func TestFlags(t *testing.T) {
	auto := migration.Options{Auto: migration.ByEvidence, Claim: migration.ClaimManifest}
	with := func(edit func(*migration.Options)) migration.Options {
		o := auto
		edit(&o)
		return o
	}
	for _, tt := range []struct {
		args []string
		want migration.Options
		err  string
	}{
		{[]string{"-f", "x"}, auto, ""},
		{[]string{"-f", "x", "--from", "auto", "--from", "=auto", "--to", "b"}, with(func(o *migration.Options) { o.From, o.To = []string{"auto"}, "b" }), ""},
		{[]string{"-f", "x", "--from", "helm"}, with(func(o *migration.Options) { o.From, o.Auto = []string{"helm"}, migration.ByNameOnly }), ""},
		{[]string{"-f", "x", "--claim-defaults"}, with(func(o *migration.Options) { o.Claim = migration.ClaimAll }), ""},
		{[]string{"-f", "x", "--claim", "leftover", "--keep-annotation"}, with(func(o *migration.Options) { o.Claim, o.Annotation = migration.ClaimLeftover, migration.KeepAnnotation }), ""},
		{[]string{"-f", "x", "--compatible"}, with(func(o *migration.Options) { o.Mode = migration.Compatible }), ""},
		{[]string{"-f", "x", "--reverse", "--to", "b"}, with(func(o *migration.Options) { o.Mode, o.To = migration.Reverse, "b" }), ""},
		{[]string{"-f", "x", "--subresource", "status"}, with(func(o *migration.Options) { o.Subresource = "status" }), ""},
		{nil, auto, "-f is needed: the file with the live objects"},
		{[]string{"-f", "x", "--claim", "some"}, auto, `--claim "some": use one of manifest, leftover, all`},
		{[]string{"-f", "x", "--from", ""}, auto, "--from names no field manager"},
		{[]string{"-f", "x", "--compatible", "--claim", "all"}, auto, "--compatible leaves the annotation alone and claims all fields: leave the other flags out"},
		{[]string{"-f", "x", "--compatible", "--drop-annotation"}, auto, "--compatible leaves the annotation alone"},
		{[]string{"-f", "x", "--reverse", "--subresource", "status"}, auto, "--reverse writes the annotation of the object itself"},
		{[]string{"-f", "x", "--to", strings.Repeat("x", 129)}, auto, "--to: a field manager has at most 128 bytes"},
		{[]string{"-f", "x", "--to", "a\nb"}, auto, `--to "a\nb": a field manager has printable characters only`},
	} {
		o := &migrateOptions{}
		cmd := &cobra.Command{
			Use:           "migrate",
			RunE:          func(_ *cobra.Command, args []string) error { return o.check(args) },
			SilenceErrors: true,
			SilenceUsage:  true,
		}
		o.addFlags(cmd)
		cmd.SetArgs(append([]string{}, tt.args...))
		err := cmd.Execute()
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %v, want %q", tt.args, err, tt.err)
		}
		if diff := cmp.Diff(tt.want, o.options, cmpopts.IgnoreFields(migration.Options{}, "Send")); err == nil && diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.args, diff)
		}
	}
}

// TestVerdict: the run fails where no answer could be given, and is a no where an object
// is blocked or a named manager is nowhere.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		summary migration.Summary
		missing []string
		want    error
	}{
		{migration.Summary{Total: 2, Migrates: 1, NothingToDo: 1}, nil, nil},
		{migration.Summary{Total: 1, Blocked: 1}, nil, app.ErrNo},
		{migration.Summary{Total: 1, Migrates: 1}, []string{"helm"}, app.ErrNo},
		{migration.Summary{Total: 2, Blocked: 1, Failed: 1}, []string{"helm"}, app.ErrTrouble},
	} {
		o := &migrateOptions{missing: tt.missing}
		if err := o.inquiry().Verdict(nil, migration.Document{Summary: tt.summary}); !errors.Is(err, tt.want) {
			t.Errorf("%+v, missing %v: %v, want %v", tt.summary, tt.missing, err, tt.want)
		}
	}
}

// TestCheckSubresource: a subresource is one that most kinds have, or that an entry has.
func TestCheckSubresource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "live.json")
	text := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","managedFields":[
		{"manager":"a","operation":"Update","apiVersion":"v1","subresource":"log","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	index, errs := live.Load([]string{file}, live.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var subjects []toMigrate
	for _, o := range index.Objects() {
		subjects = append(subjects, toMigrate{live: o})
	}
	for name, want := range map[string]bool{"": true, "status": true, "scale": true, "log": true, "statsu": false} {
		if err := checkSubresource(name, subjects); (err == nil) != want {
			t.Errorf("--subresource %q: %v", name, err)
		}
	}
}
