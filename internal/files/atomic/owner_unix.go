//go:build unix

package atomic

import (
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

// chownLike gives a file the owner and group of another file. Whoever may not give
// a file away can often still choose its group.
func chownLike(name string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if err := os.Chown(name, int(stat.Uid), int(stat.Gid)); err != nil {
		return os.Chown(name, -1, int(stat.Gid))
	}
	return nil
}
