package golden

import (
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
)

// Update is the flag that writes what is expected anew.
var Update = flag.Bool("update", false, "write what is expected anew")

// RunOf is a run of a server, with inputs that could not be read.
func RunOf(version string, problems ...report.Problem) report.Run {
	return report.Run{Version: version, Ending: report.Ending{Problems: problems}}
}

// CheckGolden compares a text with testdata/NAME.
func CheckGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *Update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", name, diff)
	}
}

var ourHTML = regexp.MustCompile(
	`^(</?(code|b)>|<details( open)?><summary>.*</summary>|</details>|<!-- ssactl -->)\n?$`,
)

// CheckComment parses a comment as GitHub does: no link, image or emphasis can
// come of a value.
func CheckComment(t *testing.T, source string) {
	t.Helper()
	b := []byte(source)
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(b))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML:
			if s := string(n.Segments.Value(b)); !ourHTML.MatchString(s) {
				t.Errorf("HTML in a line: %q", s)
			}
		case *ast.HTMLBlock:
			if s := string(n.Lines().Value(b)); !ourHTML.MatchString(s) {
				t.Errorf("HTML block: %q", s)
			}
		case *extensionast.TableRow:
			if want := n.Parent().FirstChild().ChildCount(); n.ChildCount() != want {
				t.Errorf("a row has %d cells, the head %d", n.ChildCount(), want)
			}
		case *ast.Link, *ast.Image, *ast.AutoLink, *ast.Emphasis, *ast.Blockquote, *ast.CodeBlock,
			*extensionast.Strikethrough, *extensionast.TaskCheckBox, *ast.ThematicBreak:
			t.Errorf("%s in the comment:\n%s", n.Kind(), source)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// pageAttributes are all that a page has, with the values that they may have:
// none of them holds a text of the report.
var pageAttributes = map[string]*regexp.Regexp{
	"html lang": exactly("en"), "meta charset": exactly("utf-8"),
	"meta http-equiv": exactly(
		"Content-Security-Policy",
	), "meta name": exactly("viewport|referrer|color-scheme"), "meta content": nil,
	"a href": exactly("#objects|#object-[0-9]+"), "form role": exactly("search"), "form autocomplete": exactly("off"),
	"label for": exactly("find|kind|manager"), "output for": exactly("find kind manager"),
	"option value": exactly(`[0-9]*`),
	"input type":   exactly("checkbox|search"), "input checked": exactly(""), "input spellcheck": exactly("false"),
	"button type": exactly("button|reset"), "th scope": exactly("col|row"), "div role": exactly("region"),
	"details open": exactly(""), "details data-kind": exactly(`[0-9]+`),
	"details data-managers": exactly(`( [0-9]+)* `), "details data-tile": exactly(`[0-9]+`),
	"* id": exactly(
		`object-[0-9]+|show-[0-7]|group-[a-z]+|problems|overview|objects|find|kind|manager|shown|none|unfold|fold|clear`,
	),
	"* class":           exactly(`[a-z]+( [a-z]+)*|m c[0-7] s[0-3]`),
	"* hidden":          exactly(""),
	"* tabindex":        exactly("-1|0"),
	"* aria-hidden":     exactly("true"),
	"* aria-label":      exactly("Filter the objects"),
	"* aria-labelledby": nil,
}

var pageElements = strings.Fields(
	`html head meta title style body a header h1 h2 h3 h4 h5 p span main section ul ol li pre form fieldset
	legend label input b div select option button output details summary table
	thead tbody tr th td code del ins small dl dt dd script`,
)

func exactly(pattern string) *regexp.Regexp { return regexp.MustCompile("^(" + pattern + ")$") }

// CheckPage parses a page as a browser does, and checks that it consists of
// what the templates write, that everything has a name, and that its policy
// fits.
func CheckPage(t *testing.T, source string) {
	t.Helper()
	for i, l := range strings.Split(source, "\n") {
		if !glyph.IsVisible(l) {
			t.Errorf("line %d acts: %q", i+1, l)
		}
	}
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	p := &parsed{ids: map[string]bool{}, counts: map[string]int{}}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			p.wrong("comment %q", n.Data)
		}
		if n.Type == html.ElementNode {
			p.element(n)
		}
	}
	for _, id := range p.named {
		if !p.ids[id] {
			p.wrong("nothing has the id %q", id)
		}
	}
	for name, n := range map[string]int{"script": 1, "style": 1, "h1": 1, "main": 1, "title": 1} {
		if p.counts[name] != n {
			p.wrong("%d elements %s", p.counts[name], name)
		}
	}
	p.policy()
	for _, problem := range p.problems {
		t.Error(problem)
	}
}

// parsed collects what is known of a page.
type parsed struct {
	ids                    map[string]bool
	counts                 map[string]int
	named                  []string
	level                  int
	content, style, script string
	problems               []string
}

func (p *parsed) wrong(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

func (p *parsed) element(n *html.Node) {
	p.counts[n.Data]++
	if !slices.Contains(pageElements, n.Data) {
		p.wrong("element %s", n.Data)
	}
	values := map[string]string{}
	for _, a := range n.Attr {
		values[a.Key] = a.Val
		pattern, ok := pageAttributes[n.Data+" "+a.Key]
		if !ok {
			pattern, ok = pageAttributes["* "+a.Key]
		}
		if !ok || pattern != nil && !pattern.MatchString(a.Val) {
			p.wrong("attribute %s of %s: %q", a.Key, n.Data, a.Val)
		}
	}
	p.names(n, values)
	switch n.Data {
	case "meta":
		if values["http-equiv"] != "" {
			p.content = values["content"]
		}
	case "style":
		p.style = textOf(n)
	case "script":
		p.script = textOf(n)
	case "h1", "h2", "h3", "h4", "h5":
		level := int(n.Data[1] - '0')
		if level > p.level+1 {
			p.wrong("%s %q follows a heading of level %d", n.Data, textOf(n), p.level)
		}
		p.level = level
	}
}

// names checks ids, and that what a keyboard reaches has a name.
func (p *parsed) names(n *html.Node, values map[string]string) {
	if id, ok := values["id"]; ok {
		if p.ids[id] {
			p.wrong("two elements have the id %q", id)
		}
		p.ids[id] = true
	}
	p.named = append(p.named, strings.Fields(values["for"])...)
	if id := values["aria-labelledby"]; id != "" {
		p.named = append(p.named, id)
	}
	if target, ok := strings.CutPrefix(values["href"], "#"); ok {
		p.named = append(p.named, target)
	}
	switch n.Data {
	case "button", "summary", "a", "legend", "label", "h1", "h2", "h3", "h4":
		if strings.TrimSpace(textOf(n)) == "" {
			p.wrong("empty %s", n.Data)
		}
	case "input":
		if values["type"] == "checkbox" && n.Parent.Data != "label" {
			p.wrong("checkbox %s has no label", values["id"])
		}
	}
}

func (p *parsed) policy() {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; style-src " + hash(
		p.style,
	) + "; script-src " + hash(
		p.script,
	) + "; base-uri 'none'; form-action 'none'"
	if p.content != want {
		p.wrong("policy %q, want %q", p.content, want)
	}
	for _, part := range []string{p.style, p.script} {
		if strings.Contains(part, "//") && strings.Contains(part, "://") || strings.Contains(part, "url(") ||
			strings.Contains(part, "@import") {
			p.wrong("the page refers to something outside")
		}
	}
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
