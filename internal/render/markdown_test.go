package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/ssactl/ssactl/internal/report"
)

var (
	inlineHTML = regexp.MustCompile(`^</?code>$`)
	blockHTML  = regexp.MustCompile(`^(<details><summary>([^<>]|</?code>)*</summary>|</details>)\n?$`)
)

// checkMarkdown parses a comment as GitHub does, and checks that it has only
// what this module writes: no link, image, mark-up or HTML can come from a
// value, details are closed, and table rows have their cells.
func checkMarkdown(t *testing.T, source string) {
	t.Helper()
	b := []byte(source)
	open := 0
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(b))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML:
			if s := string(n.Segments.Value(b)); !inlineHTML.MatchString(s) {
				t.Errorf("HTML in a line: %q", s)
			}
		case *ast.HTMLBlock:
			s := string(n.Lines().Value(b))
			if !blockHTML.MatchString(s) {
				t.Errorf("HTML block: %q", s)
			}
			if open += strings.Count(s, "<details>") - strings.Count(s, "</details>"); open < 0 || open > 1 {
				t.Errorf("details are nested %d deep", open)
			}
		case *ast.Heading:
			if n.Level != 2 && n.Level != 3 {
				t.Errorf("a heading of level %d", n.Level)
			}
		case *extensionast.TableRow:
			if want := n.Parent().FirstChild().ChildCount(); n.ChildCount() != want || want != 5 && want != 3 {
				t.Errorf("a row has %d cells, the head %d", n.ChildCount(), want)
			}
		case *ast.Link, *ast.Image, *ast.AutoLink, *ast.Emphasis, *ast.Blockquote, *ast.CodeBlock,
			*extensionast.Strikethrough, *extensionast.TaskCheckBox:
			t.Errorf("%s in the comment:\n%s", n.Kind(), source)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if open != 0 {
		t.Errorf("%d details are not closed", open)
	}
}

// TestMarkdownIsCut checks what is left out where there is no room, and that
// it is named.
func TestMarkdownIsCut(t *testing.T) {
	var results []report.Result
	for i := range 400 {
		r := configured()
		r.Target.Name = fmt.Sprintf("web-%d", i)
		results = append(results, r)
	}
	refused := conflicted()
	refused.Target.Name = "refused"
	whole := report.New("v1.36.3", append(results, refused), nil)
	got := rendered(t, "markdown", whole, Options{MaxBytes: DefaultMaxBytes})
	checkMarkdown(t, got)
	if n := len(got); n > DefaultMaxBytes || n < DefaultMaxBytes*9/10 {
		t.Errorf("%d bytes", n)
	}
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if want := "401 objects: 400 configured, 1 conflicted"; lines[2] != want {
		t.Errorf("third line: (-want +got)\n%s", cmp.Diff(want, lines[2]))
	}
	if at := strings.Index(got, "<code>deployment.apps/refused</code> (namespace shop) conflicts"); at < 0 || at > 1000 {
		t.Errorf("the refusal is at %d", at)
	}
	last := regexp.MustCompile(`^This comment was cut at 65536 characters\. Left out, at least in part, are the details of <code>.*</code> and \d+ more\.$`)
	if !last.MatchString(lines[len(lines)-1]) {
		t.Errorf("last line: %s", lines[len(lines)-1])
	}
}

// TestMarkdownCutsDiffs has one object that is too long for a comment.
func TestMarkdownCutsDiffs(t *testing.T) {
	r := configured()
	r.Live = map[string]any{"data": map[string]any{"text": ""}}
	r.Object = map[string]any{"data": map[string]any{"text": strings.Repeat("a line ``` with a fence\n", 5000)}}
	got := rendered(t, "markdown", report.New("v1.36.3", []report.Result{r}, nil), Options{MaxBytes: 8192})
	checkMarkdown(t, got)
	if n := len(got); n > 8192 || n < 6000 {
		t.Errorf("%d bytes", n)
	}
	if !regexp.MustCompile(`(?m)^… \d+ more lines of the diff$`).MatchString(got) {
		t.Errorf("the diff does not say that it is cut:\n%s", got[len(got)-600:])
	}
}
