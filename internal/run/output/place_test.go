package output

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNewFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.html")
	for _, commits := range []bool{false, true} {
		file, err := CreateFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte("page")); err != nil {
			t.Fatal(err)
		}
		if commits {
			if err := file.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		file.Discard()
		if got, _ := os.ReadFile(name); (string(got) == "page") != commits {
			t.Errorf("committed %v: the file has %q", commits, got)
		}
	}
}
