package internal

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ssactl/ssactl/"

// arrows are the packages of the project that a package may import. Those of
// tests are free.
var arrows = map[string][]string{
	"cmd/ssactl":                       {"internal/cli", "internal/cli/iostreams", "internal/cli/pace"},
	"internal/server/api":              {},
	"internal/server":                  {"internal/server/api", "internal/jsontree", "internal/input/plainyaml", "internal/pool", "internal/server/schema", "internal/suggest"},
	"internal/engine/extract":          {"internal/server/api", "internal/engine", "internal/managedfields"},
	"internal/plan/audit":              {"internal/server/api", "internal/engine", "internal/plan/explain", "internal/shell/kubectl", "internal/plan/migrate", "internal/managedfields", "internal/shell"},
	"internal/plan/owners":             {"internal/managedfields"},
	"internal/files/edit":              {"internal/files/spans"},
	"internal/engine":                  {"internal/server/api", "internal/jsontree", "internal/managedfields", "internal/suggest"},
	"internal/managedfields/fieldtree": {"internal/managedfields"},
	"internal/files/folder":            {},
	"internal/plan/transfer":           {"internal/server/api", "internal/engine/extract", "internal/files/edit", "internal/engine", "internal/plan/explain", "internal/managedfields/fieldtree", "internal/shell/kubectl", "internal/managedfields"},
	"internal/cli/iostreams":           {},
	"internal/managedfields/itemindex": {},
	"internal/jsontree":                {},
	"internal/shell/kubectl":           {"internal/server/api", "internal/shell"},
	"internal/input/live":              {"internal/jsontree", "internal/input/manifest", "internal/input/packed"},
	"internal/input/manifest":          {"internal/managedfields/itemindex", "internal/input/packed", "internal/input/plainyaml"},
	"internal/plan/migrate":            {"internal/server/api", "internal/engine/extract", "internal/engine", "internal/managedfields", "internal/shell"},
	"internal/managedfields":           {"internal/managedfields/itemindex"},
	"internal/cli/pace":                {},
	"internal/input/packed":            {},
	"test/parity":                      {"internal/server/api"},
	"internal/input/plainyaml":         {},
	"internal/pool":                    {},
	"internal/cli/progress":            {},
	"internal/plan/clear":              {"internal/server/api", "internal/engine/extract", "internal/engine", "internal/plan/explain", "internal/managedfields/fieldtree", "internal/shell/kubectl", "internal/managedfields"},
	"internal/server/schema":           {},
	"internal/shell":                   {},
	"internal/suggest":                 {},
	"internal/textdiff":                {},
	"test/widget":                      {},
	"internal/files/writeback":         {"internal/files/spans"},
	"internal/files/spans":             {},
}

// onlyImporters are the packages that alone may import what starts so.
var onlyImporters = map[string][]string{
	"k8s.io/kubernetes/":              {"internal/server"},
	"k8s.io/apiserver/":               {"internal/server"},
	"k8s.io/apiextensions-apiserver/": {"internal/server"},
	"k8s.io/kube-aggregator/":         {"internal/server"},
	"github.com/fatih/color":          {"internal/render"},
	"github.com/sergi/go-diff":        {"internal/textdiff"},
	"github.com/spf13/cobra":          {"internal/cli"},
	"github.com/schollz/progressbar":  {"internal/cli/progress"},
}

// onlyCLI are the packages that only the command line may import.
var onlyCLI = []string{"internal/server"}

func TestArrows(t *testing.T) {
	seen := 0
	forEachImport(t, func(from, imported string) {
		seen++
		for prefix, importers := range onlyImporters {
			if strings.HasPrefix(imported, prefix) && !slices.Contains(importers, from) {
				t.Errorf("%s imports %s, which only %v may", from, imported, importers)
			}
		}
		to, ours := strings.CutPrefix(imported, module)
		if !ours {
			return
		}
		if allowed, ok := arrows[from]; ok && !slices.Contains(allowed, to) {
			t.Errorf("%s imports %s: allowed are %v", from, to, allowed)
		}
		if slices.Contains(onlyCLI, to) && from != "internal/cli" {
			t.Errorf("%s imports %s: only internal/cli may", from, to)
		}
	})
	if seen < 100 {
		t.Errorf("saw %d imports only", seen)
	}
}

// TestOneFileHasColour: ANSI lives in the palette.
func TestOneFileHasColour(t *testing.T) {
	var files []string
	forEachFile(t, func(path string, imports []string) {
		if slices.Contains(imports, "github.com/fatih/color") {
			files = append(files, filepath.Base(path))
		}
	})
	if len(files) != 1 || files[0] != "palette.go" {
		t.Errorf("the colour library is imported by %v, want palette.go alone", files)
	}
}

func forEachImport(t *testing.T, visit func(from, imported string)) {
	t.Helper()
	forEachFile(t, func(path string, imports []string) {
		from := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, ".."+string(filepath.Separator))))
		for _, imported := range imports {
			visit(from, imported)
		}
	})
}

func forEachFile(t *testing.T, visit func(path string, imports []string)) {
	t.Helper()
	for _, root := range []string{filepath.Join("..", "internal"), filepath.Join("..", "cmd")} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			var imports []string
			for _, spec := range file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				imports = append(imports, name)
			}
			visit(path, imports)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
