//go:build unix

package atomic

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// newFileMode is what the mask of the process leaves of a new file. Asking for
// the mask sets it, so it is done before anything else runs.
var newFileMode = fs.FileMode(0o666 &^ umask())

func umask() int {
	mask := syscall.Umask(0)
	syscall.Umask(mask)
	return mask
}

// chownLike gives a file the owner and group of another file.
func chownLike(name string, info fs.FileInfo) error {
	want, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	is, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if has, ok := is.Sys().(*syscall.Stat_t); ok && has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	if err := os.Chown(name, int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("%w (user %d, group %d): %w", ErrNotKept, want.Uid, want.Gid, cause(err))
	}
	return nil
}
