package resolve

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// anApp is an app over some standard input and environment.
func anApp(in string, environment ...string) *app.App {
	getenv := func(name string) string {
		for i := 0; i+1 < len(environment); i += 2 {
			if environment[i] == name {
				return environment[i+1]
			}
		}
		return ""
	}
	return &app.App{
		Streams: iostreams.New(strings.NewReader(in), &bytes.Buffer{}, &bytes.Buffer{}, getenv),
		Secrets: redact.New(),
	}
}

// TestTexts are the manifest files as an editor shows them.
func TestTexts(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, content []byte) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("kind: A\n"))
	_ = z.Close()
	texts := newManifestTexts(0)
	texts.stdin, texts.built, texts.builtName = []byte("kind: B\n"), []byte("kind: C\n"), "overlay"
	for _, test := range []struct{ name, want, wrong string }{
		{write("plain.yaml", []byte("kind: P\n")), "kind: P\n", ""},
		{write("packed.yaml.gz", packed.Bytes()), "kind: A\n", ""},
		{write("broken.gz", []byte("\x1f\x8bno")), "", "read "},
		{write("utf16.yaml", []byte("\xff\xfek\x00")), "", ""},
		{"-", "kind: B\n", ""},
		{"overlay", "kind: C\n", ""},
		{filepath.Join(folder, "none.yaml"), "", "read "},
		{folder, "", folder + " is no regular file and cannot be read again: give it as -f -"},
	} {
		f, err := texts.file(test.name)
		if (err != nil) != (test.wrong != "") || err != nil && !strings.HasPrefix(err.Error(), test.wrong) {
			t.Errorf("%s: %v", test.name, err)
		}
		if got := ""; f != nil {
			if got = string(f.Former()); got != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
		} else if test.want != "" {
			t.Errorf("%s is no text", test.name)
		}
		if again, _ := texts.file(test.name); again != f {
			t.Errorf("%s is read again", test.name)
		}
	}
	plain := filepath.Join(folder, "plain.yaml")
	before := texts.files[plain]
	if texts.renew(); texts.files[plain] == before || string(texts.files[plain].Former()) != "kind: P\n" {
		t.Error("edits are not taken back")
	}
	if err := texts.rewrite(t.Context(), anApp(""), plain, []byte("kind: Q\n")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(plain); string(got) != "kind: Q\n" {
		t.Errorf("the file is %q", got)
	}
	if err := texts.rewrite(t.Context(), anApp(""), plain, []byte("kind: R\n")); err == nil {
		t.Error("a file that was changed since is overwritten")
	}
}

// TestKeepStdin: manifests from standard input are read once, and can be read again.
func TestKeepStdin(t *testing.T) {
	texts := newManifestTexts(0)
	a := anApp("kind: A\n")
	if same, err := texts.keepStdin(t.Context(), a, []string{"web.yaml"}); same != a || err != nil || texts.stdin != nil {
		t.Errorf("without a -: %v, %v", texts.stdin, err)
	}
	kept, err := texts.keepStdin(t.Context(), a, []string{"-"})
	if err != nil || string(texts.stdin) != "kind: A\n" {
		t.Fatalf("%q, %v", texts.stdin, err)
	}
	var again bytes.Buffer
	if _, err := again.ReadFrom(kept.Streams.In); err != nil || again.String() != "kind: A\n" {
		t.Errorf("%q, %v", again.String(), err)
	}
}

// TestEditor is the command of the editor, found as kubectl finds it.
func TestEditor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("another editor")
	}
	for _, test := range []struct {
		environment []string
		want        []string
	}{
		{nil, []string{"vi"}},
		{[]string{"EDITOR", "nano -w"}, []string{"nano", "-w"}},
		{[]string{"EDITOR", "nano", "KUBE_EDITOR", " code --wait "}, []string{"code", "--wait"}},
		{[]string{"EDITOR", `"/opt/my editor" -x`}, []string{"sh", "-c", `"/opt/my editor" -x "$@"`, "editor"}},
	} {
		if diff := cmp.Diff(test.want, editor(anApp("", test.environment...).Streams.Getenv)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.environment, diff)
		}
	}
}

