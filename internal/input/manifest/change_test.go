package manifest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files are three manifests, the second of several reads.
func files(t *testing.T) (string, []string) {
	t.Helper()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "c.yaml")}
	for i, text := range []string{cm("a"), strings.Repeat(cm("b")+"data: {k: "+strings.Repeat("x", 1000)+"}\n---\n", 500), cm("c")} {
		if err := os.WriteFile(paths[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, paths
}

// inSecondFile does something once the second file has been read from.
func inSecondFile(do func()) func(int) {
	total, done := 0, false
	return func(n int) {
		if total += n; total > len(cm("a")) && !done {
			done = true
			do()
		}
	}
}

// TestFileChangesWhileItIsRead checks that a change during reading is an error of that
// file, and that the others are read.
func TestFileChangesWhileItIsRead(t *testing.T) {
	cases := []struct {
		name   string
		change func(path string) error
		want   string
	}{
		{"shrinks", func(path string) error { return os.Truncate(path, 100_000) }, "the file shrank while it was read: "},
		{"is emptied", func(path string) error { return os.Truncate(path, 0) }, "the file shrank while it was read: "},
		{"is removed, and still read", os.Remove, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir, paths := files(t)
			documents, problems := Load([]string{dir}, Options{OnRead: inSecondFile(func() {
				if err := c.change(paths[1]); err != nil {
					t.Fatal(err)
				}
			})})
			if n := len(documents); n < 2 || documents[0].Name != "a" || documents[n-1].Name != "c" {
				t.Errorf("%d documents", n)
			}
			var got []string
			for _, p := range problems {
				got = append(got, p.Error())
			}
			if c.want == "" {
				if diff := cmp.Diff([]string(nil), got); diff != "" || len(documents) != 502 {
					t.Errorf("%d documents, (-want +got)\n%s", len(documents), diff)
				}
				return
			}
			if len(got) != 1 || !strings.Contains(got[0], c.want) || !strings.Contains(got[0], paths[1]) {
				t.Errorf("problems %q, want %q of %s", got, c.want, paths[1])
			}
		})
	}
}

// A file that disappears before its turn is reported, and the others are read.
func TestFileDisappears(t *testing.T) {
	dir, paths := files(t)
	reads := 0
	documents, problems := Load([]string{dir}, Options{OnRead: func(int) {
		if reads++; reads == 1 {
			if err := os.Remove(paths[1]); err != nil {
				t.Fatal(err)
			}
		}
	}})
	if len(documents) != 2 || len(problems) != 1 || problems[0].Error() != "read "+paths[1]+": no such file or directory" {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}

// TestStop checks that reading stops on request, with what was read.
func TestStop(t *testing.T) {
	dir, _ := files(t)
	stopped := errors.New("stopped")
	var stop error
	documents, problems := Load([]string{dir}, Options{
		Stop:   func() error { return stop },
		OnRead: inSecondFile(func() { stop = stopped }),
	})
	if len(documents) == 0 || len(documents) >= 501 || len(problems) != 1 || !errors.Is(problems[0], stopped) {
		t.Errorf("%d documents, %v", len(documents), problems)
	}
}
