package snapshot

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestSave: the first line is the one that is known last, and the file reads as one
// text, whatever was added.
func TestSave(t *testing.T) {
	for name, c := range map[string]struct {
		objects []string
		want    string
	}{
		"nothing": {nil, "head\n"},
		"objects": {[]string{`{"a":1}`, `{"b":2}`}, "head\n{\"a\":1}\n{\"b\":2}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "live.json.gz")
			w := newWriter()
			for _, o := range c.objects {
				text := []byte(o)
				if err := w.add(text); err != nil || string(text) != o {
					t.Fatalf("%s became %s: %v", o, text, err)
				}
			}
			if err := w.save(file, []byte("head")); err != nil {
				t.Fatal(err)
			}
			if got := unpacked(t, file); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestSaveWhole: where the file cannot be written nothing of it is left, and a former
// one stays as it was.
func TestSaveWhole(t *testing.T) {
	dir := t.TempDir()
	if err := newWriter().save(filepath.Join(dir, "none", "live.json.gz"), []byte("head")); err == nil {
		t.Error("a file in a folder that does not exist was written")
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := newWriter().save(folder, []byte("head")); err == nil {
		t.Error("a folder was replaced")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v are left: %v", entries, err)
	}
}

func unpacked(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
