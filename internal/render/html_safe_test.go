package render

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// hostileTexts would act in a page, on a terminal that shows its source, or on
// a reader.
var hostileTexts = []string{
	"", " ", "\x00", "\n", "\r\n", "a\x1b[2Jb\u202ec\x00d\xffe\r\nf\u200bg\u009b", "\ufeff", "\U000e0041", "\u2028",
	`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `</style><style>*{display:none}`, `<!--`, `-->`, `]]>`,
	`"><img src=x onerror=alert(1)>`, `' onfocus='alert(1)' autofocus='`, "` onmouseover=`alert(1)", `</pre></dd></details></body></html>`,
	`javascript:alert(1)`, `{{.}}`, `{{template "page"}}`, `&lt;b&gt;`, `&#60;b&#62;`, `&`, `<plaintext>`, `<svg/onload=alert(1)>`,
	`<base href=//example.com/>`, `<meta http-equiv=refresh content=0>`, `<form action=//example.com><input id=find>`, `expression(alert(1))`,
	`\`, `\u003cscript\u003e`, `%3Cscript%3E`, "+ADw-script+AD4-", "<\u0000script>", "\x01c0\x02", strings.Repeat("<b>", 400), strings.Repeat("w", 5000),
}

func TestHTMLHostile(t *testing.T) {
	for _, s := range hostileTexts {
		checkPage(t, htmlPage(t, strange(s)))
	}
}

func TestHTMLPages(t *testing.T) {
	for _, results := range [][]report.Result{
		nil, {created()}, {configured()}, {owned()}, {conflicted()}, {hostile()}, {wide()},
		{created(), configured(), unchanged(), conflicted(), invalid(), failed(), secret(), owned(), hostile()},
	} {
		checkPage(t, htmlPage(t, report.New(runOf("v1.36.3"), results)))
	}
}

func FuzzHTML(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkPage(t, htmlPage(t, strange(s))) })
}

// strange is a report with a text in every place that a stranger can fill.
func strange(s string) report.Report {
	r := hostile()
	source := &report.Source{File: s, Line: 1}
	writer := report.Writer{Manager: s, Operation: s, Subresource: s, APIVersion: s}
	change := report.Change{Field: s, Kind: report.Modified, Before: s, After: map[string]any{s: s}, Reason: report.Reason(s), Detail: s, Source: source}
	transfer := report.Transfer{Field: s, Manager: s, Operation: s, Subresource: s, Kind: report.Overridden}
	object := map[string]any{
		s: map[string]any{s: []any{s, map[string]any{s: s}}}, "apiVersion": s, "kind": s, "text": s + "\n" + s,
		"metadata": map[string]any{"name": s, "managedFields": []any{
			map[string]any{"manager": s, "operation": "Apply", "apiVersion": s, "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:" + s: map[string]any{}, "f:gone" + s: map[string]any{}}},
			map[string]any{"manager": s, "operation": s, "subresource": s, "apiVersion": s, "fieldsType": s, "fieldsV1": map[string]any{s: s}},
			s,
		}},
	}
	r.Target = report.Target{APIVersion: s + "/" + s, Kind: s, Namespace: s, Name: s, Subresource: s}
	r.Source, r.LiveSource, r.Manager, r.Operation = *source, source, s, report.Operation(s)
	r.Live, r.Error, r.Warnings, r.Notices = object, s, []string{s}, []string{s}
	r.Status = &report.Status{Message: s, Reason: s}
	r.Conflicts = []report.Conflict{{Field: s, Writer: writer, Live: s, Applied: s, Source: source}}
	r.Ownership = []report.FieldOwners{{Field: s, Managers: []report.Writer{writer}}}
	r.Confidence = report.Confidence{Level: report.Partial, Reasons: []report.Caveat{{Kind: api.Admission, Message: s}}}
	r.Forced = &report.Forced{Outcome: report.Configured, Code: 200, Object: map[string]any{s + "x": s}, Changes: []report.Change{change}, Transfers: []report.Transfer{transfer}}

	accepted := r
	accepted.Outcome, accepted.Object, accepted.Conflicts, accepted.Forced = report.Configured, r.Forced.Object, nil, nil
	accepted.Changes, accepted.Transfers = []report.Change{change}, []report.Transfer{transfer}
	wrong := r
	wrong.Outcome, wrong.Code = report.Invalid, 422
	wrong.Status = &report.Status{Message: s, Reason: s, Raw: map[string]any{"details": map[string]any{"causes": []any{
		map[string]any{"field": s, "message": s}, map[string]any{"field": s + "2", "message": s},
	}}}}
	return report.New(runOf(s, report.Problem{Source: *source, Message: s}), []report.Result{r, accepted, wrong})
}

// pageAttributes are all that a page has, with the values that they may have:
// none of them holds a text of the report.
var pageAttributes = map[string]*regexp.Regexp{
	"html lang": exactly("en"), "meta charset": exactly("utf-8"),
	"meta http-equiv": exactly("Content-Security-Policy"), "meta name": exactly("viewport|referrer|color-scheme"), "meta content": nil,
	"a href": exactly("#objects|#object-[0-9]+"), "form role": exactly("search"), "form autocomplete": exactly("off"),
	"label for": exactly("find|kind|manager"), "output for": exactly("find kind manager"), "option value": exactly(`[0-9]*`),
	"input type": exactly("checkbox|search"), "input checked": exactly(""), "input spellcheck": exactly("false"),
	"button type": exactly("button|reset"), "th scope": exactly("col|row"), "div role": exactly("region"),
	"details open": exactly(""), "details data-kind": exactly(`[0-9]+`), "details data-managers": exactly(`( [0-9]+)* `), "details data-tile": exactly(`[0-9]+`),
	"* id":              exactly(`object-[0-9]+|show-[0-7]|group-[a-z]+|problems|overview|objects|find|kind|manager|shown|none|unfold|fold|clear`),
	"* class":           exactly(`[a-z]+( [a-z]+)*|m c[0-7] s[0-3]`),
	"* hidden":          exactly(""),
	"* tabindex":        exactly("-1|0"),
	"* aria-hidden":     exactly("true"),
	"* aria-label":      exactly("Filter the objects"),
	"* aria-labelledby": nil,
}

var pageElements = strings.Fields(`html head meta title style body a header h1 h2 h3 h4 h5 p span main section ul ol li pre form fieldset
	legend label input b div select option button output details summary table thead tbody tr th td code del ins small dl dt dd script`)

func exactly(pattern string) *regexp.Regexp { return regexp.MustCompile("^(" + pattern + ")$") }

// checkPage parses a page as a browser does, and checks that it consists of
// what the templates write, that everything has a name, and that its policy
// fits.
func checkPage(t *testing.T, source string) {
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
	want := "default-src 'none'; style-src " + hash(p.style) + "; script-src " + hash(p.script) + "; base-uri 'none'; form-action 'none'"
	if p.content != want {
		p.wrong("policy %q, want %q", p.content, want)
	}
	for _, part := range []string{p.style, p.script} {
		if strings.Contains(part, "//") && strings.Contains(part, "://") || strings.Contains(part, "url(") || strings.Contains(part, "@import") {
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
