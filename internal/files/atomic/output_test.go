package atomic

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOutputIsTold: a file that cannot be written is reported by the name that was
// given, not by that of the file beside it.
func TestOutputIsTold(t *testing.T) {
	for operation, text := range map[string]string{"write": "text", "sync": ""} {
		name := filepath.Join(t.TempDir(), "out.json")
		o, err := CreateOutput(name)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Discard()
		_ = o.file.Close()
		_, _ = o.WriteString(text)
		err = o.Commit()
		if !errors.Is(err, fs.ErrClosed) || !strings.HasPrefix(err.Error(), operation+" "+name+": ") {
			t.Errorf("error %v, want one about %s", err, name)
		}
	}
}

// TestOutputIsPrivateUntilItIsDone, then it has the mode of what it replaces, and
// what killed runs left beside it is gone. What another run still writes stays.
func TestOutputIsPrivateUntilItIsDone(t *testing.T) {
	dir := t.TempDir()
	name, left := filepath.Join(dir, "out.json"), filepath.Join(dir, filepath.Base(beside("x")))
	if err := errors.Join(os.WriteFile(name, []byte("former"), 0o640), os.WriteFile(left, []byte("secret"), 0o600)); err != nil {
		t.Fatal(err)
	}
	o, err := CreateOutput(name)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Discard()
	other, err := CreateOutput(filepath.Join(dir, "other.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = o.WriteString("next")
	if info, err := os.Stat(o.staged); err != nil || info.Mode() != 0o600 {
		t.Errorf("beside it: %v, %v", info.Mode(), err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode() != 0o640 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"out.json": "next", "other.json": ""}, have(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
