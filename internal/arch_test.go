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
	"cmd/ssactl":         {"internal/cli", "internal/iostreams", "internal/pace"},
	"internal/apicall":   {},
	"internal/apiserver": {"internal/apicall", "internal/jsontree", "internal/plainyaml", "internal/pool", "internal/schema", "internal/similar"},
	"internal/applied":   {"internal/apicall", "internal/engine", "internal/ownership"},
	"internal/audit":     {"internal/apicall", "internal/engine", "internal/explain", "internal/kubectl", "internal/migrate", "internal/ownership", "internal/shell"},
	"internal/blame":     {"internal/ownership"},
	"internal/edit":      {"internal/yamltext"},
	"internal/engine":    {"internal/apicall", "internal/jsontree", "internal/ownership", "internal/similar"},
	"internal/fieldtree": {"internal/ownership"},
	"internal/folder":    {},
	"internal/handover":  {"internal/apicall", "internal/applied", "internal/edit", "internal/engine", "internal/explain", "internal/fieldtree", "internal/kubectl", "internal/ownership"},
	"internal/iostreams": {},
	"internal/itemindex": {},
	"internal/jsontree":  {},
	"internal/kubectl":   {"internal/apicall", "internal/shell"},
	"internal/live":      {"internal/jsontree", "internal/manifest", "internal/packed"},
	"internal/manifest":  {"internal/itemindex", "internal/packed", "internal/plainyaml"},
	"internal/migrate":   {"internal/apicall", "internal/applied", "internal/engine", "internal/ownership", "internal/shell"},
	"internal/ownership": {"internal/itemindex"},
	"internal/pace":      {},
	"internal/packed":    {},
	"internal/parity":    {"internal/apicall"},
	"internal/plainyaml": {},
	"internal/pool":      {},
	"internal/progress":  {},
	"internal/reset":     {"internal/apicall", "internal/applied", "internal/engine", "internal/explain", "internal/fieldtree", "internal/kubectl", "internal/ownership"},
	"internal/schema":    {},
	"internal/shell":     {},
	"internal/similar":   {},
	"internal/textdiff":  {},
	"internal/widget":    {},
	"internal/writeback": {"internal/yamltext"},
	"internal/yamltext":  {},
}

// onlyImporters are the packages that alone may import what starts so.
var onlyImporters = map[string][]string{
	"k8s.io/kubernetes/":              {"internal/apiserver"},
	"k8s.io/apiserver/":               {"internal/apiserver"},
	"k8s.io/apiextensions-apiserver/": {"internal/apiserver"},
	"k8s.io/kube-aggregator/":         {"internal/apiserver"},
	"github.com/fatih/color":          {"internal/render"},
	"github.com/sergi/go-diff":        {"internal/textdiff"},
	"github.com/spf13/cobra":          {"internal/cli"},
	"github.com/schollz/progressbar":  {"internal/progress"},
}

// onlyCLI are the packages that only the command line may import.
var onlyCLI = []string{"internal/apiserver"}

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
