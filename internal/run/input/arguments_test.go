package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestParseNames: arguments are objects as kubectl takes them, or the error says how they are
// written.
func TestParseNames(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want []ObjectName
		err  string
	}{
		"none":                 {},
		"KIND/NAME":            {args: []string{"deployment/web"}, want: []ObjectName{{Kind: "deployment", Name: "web"}}},
		"of a group":           {args: []string{"deployment.apps/web"}, want: []ObjectName{{"deployment", "apps", "web"}}},
		"of a group with dots": {args: []string{"widget.v1.example.com/a"}, want: []ObjectName{{"widget", "v1.example.com", "a"}}},
		"several":              {args: []string{"cm/a", "secret/b"}, want: []ObjectName{{Kind: "cm", Name: "a"}, {Kind: "secret", Name: "b"}}},
		"KIND NAME NAME":       {args: []string{"cm", "a", "b"}, want: []ObjectName{{Kind: "cm", Name: "a"}, {Kind: "cm", Name: "b"}}},
		"KIND.GROUP NAME":      {args: []string{"deploy.apps", "a"}, want: []ObjectName{{"deploy", "apps", "a"}}},
		"a kind alone":         {args: []string{"cm"}, err: `"cm" names no object: write KIND/NAME`},
		"no name":              {args: []string{"cm/"}, err: `"cm/" names no object`},
		"no kind":              {args: []string{"/web"}, err: `"/web" names no object`},
		"both forms":           {args: []string{"cm", "secret/b"}, err: `"cm" names no object`},
	} {
		got, err := ParseNames(c.args)
		if !slices.Equal(got, c.want) || !says(err, c.err) {
			t.Errorf("%s: %v, %v, want %v, %q", name, got, err, c.want, c.err)
		}
	}
}

// TestParseKinds: --all takes kinds, one by one or with commas, and no names.
func TestParseKinds(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
		err  string
	}{
		"none":       {},
		"one":        {args: []string{"deployments"}, want: "deployments"},
		"commas":     {args: []string{"cm,deploy.apps", "secrets"}, want: "cm deploy.apps secrets"},
		"a name":     {args: []string{"cm/a"}, err: `"cm/a" is no kind`},
		"an empty":   {args: []string{"cm,"}, err: `"cm," is no kind: --all takes kinds`},
		"a bare dot": {args: []string{"cm."}, want: "cm"},
	} {
		kinds, err := ParseKinds(c.args)
		var got []string
		for _, k := range kinds {
			got = append(got, k.String())
		}
		if strings.Join(got, " ") != c.want || !says(err, c.err) {
			t.Errorf("%s: %v, %v, want %q, %q", name, got, err, c.want, c.err)
		}
	}
}

// TestInGroup: the beginning of a group means it, and so does VERSION.GROUP.
func TestInGroup(t *testing.T) {
	for _, c := range []struct {
		typed, group string
		want         bool
	}{
		{"", "apps", true}, {"apps", "apps", true}, {"app", "apps", true}, {"v1.apps", "apps", true},
		{"apps", "batch", false}, {"v1.batch", "apps", false}, {"apps", "", false},
	} {
		if got := (ObjectName{Kind: "k", group: c.typed}).InGroup(c.group); got != c.want {
			t.Errorf("%q means the group %q: %v", c.typed, c.group, got)
		}
	}
	if text := (ObjectName{"deployment", "apps", "web"}).String(); text != "deployment.apps/web" {
		t.Errorf("it is typed as %s", text)
	}
}

// command has the flags that decide which arguments are mistaken for files.
func command(name string, flags ...string) *cobra.Command {
	root := &cobra.Command{Use: "ssactl"}
	cmd := &cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}}
	for _, flag := range flags {
		cmd.Flags().StringArray(flag, nil, "")
	}
	root.AddCommand(cmd)
	return cmd
}

// TestOnlyFlags: a file that is named without its flag is reported with it.
func TestOnlyFlags(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  *cobra.Command
		args []string
		err  string
	}{
		"none":   {cmd: command("apply", "filename", "live")},
		"a file": {cmd: command("apply", "filename", "live"), args: []string{"a.yaml"}, err: "ssactl apply -f a.yaml"},
		"two files": {cmd: command("apply", "filename", "live"), args: []string{"live.yaml", "a.yaml"},
			err: "which the live object?\n  ssactl apply -f a.yaml --live live.yaml"},
		"two, where one is read": {cmd: command("audit", "filename"), args: []string{"a.yaml", "b.yaml"},
			err: "ssactl audit -f a.yaml -f b.yaml"},
		"where none is read": {cmd: command("version"), args: []string{"a.yaml"}, err: "unknown command"},
		"a field to explain": {cmd: command("explain", "filename"), args: []string{"deployment.spec.replicas"},
			err: "ssactl schema deployment.spec.replicas"},
		"a file to explain": {cmd: command("explain", "filename"), args: []string{"web.yaml"}, err: "ssactl explain -f web.yaml"},
	} {
		if err := OnlyFlags(c.cmd, c.args); !says(err, c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
	}
}

// TestManifestNames: KIND/NAME selects manifests, and what may be a file does not.
func TestManifestNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll(filepath.Join(dir, "deployment"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "deployment", "here"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ arg, want, err string }{
		"a name":            {arg: "deployment/web", want: "deployment/web"},
		"of a group":        {arg: "deployment.apps/web", want: "deployment.apps/web"},
		"a file of YAML":    {arg: "charts/web.yaml", err: "files are named with -f"},
		"a packed file":     {arg: "charts/web.json.gz", err: "files are named with -f"},
		"a file that is":    {arg: "deployment/here", err: "files are named with -f"},
		"one that is none":  {arg: "web", err: "files are named with -f"},
		"a path with parts": {arg: "a/b/c", err: "files are named with -f"},
	} {
		var in Flags
		err := ManifestNames(&in)(command("apply", "filename"), []string{c.arg})
		if got := strings.Join(in.Names(), " "); got != c.want || !says(err, c.err) {
			t.Errorf("%s: %q, %v, want %q, %q", name, got, err, c.want, c.err)
		}
	}
}

// TestUnknownFormat: what kubectl has is answered with what does the same.
func TestUnknownFormat(t *testing.T) {
	for format, want := range map[string]string{
		"wide":     `unknown output format "wide": use one of text, json` + "\n-o text shows everything with -v",
		"jsonpath": `unknown output format "jsonpath": use one of text, json` + "\npick from what -o json prints, with jq",
		"xml":      `unknown output format "xml": use one of text, json`,
	} {
		if err := UnknownFormat(format, []string{"text", "json"}); err.Error() != want {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestManagersIn: completion gives the field managers of live files, sorted and each once,
// and of what cannot be read none.
func TestManagersIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "live.yaml")
	text := `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, managedFields: [
    {manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {}}},
    {manager: argocd, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {}}}]}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b, managedFields: [
    {manager: helm, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {}}}]}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ManagersIn([]string{"-", file, file + ".none"}); !slices.Equal(got, []string{"argocd", "helm"}) {
		t.Errorf("field managers are %q", got)
	}
}

// says reports whether an error has a text, or there is none where none is wanted.
func says(err error, text string) bool {
	if text == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), text)
}
