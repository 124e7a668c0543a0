package internal

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fileNames are the Go files that a comment names.
var fileNames = regexp.MustCompile(`[\w/]*\w\.go\b`)

// TestDocsNameFilesThatExist: doc.go is the plan of a package, and a plan that
// names what is gone leads astray.
func TestDocsNameFilesThatExist(t *testing.T) {
	forEachPlan(t, func(path, text string) {
		for _, name := range fileNames.FindAllString(text, -1) {
			if !exists(filepath.Dir(path), name) {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	})
}

// TestPackagesHavePlans: every package says what it is for, in doc.go or in the
// only file that it has.
func TestPackagesHavePlans(t *testing.T) {
	files := map[string][]string{}
	forEachFile(t, func(path string, _ []string) {
		files[filepath.Dir(path)] = append(files[filepath.Dir(path)], filepath.Base(path))
	})
	for dir, names := range files {
		if _, err := os.Stat(filepath.Join(dir, "doc.go")); err != nil && len(names) > 1 {
			t.Errorf("%s has %d files and no doc.go", dir, len(names))
		}
	}
}

// exists reports whether a name is a file beside the plan, in a package below it,
// or, as a path of upstream's, somewhere else.
func exists(dir, name string) bool {
	if strings.HasPrefix(name, "pkg/") || strings.HasPrefix(name, "util/") || strings.Contains(name, "apimachinery") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

func forEachPlan(t *testing.T, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			visit(path, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
