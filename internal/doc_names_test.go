package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented is a comment with the names that it documents.
type documented struct {
	path  string
	names []string
	text  string
	// beside are the names of the fields next to a field.
	beside []string
}

// TestDocsBeginWithTheirOwnName: a comment that begins with another name is left from a
// rename, or was written for what stood there before.
func TestDocsBeginWithTheirOwnName(t *testing.T) {
	declared := map[string]map[string]bool{}
	var all []documented
	forEachFile(t, func(path string, _ []string) {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(path)
		if declared[dir] == nil {
			declared[dir] = map[string]bool{}
		}
		for _, d := range documentedIn(file) {
			d.path = path
			if d.beside == nil {
				for _, name := range d.names {
					declared[dir][name] = true
				}
			}
			all = append(all, d)
		}
	})
	if len(all) < 1000 {
		t.Errorf("saw %d names only", len(all))
	}
	for _, d := range all {
		if other := otherName(d, declared[filepath.Dir(d.path)]); other != "" {
			t.Errorf("%s: the comment of %s begins with %s", d.path, strings.Join(d.names, ", "), other)
		}
	}
}

// TestOtherName shows what the test above finds.
func TestOtherName(t *testing.T) {
	declared := map[string]bool{"FormatsOf": true, "wish": true}
	for text, want := range map[string]string{
		"Command is one to run.":             "",
		"The command is one to run.":         "",
		"FormatsOf are those of an answer.":  "FormatsOf",
		"Kind is what it is.":                "Kind",
		"GenerateName: it has no name.":      "GenerateName",
		"wish is what is desired.":           "wish",
		"wish comes before what is desired.": "",
		"Manager and Command belong to it.":  "Manager",
		"kubectl is called with it.":         "",
	} {
		d := documented{names: []string{"Command"}, text: text, beside: []string{"Kind", "Command", "Manager"}}
		if got := otherName(d, declared); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

var (
	// beginning is the first word of a comment. One in lower case is a name in front of a verb.
	beginning = regexp.MustCompile(`^(?:[A-Z]\w{2,}|[a-z]\w*(?:: | is | are | says? | reports | gives | has | makes ))`)
	// compound is a word that only a name can be.
	compound = regexp.MustCompile(`^[A-Za-z]*[a-z][A-Z]\w*$`)
)

// otherName is the name that a comment begins with instead of its own; empty for none.
func otherName(d documented, declared map[string]bool) string {
	name, _, _ := strings.Cut(strings.TrimSpace(beginning.FindString(d.text)), " ")
	name = strings.TrimSuffix(name, ":")
	if slices.Contains(d.names, name) {
		return ""
	}
	if declared[name] || slices.Contains(d.beside, name) || compound.MatchString(name) {
		return name
	}
	return ""
}

// documentedIn are the comments of declarations, fields and methods of a file, and those that
// have none, with their names.
func documentedIn(file *ast.File) []documented {
	var out []documented
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			out = append(out, documented{names: []string{n.Name.Name}, text: n.Doc.Text()})
		case *ast.GenDecl:
			out = append(out, documentedSpecs(n)...)
		case *ast.StructType:
			out = append(out, documentedFields(n.Fields)...)
		case *ast.InterfaceType:
			out = append(out, documentedFields(n.Methods)...)
		case *ast.BlockStmt:
			return false
		}
		return true
	})
	return out
}

func documentedSpecs(decl *ast.GenDecl) []documented {
	var out []documented
	for _, spec := range decl.Specs {
		var d documented
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.names, d.text = []string{spec.Name.Name}, spec.Doc.Text()
		case *ast.ValueSpec:
			d.names, d.text = namesOf(spec.Names), spec.Doc.Text()
		default:
			continue
		}
		if !decl.Lparen.IsValid() {
			d.text = decl.Doc.Text()
		}
		out = append(out, d)
	}
	return out
}

func documentedFields(list *ast.FieldList) []documented {
	beside := []string{}
	for _, field := range list.List {
		beside = append(beside, fieldNames(field)...)
	}
	var out []documented
	for _, field := range list.List {
		out = append(out, documented{names: fieldNames(field), text: field.Doc.Text(), beside: beside})
	}
	return out
}

// fieldNames are the names of a field; of an embedded one, that of its type.
func fieldNames(field *ast.Field) []string {
	if len(field.Names) > 0 {
		return namesOf(field.Names)
	}
	name := fmt.Sprint(field.Type)
	switch of := field.Type.(type) {
	case *ast.StarExpr:
		name = fmt.Sprint(of.X)
	case *ast.SelectorExpr:
		name = of.Sel.Name
	}
	return []string{name}
}

func namesOf(list []*ast.Ident) []string {
	var out []string
	for _, name := range list {
		out = append(out, name.Name)
	}
	return out
}
