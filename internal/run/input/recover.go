package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/run/app"
)

// RecoverFiles ends what killed runs have begun to write among the inputs,
// before anything is read: half of it would be answered wrongly.
func RecoverFiles(ctx context.Context, a *app.App, in *Flags) {
	recovered, err := atomic.Recover(ctx, atomic.OS{}, foldersOf(append(in.Files(), in.Paths()...)))
	a.TellRecovered(recovered)
	var target *atomic.TargetError
	if errors.As(err, &target) {
		a.Notice([]string{fmt.Sprintf("files in %s may be half written: a run was killed there, or is still writing, and it cannot be finished (%v)", app.ShownPath(target.Target), target.Err)})
	}
}

// foldersOf are the folders in which files really are, sorted.
func foldersOf(files []string) []string {
	seen := map[string]bool{}
	for _, file := range files {
		seen[filepath.Dir(file)] = true
		if info, err := os.Lstat(file); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if target, err := filepath.EvalSymlinks(file); err == nil {
				seen[filepath.Dir(target)] = true
			}
		}
	}
	var folders []string
	for folder := range seen {
		if folder, err := (atomic.OS{}).Resolve(folder); err == nil {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}
