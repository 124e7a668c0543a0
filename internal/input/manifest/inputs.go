package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/program"
)

// extensions are those that kubectl reads in a directory. Files of these kinds
// that are compressed, and end in .gz besides, are read too.
var extensions = []string{".json", ".yaml", ".yml"}

// Files lists the files that a path stands for, by kubectl's rules: "-" and a
// file stand for themselves, whatever the name; a directory stands for its
// .json, .yaml and .yml files (or those with .gz behind) in lexical order, hidden
// ones included, symbolic links to directories not followed; a path that does not
// exist is tried as a pattern. Nothing found is an error, and so is a Helm chart: the
// error comes with the files that are in no chart.
func Files(path string, recursion Recursion) ([]string, error) {
	switch {
	case path == "":
		return nil, errors.New("the file name is empty")
	case path == "-":
		return []string{"-"}, nil
	case strings.HasPrefix(path, "http://"), strings.HasPrefix(path, "https://"):
		return nil, errors.New(
			program.In(
				"is a URL, and ssactl uses no network: download it first, or pipe it in (curl -fsSL URL | ssactl … -f -)",
			),
		)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if matches, bad := filepath.Glob(path); bad == nil && len(matches) > 0 {
			return matches, nil
		}
		return nil, cause(err)
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return below(path, recursion)
	}
	return []string{path}, nil
}

// listing is what a directory has to read.
type listing struct {
	root      string
	recursion Recursion
	files     []string
	charts    []error // an error for each Helm chart
	folders   bool    // it has directories that are not read
}

// below lists the files of a directory; see Files.
func below(root string, recursion Recursion) ([]string, error) {
	// Asked for by its name, a link to a directory is the directory: the separator
	// has it followed.
	if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator)
	}
	l := listing{root: root, recursion: recursion}
	if err := filepath.WalkDir(root, l.visit); err != nil {
		return nil, cause(err)
	}
	if chart := chartOf(root); chart != "" && slices.ContainsFunc(l.files, hasExpressions) {
		return nil, errChart(chart, root)
	}
	if l.charts != nil {
		return l.files, errors.Join(l.charts...)
	}
	if len(l.files) == 0 {
		hint := ""
		if l.folders {
			hint = "; it has directories, which -R reads"
		}
		return nil, fmt.Errorf("the directory has no file that ends in %s%s", strings.Join(extensions, ", "), hint)
	}
	return l.files, nil
}

// visit takes an entry of the directory.
func (l *listing) visit(path string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir() && isChart(path) && (path == l.root || l.recursion == Recursive):
		l.charts = append(l.charts, errChart(path, l.root))
		return filepath.SkipDir
	case path == l.root:
		return nil
	case entry.IsDir() && l.recursion == TopOnly:
		l.folders = true
		return filepath.SkipDir
	case entry.IsDir() || !isRead(path):
		return nil
	case waitsFor(path):
		return fmt.Errorf(
			"%s is a pipe, a socket or a device, which may never end: in a directory only files are read", path,
		)
	}
	l.files = append(l.files, path)
	return nil
}

// hasExpressions reports whether a file has expressions of a template of Helm.
func hasExpressions(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && bytes.Contains(text, []byte("{{"))
}

// isChart reports whether a directory is a Helm chart.
func isChart(dir string) bool {
	chart, err := os.Stat(filepath.Join(dir, "Chart.yaml"))
	if err != nil || chart.IsDir() {
		return false
	}
	templates, err := os.Stat(filepath.Join(dir, "templates"))
	return err == nil && templates.IsDir()
}

// chartOf is the Helm chart that has a directory among its templates; empty for none.
func chartOf(dir string) string {
	at, err := filepath.Abs(dir)
	for up := filepath.Join(dir, ".."); err == nil && filepath.Dir(at) != at; up = filepath.Join(up, "..") {
		if filepath.Base(at) == "templates" && isChart(up) {
			return up
		}
		at = filepath.Dir(at)
	}
	return ""
}

func errChart(dir, root string) error {
	says := program.In("is a Helm chart, which objects are rendered from: helm template NAME CHART | ssactl … -f -")
	if dir == root {
		return errors.New(says)
	}
	return fmt.Errorf("%s %s", dir, says)
}

// unread is how many folders in a directory are left out that have files to read.
func unread(root string, recursion Recursion) int {
	entries, err := os.ReadDir(root)
	if err != nil || recursion == Recursive {
		return 0
	}
	n := 0
	for _, entry := range entries {
		if entry.IsDir() && hasFiles(filepath.Join(root, entry.Name())) {
			n++
		}
	}
	return n
}

// hasFiles reports whether there are files to read below a directory.
func hasFiles(root string) bool {
	found := false
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if found = err == nil && !entry.IsDir() && isRead(path); found {
			return filepath.SkipAll
		}
		return nil
	})
	return found
}

// isRead reports whether a file of a directory is read, by its name.
func isRead(path string) bool {
	return slices.Contains(extensions, filepath.Ext(strings.TrimSuffix(path, ".gz")))
}

// cause leaves out the operation and path of an error that will be wrapped
// with them.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
