package input

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/clients"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/shell"
)

// typed gives a command with flags, as it is typed.
func typed(t *testing.T, add func(*cobra.Command), args ...string) *cobra.Command {
	t.Helper()
	cmd := &cobra.Command{Use: "apply"}
	add(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func textsOf(flags []shell.Flag) string {
	var out []string
	for _, f := range flags {
		out = append(out, f.String())
	}
	return strings.Join(out, " ")
}

// TestFlagWords: the flags that decide what is read and answered are repeated as they are
// typed, and only those that are given.
func TestFlagWords(t *testing.T) {
	var in Flags
	var server ServerFlags
	typed(
		t,
		func(cmd *cobra.Command) {
			in.Add(cmd)
			in.AddAssumeAbsent(cmd)
			server.Add(cmd)
		},
		"-f", "a.yaml", "--live", "-", "-k", "app", "-R", "-n", "shop", "--assume-absent",
		"--namespace-strict", "-l", "app=web", "--crds", "crds", "--kubernetes-version", "1.35",
		"--server-version", "v1.35.1", "--server-preset", "eks", "--server-flag", "a=b", "--jobs", "3",
	)
	for want, got := range map[string][]shell.Flag{
		"-f a.yaml --live=-": in.Sources(),
		"-k app -R -n shop --assume-absent --namespace-strict -l 'app=web' --crds=crds":              in.Words(),
		"--kubernetes-version=1.35 --server-version=v1.35.1 --server-preset=eks --server-flag='a=b'": server.Words(),
		"": append((&Flags{}).Words(), (&ServerFlags{}).Words()...),
	} {
		if textsOf(got) != want {
			t.Errorf("flags are %s, want %s", textsOf(got), want)
		}
	}
	if in.Recursion() != manifest.Recursive || (&Flags{}).Recursion() != manifest.TopOnly || !in.HasManifests() ||
		in.CheckManifests() == nil {
		t.Errorf("recursion %v, manifests %v, both at once: %v", in.Recursion(), in.HasManifests(), in.CheckManifests())
	}
}

// TestDryRun: of --dry-run there are two values.
func TestDryRun(t *testing.T) {
	for value, want := range map[string]string{"": "", "none": "", "server": "", "client": `--dry-run "client": use none or server`} {
		if err := (&Flags{DryRun: value}).CheckDryRun(); !says(err, want) {
			t.Errorf("--dry-run=%s: %v", value, err)
		}
	}
}

// TestClientFlags: the options of a client work with it alone; auto means kubectl.
func TestClientFlags(t *testing.T) {
	release := filepath.Join(t.TempDir(), "release.yaml")
	if err := os.WriteFile(release, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args        []string
		client, err string
		words       string
	}{
		"none given":     {client: about.Auto},
		"a bare request": {args: []string{"--client", "none"}, client: about.None, words: "--client=none"},
		"one by name": {args: []string{"--client", "helm", "--release", "shop", "--take-ownership"}, client: "helm",
			words: "--client=helm --release=shop --take-ownership"},
		"none that is known":        {args: []string{"--client", "spinnaker"}, err: `--client "spinnaker": use`},
		"a version that is unknown": {args: []string{"--client", "helm@1"}, err: "the versions that are simulated are"},
		"an option of another": {args: []string{"--client", "kubectl", "--release", "shop"},
			err: "--release works with --client helm"},
		"an option without client": {args: []string{"--take-ownership"}, err: "--take-ownership works with --client helm"},
		"a habit": {args: []string{"--force"},
			err: "--force works with --client flux: to take conflicting fields from their field managers: --force-conflicts"},
		"client-side, by auto": {args: []string{"--server-side=false"}, client: about.Auto, words: "--server-side=false"},
		"server-side, by all": {args: []string{"--client", "flux", "--server-side"}, client: "flux",
			words: "--client=flux --server-side=true"},
		"client-side, by one that cannot": {args: []string{"--client", "flux", "--server-side=false"},
			err: "--server-side works with --client kubectl"},
		"neither side": {args: []string{"--server-side=maybe"}, err: `--server-side "maybe": use auto, true, or false`},
		"all of flux": {args: []string{"--client", "flux", "--prune", "--force", "--override-manager", "a", "--ignore-path",
			"/b"}, client: "flux", words: "--client=flux --prune --force --override-manager=a --ignore-path=/b"},
		"a release manifest": {args: []string{"--client", "helm", "--release-manifest", release, "--force-replace",
			"--create-namespace"}, client: "helm", words: "--client=helm --release-manifest=" + release + " --force-replace --create-namespace"},
		"one that is not there": {args: []string{"--client", "helm", "--release-manifest", release + ".none"},
			err: "--release-manifest: open"},
	} {
		var f ClientFlags
		cmd := typed(t, func(cmd *cobra.Command) {
			cmd.Flags().StringArray("live", nil, "")
			f.AddManager(cmd, "name")
			f.Infer(cmd)
		}, c.args...)
		err := f.Check(cmd, ManagerFlag)
		if !says(err, c.err) ||
			err == nil && (f.Name != c.client || textsOf(f.Words) != c.words || f.Named || f.Sender != DefaultManager) {
			t.Errorf(
				"%s: client %q, words %q, named %v, %v, want %q, %q, %q", name, f.Name, textsOf(f.Words),
				f.Named, err, c.client, c.words, c.err,
			)
		}
		if strings.Contains(c.words, release) &&
			string(f.Settings.ReleaseManifest) != "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" {
			t.Errorf("%s: the manifest of the release is %q", name, f.Settings.ReleaseManifest)
		}
	}
}

// TestSpares: a client that may delete needs all live objects, and so does one that is still
// to be found out where they are read once; a name that no client has needs those with
// settings, and kubectl none.
func TestSpares(t *testing.T) {
	other := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}
	setting := manifest.Identity{APIVersion: "argoproj.io/v1alpha1", Kind: "Application", Name: "a"}
	for name, c := range map[string]struct {
		flags            ClientFlags
		live             []string
		setting, another bool
	}{
		"no client":                         {flags: ClientFlags{Name: about.None}},
		"kubectl":                           {flags: ClientFlags{Name: "kubectl"}},
		"flux":                              {flags: ClientFlags{Name: "flux"}, setting: true, another: true},
		"auto":                              {flags: ClientFlags{Name: about.Auto, Manager: DefaultManager}, live: []string{"live.yaml"}, setting: true},
		"auto, of a stream":                 {flags: ClientFlags{Name: about.Auto, Manager: DefaultManager}, live: []string{"-"}, setting: true, another: true},
		"auto, as it is named":              {flags: ClientFlags{Name: about.Auto, Manager: "argocd-controller", Named: true}, setting: true},
		"auto, as it is named, of a stream": {flags: ClientFlags{Name: about.Auto, Manager: "argocd-controller", Named: true}, live: []string{"-"}, setting: true, another: true},
		"auto, by another":                  {flags: ClientFlags{Name: about.Auto, Manager: "mine", Named: true}, setting: true},
	} {
		spares := c.flags.Spares(c.live)
		holds := func(id manifest.Identity) bool { return spares != nil && spares(id) }
		if holds(setting) != c.setting || holds(other) != c.another {
			t.Errorf("%s: settings are held: %v, others: %v", name, holds(setting), holds(other))
		}
	}
}

// TestSaid: the first line says what the name of the field manager does not.
func TestSaid(t *testing.T) {
	kubectl, err := clients.New("kubectl", "1.36", client.Settings{ServerSide: about.Auto})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		flags ClientFlags
		sends *client.Client
		want  string
	}{
		"kubectl, by its own name": {ClientFlags{Name: about.Auto, Manager: "kubectl"}, kubectl, ""},
		"kubectl, asked for":       {ClientFlags{Name: "kubectl", Manager: "kubectl"}, kubectl, kubectl.Said()},
		"none, asked for":          {ClientFlags{Name: about.None, Settings: client.Settings{ForceConflicts: true}}, nil, "no client, forces"},
		"the name of one": {ClientFlags{Name: about.Auto, Manager: "argocd-controller"}, nil,
			"no client, does not force; see --client argocd"},
		"another name": {ClientFlags{Name: about.Auto, Manager: "mine"}, nil, "no known client, does not force"},
	} {
		if got := c.flags.Said(c.sends); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRequestFlags: validation is as with kubectl, and a user agent stands in for a field
// manager that is not given.
func TestRequestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args                        []string
		manager, agent, checks, err string
	}{
		"none given":      {manager: "kubectl", checks: "Strict"},
		"a field manager": {args: []string{"--field-manager", "helm", "--validate", "warn"}, manager: "helm", checks: "Warn"},
		"a user agent":    {args: []string{"--user-agent", "helm/3", "--validate", "false"}, agent: "helm/3", checks: "Ignore"},
		"both": {args: []string{"--user-agent", "helm/3", "--field-manager", "m", "--validate", "true"}, manager: "m",
			agent: "helm/3", checks: "Strict"},
		"another validation": {args: []string{"--validate", "loose"}, err: `--validate "loose": use strict, warn, or ignore`},
	} {
		var f RequestFlags
		cmd := typed(t, func(cmd *cobra.Command) {
			f.Add(cmd, "status")
			f.AddUserAgent(cmd)
		}, append(c.args, "--subresource", "status")...)
		err := f.Check(cmd)
		var w engine.Write
		if f.Fill(&w); !says(err, c.err) || err == nil &&
			(w.Manager != c.manager || w.UserAgent != c.agent || w.FieldValidation != c.checks || w.Subresource != "status") {
			t.Errorf("%s: %q, %q, %q, %q, %v", name, w.Manager, w.UserAgent, w.FieldValidation, w.Subresource, err)
		}
	}
}