// TestEdited: an editor has a copy of its own, and leaves nothing behind.
func TestEdited(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	got, err := edited(t.Context(), anApp("", "EDITOR", `sed -i 's/a/b/'`), "dir/web.yaml.gz", []byte("kind: a\n"))
	if err != nil || string(got) != "kind: b\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := edited(t.Context(), anApp("", "EDITOR", "false"), "web.yaml", nil); err == nil ||
		!strings.HasPrefix(err.Error(), "edit web.yaml with false: exit status 1; nothing was written") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); left != nil {
		t.Errorf("left: %v", left)
	}
}

// TestChoiceOf is what the flags choose, and TestChecks what they cannot.
func TestChoiceOf(t *testing.T) {
	o := &resolveOptions{
		stop:         []string{"a"},
		useLive:      []string{"b"},
		ownedBy:      []string{"helm"},
		stopAll:      true,
		shareSecrets: true,
	}
	want := Choice{
		StopManaging: []string{"a"},
		UseLiveValue: []string{"b"},
		OwnedBy:      []string{"helm"},
		Rest:         StopManaging,
		Secrets:      interactive.ShareSecrets,
	}
	if diff := cmp.Diff(want, o.choice()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	o = &resolveOptions{useLiveAll: true}
	o.ShowSecrets = true
	if diff := cmp.Diff(Choice{Rest: UseLiveValue, Masking: ShowSecrets}, o.choice()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestChecks: flags that go together badly are an error before anything is read.
func TestChecks(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no manifests", []string{"--live", "live.yaml"}, "must specify one of -f and -k"},
		{"no live objects", []string{"-f", "web.yaml"}, "--live"},
		{"to standard input", []string{"-f", "-", "--live", "live.yaml", "--write"}, "give the manifests as a file"},
		{"to what is built", []string{"-k", ".", "--live", "live.yaml", "--write"}, "--write edits files, and what -k builds is in none"},
		{"both for all", []string{"-f", "web.yaml", "--live", "live.yaml", "--all-stop-managing", "--all-use-live-value"}, "all-stop-managing"},
		{"a session with a choice", []string{"-f", "web.yaml", "--live", "live.yaml", "-i", "--write"}, "interactive"},
		{"a session without a terminal", []string{"-f", "web.yaml", "--live", "live.yaml", "-i"}, "--interactive needs a terminal"},
		{"a session over standard input", []string{"-f", "-", "--live", "live.yaml", "-i"}, "--interactive reads keys from standard input"},
		{"a session over what is built", []string{"-k", ".", "--live", "live.yaml", "-i"}, "--interactive edits files, and what -k builds is in none"},
		{"a file that is not there", []string{"-f", "none.yaml", "--live", "none.yaml"}, "the answer is in the output"},
	} {
		t.Chdir(t.TempDir())
		cmd := New(anApp(""))
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		cmd.SetArgs(test.args)
		if err := cmd.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestEndings is what is said where a session ends without an edit.
func TestEndings(t *testing.T) {
	for want, i := range map[string]*interview{
		"interrupted; nothing was written":                                               {},
		"interrupted; nothing was written; the same command goes on where you left":      {saved: true},
		"interrupted; nothing more was written; the same command goes on where you left": {saved: true, wrote: true},
	} {
		if got := i.interrupted().Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	questions := []interactive.Question{
		{
			Object:   0,
			Field:    ".a",
			Identity: []string{"a"},
		}, {Object: 0, Field: ".b", Identity: []string{"b"}}, {Object: 1, Field: ".a", Identity: []string{"c"}}, {Object: 0, Field: ".d", Identity: []string{"d"}},
	}
	i := &interview{questions: questions}
	decided := interactive.Decisions{
		interactive.ID(questions[0]): interactive.StopManaging, interactive.ID(questions[1]): interactive.Force, interactive.ID(questions[2]): interactive.UseLiveValue, interactive.ID(questions[3]): interactive.Keep,
	}
	if diff := cmp.Diff(map[string]Action{".a": StopManaging}, i.actions(0, decided)); diff != "" {
		t.Errorf("of the first object (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]Action{".a": UseLiveValue}, i.actions(1, decided)); diff != "" {
		t.Errorf("of the second object (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(questions[1:2], i.forced(decided)); diff != "" {
		t.Errorf("forced (-want +got):\n%s", diff)
	}
}
