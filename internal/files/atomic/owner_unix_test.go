//go:build linux || darwin

package atomic

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestHoldFollowsNoLink: a link never is the file that was opened through it.
func TestHoldFollowsNoLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Fatal(err)
	}
	if _, err := (OS{}).Hold(link); !errors.Is(err, ErrNotRegular) {
		t.Errorf("error %v, want ErrNotRegular", err)
	}
}

// replaced gives a file that has an extended attribute new content.
func replaced(t *testing.T, files FileSystem, prepare func(path string)) (path string, err error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("former"), 0o640); err != nil {
		t.Fatal(err)
	}
	prepare(path)
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	target := Target{Name: "a", Path: path}
	tx, err := Begin(t.Context(), files, []Target{target})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := tx.Replace(target, []byte("next"), info, []byte("former")); err != nil {
		t.Fatal(err)
	}
	return path, tx.Commit(t.Context())
}

const attribute = "user.ssactl.test"

// TestKeepsAttributes: a file that takes the place of another has its extended
// attributes, where the file system has any, and its mode.
func TestKeepsAttributes(t *testing.T) {
	has := true
	path, err := replaced(t, OS{}, func(path string) {
		has = !errors.Is(unix.Setxattr(path, attribute, []byte("kept"), 0), unix.ENOTSUP)
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	value, err := attributeOf(path, attribute)
	if has && (err != nil || string(value) != "kept") {
		t.Errorf("the attribute is %q, %v", value, err)
	}
}

// TestKeepsOwner: the owner of a file stays when another user writes it.
func TestKeepsOwner(t *testing.T) {
	const somebody = 12345
	owner := os.Getuid()
	path, err := replaced(t, OS{}, func(path string) {
		if os.Chown(path, somebody, somebody) == nil {
			owner = somebody
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); int(stat.Uid) != owner {
		t.Errorf("the owner is %d, want %d", stat.Uid, owner)
	}
}

// strict lets nobody give a file away.
type strict struct{ OS }

func (strict) Adopt(string, string) error { return ErrNotKept }

// TestRefusesToTakeOwnership: where the owner cannot be kept, nothing is replaced, and
// nothing is left.
func TestRefusesToTakeOwnership(t *testing.T) {
	path, err := replaced(t, strict{}, func(string) {})
	if !errors.Is(err, ErrNotKept) {
		t.Errorf("error %v, want ErrNotKept", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "former" {
		t.Errorf("the file has %q, %v", text, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if diff := cmp.Diff(1, len(entries)); err != nil || diff != "" {
		t.Errorf("files: %v (-want +got)\n%s", err, diff)
	}
}

// owned is described as the file of another user.
type owned struct{ fs.FileInfo }

func (owned) Sys() any { return &syscall.Stat_t{Uid: 12345, Gid: 12345} }

// TestChownLike: an owner that cannot be given is an error.
func TestChownLike(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := chownLike(path, owned{info}); os.Getuid() != 0 && !errors.Is(err, ErrNotKept) {
		t.Errorf("error %v, want ErrNotKept", err)
	}
}
