package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository makes one in a folder with files of one commit, and goes there.
func repository(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		if text, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, text)
		}
	}
	git("init", "-q")
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, is := strings.CutPrefix(text, "-> "); is {
			err = os.Symlink(to, name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("tag", "one")
	for name := range files {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExtract: files are those of the commit and not of the worktree, whatever git's attributes
// say, and their names are those that people know.
func TestExtract(t *testing.T) {
	repository(t, map[string]string{
		"apps/shop/web.yaml": "a: $Id$\r\n", "apps/shop/*.yaml": "b", ".gitattributes": "* export-ignore ident text eol=lf",
		"apps/link.yaml": "-> shop/web.yaml", "apps/all": "-> shop", "other.yaml": "c", "apps/empty.yaml": "",
	})
	if err := os.MkdirAll("apps/shop", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir("apps")
	r, err := Find(t.Context(), ".", "one")
	if err != nil {
		t.Fatal(err)
	}
	within, err := r.Within("shop")
	if err != nil || within != "apps/shop" {
		t.Fatalf("%q, %v", within, err)
	}
	dir := t.TempDir()
	read, err := r.Extract(t.Context(), []string{"apps", "nothing"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read.Lacks, []string{"nothing"}) {
		t.Errorf("it lacks %v", read.Lacks)
	}
	for name, want := range map[string]string{"apps/shop/web.yaml": "a: $Id$\r\n", "apps/shop/*.yaml": "b", "apps/empty.yaml": "",
		"apps/link.yaml": "a: $Id$\r\n", "apps/all/web.yaml": "a: $Id$\r\n", "apps/all/*.yaml": "b"} {
		text, err := os.ReadFile(read.Path(name))
		if strings.ReplaceAll(string(text), "\r", "") != strings.ReplaceAll(want, "\r", "") || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
	if _, err := os.Stat(read.Path("other.yaml")); err == nil {
		t.Error("a file was read that was not asked for")
	}
	if got := read.Named(read.Path("apps/shop/web.yaml")); got != "one:shop/web.yaml" {
		t.Errorf("it is called %s", got)
	}
	if got := read.Named(read.Path("other.yaml")); got != "one:/other.yaml" {
		t.Errorf("a file above is called %s", got)
	}
}

// TestHostile: no name of a revision becomes an option, no link leads out of the commit, and
// nothing is looked for outside of the repository.
func TestHostile(t *testing.T) {
	repository(t, map[string]string{"a.yaml": "a", "b/out.yaml": "-> ../../out.yaml", "c/etc.yaml": "-> /etc/passwd",
		"d/one.yaml": "-> two.yaml", "d/two.yaml": "-> one.yaml"})
	for _, name := range []string{"", "-h", "--output=x", "--upload-pack=touch x", "one\n--all", "nowhere", "one:a.yaml", "a.yaml"} {
		if _, err := Find(t.Context(), ".", name); err == nil {
			t.Errorf("%q is taken for a revision", name)
		}
	}
	r, err := Find(t.Context(), ".", "one")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"b", "c", "d"} {
		dir := t.TempDir()
		if _, err := r.Extract(t.Context(), []string{path}, dir); err == nil ||
			!strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"..", "/etc", "../x"} {
		if within, err := r.Within(path); err == nil {
			t.Errorf("%s is taken for %s of the repository", path, within)
		}
	}
	t.Chdir(t.TempDir())
	if _, err := Find(t.Context(), ".", "one"); err == nil {
		t.Error("there is no repository, and it has a revision")
	}
}
