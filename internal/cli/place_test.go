package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestFileIsTold: a file that cannot be written is told by the name that was
// given, not by that of the file beside it.
func TestFileIsTold(t *testing.T) {
	for operation, text := range map[string]string{"write": "text", "close": ""} {
		name := filepath.Join(t.TempDir(), "out.json")
		f, err := createFile(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.discard()
		_ = f.file.Close()
		_, _ = f.WriteString(text)
		err = f.commit()
		if !errors.Is(err, fs.ErrClosed) || !strings.HasPrefix(err.Error(), operation+" "+name+": ") {
			t.Errorf("error %v, want one about %s", err, name)
		}
	}
}
