package internal

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fileNames are the Go files that a comment names.
var fileNames = regexp.MustCompile(`[\w/]*\w\.go\b`)

// TestDocsNameFilesThatExist: the comment of a package is its plan, and a plan that names
// what is gone leads astray.
func TestDocsNameFilesThatExist(t *testing.T) {
	forEachPlan(t, func(path, plan string) {
		for _, name := range fileNames.FindAllString(plan, -1) {
			if !exists(filepath.Dir(path), name) {
				t.Errorf("%s names %s, which does not exist", path, name)
			}
		}
	})
}

// TestPackagesHavePlans: every package of several files says once what it is for, in doc.go
// where these are many.
func TestPackagesHavePlans(t *testing.T) {
	files, plans := map[string]int{}, map[string][]string{}
	forEachFile(t, func(path string, _ []string) { files[filepath.Dir(path)]++ })
	forEachPlan(t, func(path, _ string) {
		plans[filepath.Dir(path)] = append(plans[filepath.Dir(path)], filepath.Base(path))
	})
	for dir, n := range files {
		if of := plans[dir]; n > 1 && len(of) != 1 || n > 10 && of[0] != "doc.go" {
			t.Errorf("%s has %d files, and says what it is for in %v", dir, n, of)
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

// forEachPlan visits the comments of packages.
func forEachPlan(t *testing.T, visit func(path, plan string)) {
	t.Helper()
	forEachFile(t, func(path string, _ []string) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if file.Doc != nil {
			visit(path, file.Doc.Text())
		}
	})
}
