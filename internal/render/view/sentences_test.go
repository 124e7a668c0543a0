package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/ssactl/ssactl/internal/plan/explain"
)

// TestEveryKindHasASentence: what plans give as a kind is said in words, but for the
// kinds that are said otherwise.
func TestEveryKindHasASentence(t *testing.T) {
	for _, test := range []struct {
		plan, kind string
		said       func(string) bool
	}{
		{"explain", "KeepKind", says[explain.KeepKind](keeps)},
	} {
		kinds := constantsOf(t, test.plan, test.kind)
		if len(kinds) == 0 {
			t.Errorf("%s has no constants of %s", test.plan, test.kind)
		}
		for _, kind := range kinds {
			if !test.said(kind) {
				t.Errorf("%s.%s %s has no sentence", test.plan, test.kind, kind)
			}
		}
	}
}

func says[K ~string](sentences map[K]string, otherwise ...K) func(string) bool {
	return func(kind string) bool { return sentences[K(kind)] != "" || slices.Contains(otherwise, K(kind)) }
}

// constantsOf are the values of the string constants of a type.
func constantsOf(t *testing.T, plan, kind string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "plan", plan, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typed, ok := spec.Type.(*ast.Ident)
			value, literal := spec.Values[0].(*ast.BasicLit)
			if ok && literal && typed.Name == kind {
				text, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, text)
			}
			return true
		})
	}
	return out
}
