package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// recoverFiles ends what killed runs have begun to write among the inputs,
// before anything is read: half of it would be answered wrongly.
func (a *app) recoverFiles(ctx context.Context, in *inputFlags) {
	recovered, err := atomic.Recover(ctx, atomic.OS{}, foldersOf(append(in.files(), in.paths()...)))
	a.tellRecovered(recovered)
	var target *atomic.TargetError
	if errors.As(err, &target) {
		a.notice([]string{fmt.Sprintf("files in %s may be half written: a run was killed there, or is still writing, and it cannot be finished (%v)", shownPath(target.Target), target.Err)})
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

// tellRecovered says what became of what killed runs had left.
func (a *app) tellRecovered(recovered []atomic.Recovery) {
	var texts []string
	for _, r := range recovered {
		switch {
		case len(r.Finished) > 0:
			texts = append(texts, fmt.Sprintf("finished what a run that was killed had begun to write: %s", shownPaths(r.Finished)))
		case len(r.Changed) > 0:
			texts = append(texts, abandoned(r))
		case r.Swept > 0:
			texts = append(texts, fmt.Sprintf("removed temporary files that a run that was killed left in %s: %d", shownPath(r.Folder), r.Swept))
		}
	}
	a.notice(texts)
}

// abandoned says which files are as they were, and which are not.
func abandoned(r atomic.Recovery) string {
	text := "a run was killed while it wrote files, and " + shownPaths(r.Changed) + " changed since, so the rest of it was discarded"
	if len(r.Next) > 0 {
		text += "; it had written " + shownPaths(r.Next)
	}
	if len(r.Former) > 0 {
		text += "; it had not written " + shownPaths(r.Former)
	}
	return text + "; look through them before you go on"
}

func shownPaths(paths []string) string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = shownPath(path)
	}
	return strings.Join(shown, ", ")
}

// shownPath is a path as it is typed in the working directory.
func shownPath(path string) string {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(here, path); err == nil && name != "." && filepath.IsLocal(name) {
		return name
	}
	return path
}
