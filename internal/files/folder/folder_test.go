package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func generated(name string) bool { return strings.HasPrefix(filepath.Base(name), "step-") }

func TestWrite(t *testing.T) {
	files := []File{
		{Name: "a/step-1.yaml", Text: []byte("one\n"), Mode: 0o644},
		{Name: "step-2.sh", Text: []byte("two\n"), Mode: 0o755},
	}
	want := map[string]string{"a/step-1.yaml": "one\n", "step-2.sh": "two\n"}
	tests := []struct {
		name     string
		before   map[string]string
		existing Existing
		want     map[string]string
		err      string
	}{
		{"no folder", nil, Refuse, want, ""},
		{"an empty folder", map[string]string{}, Refuse, want, ""},
		{
			"a folder with files",
			map[string]string{"step-9.yaml": "old\n"},
			Refuse,
			map[string]string{"step-9.yaml": "old\n"},
			"not empty",
		},
		{"generated files are replaced", map[string]string{"step-9.yaml": "old\n", "b/step-1.yaml": "x"}, Replace, want, ""},
		{"other files are not", map[string]string{"notes.txt": "mine\n", "step-9.yaml": "old\n"}, Replace,
			map[string]string{"notes.txt": "mine\n", "step-9.yaml": "old\n"}, "notes.txt in it was not generated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			dir := filepath.Join(root, "out")
			if tt.before != nil {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range tt.before {
				if err := fill(dir, []File{{Name: name, Text: []byte(text), Mode: 0o644}}); err != nil {
					t.Fatal(err)
				}
			}
			err := Write(t.Context(), dir, files, tt.existing, generated)
			if (err == nil) != (tt.err == "") ||
				err != nil && (!strings.Contains(err.Error(), tt.err) || !errors.Is(err, ErrNotEmpty)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if diff := cmp.Diff(tt.want, tree(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			alone(t, root)
		})
	}
}

func TestWriteFailsAsAWhole(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "out")
	if err := Write(t.Context(), dir, []File{{Name: "step-1", Text: []byte("former"), Mode: 0o644}}, Refuse, generated); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"../step-1", "/step-1", "step-1"} {
		err := Write(t.Context(), dir, []File{{Name: "step-1", Mode: 0o644}, {Name: bad, Mode: 0o644}}, Replace, generated)
		if err == nil {
			t.Errorf("%s is written", bad)
		}
		if diff := cmp.Diff(map[string]string{"step-1": "former"}, tree(t, dir)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", bad, diff)
		}
	}
	alone(t, root)
}

func TestWriteThroughALink(t *testing.T) {
	root := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(root, "real"), 0o755), os.Symlink("real", filepath.Join(root, "out"))); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), filepath.Join(root, "out"), []File{{Name: "step-1", Text: []byte("x"), Mode: 0o644}}, Refuse, generated); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(filepath.Join(root, "out")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if diff := cmp.Diff(map[string]string{"step-1": "x"}, tree(t, filepath.Join(root, "real"))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// alone asks that nothing is left beside the folder.
func alone(t *testing.T, root string) {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the folder: %v, %v", entries, err)
	}
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := names(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range list {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(b)
	}
	return out
}
