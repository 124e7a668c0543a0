package writeback

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// errLeadsOut is the error of a link in a folder that leads where nobody who named the
// folder expects anything to be written.
var errLeadsOut = errors.New("outside of the folder and of the repository that it is in: name the file itself to have it written")

// checkLink refuses a file, found in a folder that was named, that means one elsewhere.
func (g *grouping) checkLink(file, path string) error {
	if slices.Contains(g.given, file) {
		return nil
	}
	for _, given := range g.given {
		if !within(given, file) {
			continue
		}
		folder, err := g.files.Resolve(given)
		if err != nil {
			return err
		}
		if !within(repositoryOf(g.files, folder), path) {
			return fmt.Errorf("it is a link to %s, %w", path, errLeadsOut)
		}
	}
	return nil
}

// repositoryOf is the work tree of Git that a folder is in; else the folder itself.
func repositoryOf(files atomic.FileSystem, folder string) string {
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := files.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return folder
		}
	}
}

// within reports whether a path is in a folder, by its name.
func within(folder, path string) bool {
	name, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(name)
}