// TestClock: --now fixes the clock, which else is not.
func TestClock(t *testing.T) {
	if now, err := (&ServerFlags{}).Clock(); !now.IsZero() || err != nil {
		t.Errorf("without --now: %v, %v", now, err)
	}
	if now, err := (&ServerFlags{now: "2026-01-31T12:00:00Z"}).Clock(); !now.Equal(
		time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
	) ||
		err != nil {
		t.Errorf("fixed: %v, %v", now, err)
	}
	if _, err := (&ServerFlags{now: "noon"}).Clock(); !says(err, `--now "noon" is no RFC 3339 time`) {
		t.Errorf("at noon: %v", err)
	}
	if (&ServerFlags{}).SchemaPolicy() != engine.AssumeSchema ||
		(&ServerFlags{requireSchema: true}).SchemaPolicy() != engine.RequireSchema {
		t.Error("--require-schema does not decide what is done without a schema")
	}
}

// TestParseAge: ages are counted as people do, and as Go does; none is no age.
func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"180d": 180 * day, "2w": 14 * day, "2y": 730 * day, "36h": 36 * time.Hour, "1h30m": 90 * time.Minute,
		"0d": 0, "-3d": 0, "d": 0, "": 0, "-1h": 0, "70000y": 0, "1.5d": 0, "soon": 0,
	} {
		if got, err := ParseAge(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

// documents reads manifests.
func documents(t *testing.T, text string) []manifest.Document {
	t.Helper()
	out, problems := manifest.Load([]string{"-"}, manifest.Options{Stdin: strings.NewReader(text)})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return out
}

// TestSelector: what matches is answered, with what has labels that cannot be read, and that
// nothing matches is an error.
func TestSelector(t *testing.T) {
	all := documents(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {app: web}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {app: 3}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
`)
	for text, want := range map[string]string{"": "abc", "app=web": "ab", "app!=web": "bc", "!app": "bc", "app=db": ""} {
		var s selector
		if err := s.Set(text); err != nil {
			t.Fatal(err)
		}
		got, err := s.Among(all)
		names := ""
		for _, d := range got {
			names += d.Name
		}
		if names != want || !says(err, map[bool]string{true: "no manifest matches -l app=db: 3 were read"}[want == ""]) {
			t.Errorf("-l %q: %q, %v, want %q", text, names, err, want)
		}
	}
	var s selector
	if err := s.Set("a b"); err == nil || s.String() != "" {
		t.Errorf("-l 'a b': %v, %q", err, s.String())
	}
	if got, err := s.Among(nil); got != nil || err != nil {
		t.Errorf("of no manifests: %v, %v", got, err)
	}
}

// TestFiles: what is read are all files of the paths, without standard input; folders are
// where the files really are.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"m/a.yaml", "m/below/b.yaml", "live/l.json", "elsewhere/e.yaml"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere", "e.yaml"), filepath.Join(dir, "live", "link.yaml")); err != nil {
		t.Skip(err)
	}
	in := func(names ...string) []string {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		return names
	}
	f := &Flags{Filenames: in("m"), Live: append(in("live/link.yaml"), "-"), Crds: in("none")}
	if diff := cmp.Diff(in("m/a.yaml", "live/link.yaml"), f.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	f.Recursive, f.Kustomize = true, filepath.Join(dir, "app")
	if got := f.Named(f.Filenames); !slices.Equal(got, in("m/a.yaml", "m/below/b.yaml")) {
		t.Errorf("recursively: %q", got)
	}
	if got := f.Paths(); !slices.Contains(got, f.Kustomize) || len(got) != 5 {
		t.Errorf("paths are %q", got)
	}
	if got := foldersOf(in("m/a.yaml", "live/link.yaml", "none/x.yaml")); !slices.Equal(
		got,
		in("elsewhere", "live", "m"),
	) {
		t.Errorf("folders are %q", got)
	}
}

// TestBuild: a kustomization is built, as objects or as one text, unless an output would
// replace one of its files.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"kustomization.yaml": "namePrefix: x-\nresources: [a.yaml]\n",
		"a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := &Flags{Kustomize: dir}
	built, problems := in.Build(context.Background(), manifest.Options{})
	if len(problems) > 0 || len(built) != 1 || built[0].Name != "x-a" {
		t.Fatalf("built %v, %v", built, problems)
	}
	var text []byte
	in.BuiltText = &text
	built, problems = in.Build(context.Background(), manifest.Options{})
	if len(problems) > 0 || len(built) != 1 || built[0].Source.File != BuiltName(dir) ||
		!strings.Contains(string(text), "name: x-a") {
		t.Errorf("as one text: %v, %v, %q", built, problems, text)
	}
	info, err := os.Stat(filepath.Join(dir, "a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	in.Replaced = map[string]fs.FileInfo{"out.yaml": info}
	if built, problems = in.Build(context.Background(), manifest.Options{}); len(built) > 0 || len(problems) != 1 ||
		!strings.Contains(problems[0].Error(), "name another file than out.yaml") {
		t.Errorf("an output that is an input: %v, %v", built, problems)
	}
}
