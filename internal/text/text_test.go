package text

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		text Text
		want string
		json string
	}{
		{Text{}, "", `""`},
		{New("nothing"), "nothing", `"nothing"`},
		{New("%v owns %v", By("helm"), Path(".spec.replicas")), "helm owns .spec.replicas", `"helm owns .spec.replicas"`},
		{New("%v: %v", Path(".data.a"), ValueOf(".data.a", "x")), `.data.a: "x"`, `".data.a: \"x\""`},
		{New("%v is %v", ValueOf("", nil), ValueOf("", strings.Repeat("é", 80))), "null is \"" + strings.Repeat("é", 59) + "…", ""},
		{New("%v%v", Said(""), Said("100%v")), "100%v", `"100%v"`},
		{New("%v (%v)", New("a %v", Number(1)), Name("b")), "a 1 (b)", `"a 1 (b)"`},
		{Names([]string{"a", "b", "c"}), "a, b and c", ""},
		{Paths([]string{".a", ".b", ".c", ".d"}, 3, 9), ".a, .b, .c and 6 more", ""},
		{Paths([]string{".a", ".b"}, 3, 2), ".a and .b", ""},
		{New("a").And("; ", New("b")), "a; b", ""},
		{Join([]Text{New("a"), {}, New("b"), New("c")}, "; "), "a; b; c", ""},
		{New("%v, %v, %v, %v", Count(1, "entry"), Count(2, "entry"), Count(0, "key"), Count(9, "day")), "1 entry, 2 entries, 0 keys, 9 days", ""},
		{New("%v %v", Agree(1, "it stays", "they stay"), Agree(2, "it stays", "they stay")), "it stays they stay", ""},
		{New("%v, %v", Entry("hpa", "Update", "scale"), Entry("", "Apply", "")), "hpa (Update of scale), a manager without name (Apply)", ""},
		{New("a").And("; ", Text{}), "a", ""},
		{Text{}.And("; ", New("b")), "b", ""},
	} {
		if got := tt.text.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if b, err := json.Marshal(tt.text); tt.json != "" && string(b) != tt.json || err != nil {
			t.Errorf("got %s, %v, want %s", b, err, tt.json)
		}
	}
}

// TestFor: words agree with how many a text is about, also in the texts in it.
func TestFor(t *testing.T) {
	says := New("%v takes %v back: %v", By("helm"), Either("it", "them"), New("%v", Either("one", "many")))
	for n, want := range map[int]string{0: "helm takes them back: many", 1: "helm takes it back: one", 2: "helm takes them back: many"} {
		if got := says.For(n).String(); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := says.String(); got != "helm takes it back: one" {
		t.Errorf("of an unknown number: %q", got)
	}
}

// TestPlural: kinds in the plural, as people write them.
func TestPlural(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Plural("Ingress"), "Ingresses"}, {Plural("Box"), "Boxes"}, {Plural("Batch"), "Batches"}, {Plural("NetworkPolicy"), "NetworkPolicies"},
		{Plural("Gateway"), "Gateways"}, {Plural("Key"), "Keys"},
		{Plural("Endpoints"), "Endpoints"}, {Plural("Pod"), "Pods"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestSpans(t *testing.T) {
	got := New("%v sets %v to %v", By("helm"), Path(".a"), ValueOf(".a", true)).Spans()
	want := []Span{{Manager, "helm"}, {Plain, " sets "}, {Field, ".a"}, {Plain, " to "}, {Value, "true"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFormats: each text in the program has as many arguments as its format asks for.
func TestFormats(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || function.Sel.Name != "New" || fmt.Sprint(function.X) != "text" {
				return true
			}
			format, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			seen++
			if got, want := len(call.Args)-1, strings.Count(format.Value, "%v"); got != want {
				t.Errorf("%s: %s has %d arguments, want %d", path, format.Value, got, want)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no text was found")
	}
}

func TestFirstLine(t *testing.T) {
	if got := FirstLine("a\nb") + FirstLine("c") + FirstLine(""); got != "ac" {
		t.Errorf("got %q, want %q", got, "ac")
	}
}
