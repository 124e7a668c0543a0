package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// prose are the files of internal/plan that have words for people, and why. The list
// only gets shorter: plans give facts, and internal/render/view says them.
var prose = map[string]string{
	"explain/writer.go":       knowledge,
	"explain/writer_table.go": knowledge,
	"migrate/known.go":        knowledge,
	"writers/cluster.go":      knowledge,
	"writers/injectors.go":    knowledge,

	"policy/node.go":   faults,
	"policy/parse.go":  faults,
	"policy/encode.go": "the comments of a policy that is written",
	"policy/policy.go": "how a policy spells its owners",

	"impact/validation.go": "the name of the object itself among the fields of a report",
}

// Why files have words.
const (
	knowledge = "what is known of field managers, by name"
	faults    = "errors of a file, each with its line"
)

// twoWords in a row are prose.
var twoWords = regexp.MustCompile(`[A-Za-z']{2,}[,:;]? [A-Za-z']{2,}`)

// TestPlansGiveFacts: no plan writes sentences, but for errors.
func TestPlansGiveFacts(t *testing.T) {
	found := map[string]bool{}
	forEachFile(t, func(path string, _ []string) {
		if file, ok := strings.CutPrefix(filepath.ToSlash(path), "../internal/plan/"); ok {
			for _, text := range proseIn(t, path) {
				if found[file] = true; prose[file] == "" {
					t.Errorf("%s says %q: give a fact, and say it in internal/render/view", path, text)
				}
			}
		}
	})
	for _, file := range slices.Sorted(maps.Keys(prose)) {
		if !found[file] {
			t.Errorf("plan/%s has no words any more: take it out of the list", file)
		}
	}
}

// proseIn are the texts of a file with two words or more that are in no error and no tag.
func proseIn(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			return n.Tag == nil
		case *ast.FuncDecl:
			return n.Name.Name != "Error"
		case *ast.CallExpr:
			return !makesError(n)
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && twoWords.MatchString(text) {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// makesError reports whether a call is one of fmt.Errorf or errors.New.
func makesError(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "New")
}
