//go:build unix

package atomic

import (
	"io/fs"
	"os"
	"syscall"
)

// chownLike gives f the owner and group of another file. Whoever may not give
// a file away can often still choose its group.
func chownLike(f *os.File, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if err := f.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
		return f.Chown(-1, int(stat.Gid))
	}
	return nil
}
