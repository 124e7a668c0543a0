package show

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/ci"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/golden"
)

var unreadable = []report.Problem{
	{Source: report.Source{File: "bad.yaml", Document: 2, Line: 3}, Message: "line 3: mapping values are not allowed"},
}

func TestReviewGolden(t *testing.T) {
	several := report.New(
		golden.RunOf("v1.36.3", unreadable...),
		[]report.Result{created(), configured(), unchanged(), conflicted(), invalid(), failed(), secret()},
	)
	clean := report.New(golden.RunOf("v1.36.3"), []report.Result{unchanged()})
	for _, format := range []string{"markdown", "github", "sarif", "junit", "json-patch"} {
		for name, whole := range map[string]report.Report{"several": several, "clean": clean} {
			golden.CheckGolden(t, name+"."+format, rendered(t, format, whole, Options{Now: golden.Now}))
		}
	}
	golden.CheckGolden(
		t,
		"one.json-patch",
		rendered(t, "json-patch", report.New(golden.RunOf("v1.36.3"), []report.Result{configured()}), Options{}),
	)
}

func rendered(t testing.TB, format string, whole report.Report, o Options) string {
	t.Helper()
	f, err := Lookup(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Render(&out, whole, o); err != nil && !errors.As(err, new(*objects.LackError)) {
		t.Fatalf("%s: %v", format, err)
	}
	return out.String()
}

// attacks are values that would act where a report is shown, each format's own
// among them.
var attacks = []string{
	"x\n::error file=a::b", "::set-output name=a::b", "##[command]x", "%0A::warning::x", "a,b:c%25",
	"```\n</details><script>alert(1)</script>", "~~~~", "``````\n# title", "</code><img src=x onerror=a()>", "[a](javascript:b)", "![x](http://e.example/i.png)",
	"| a | b |", "\\| \\", "<!-- ", "&lt;b&gt; &#60;", "@team #12 GH-3 www.example.com http://example.com a@example.com", "- [ ] x", "*a* _b_ ~~c~~ `d` $e$ :smile:",
	"]]><x/>", "\x00\x1b[2J\u202e\ufffe\xff", "{0} [a](1) {{1}}", "\u2028\u2029\r\n\t", strings.Repeat("`", 40), "<summary>", "</summary>\n\n<b>",
}

// attacked is a report with a string in every place that a stranger can fill.
func attacked(s string) report.Report {
	r := hostile()
	accepted := configured()
	writer := report.Writer{Manager: s, Operation: s, Subresource: s, APIVersion: s}
	for _, result := range []*report.Result{&r, &accepted} {
		result.Target = report.Target{APIVersion: s, Kind: s, Namespace: s, Name: s, Subresource: s}
		result.Source.File, result.Manager = s, s
		result.Warnings, result.Notices = []string{s}, []string{s}
		result.Confidence = report.Confidence{
			Level:   report.Partial,
			Reasons: []report.Caveat{{Kind: api.Admission, Message: s}},
		}
	}
	r.Status = &report.Status{Message: s, Reason: s, Raw: map[string]any{"message": s}}
	r.Conflicts = []report.Conflict{
		{Field: s, Writer: writer, Live: s, Applied: map[string]any{s: s}, Source: &report.Source{File: s, Line: 3}},
	}
	r = contested(r, conflict.Conflict{Recommended: conflict.ResolutionKind(s),
		Because: conflict.Reason{Kind: conflict.WritesWhenRun, Managers: []string{s}}})
	accepted.Live = map[string]any{"data": map[string]any{s + "k": s}}
	accepted.Object = map[string]any{"data": map[string]any{s + "k": s + "v"}, s: []any{s}}
	accepted.Changes = []report.Change{
		{Field: s, Kind: report.Modified, Before: s, After: s + "v", Reason: report.Reason(s), Detail: s},
	}
	accepted.Transfers = []report.Transfer{{Field: s, Manager: s, Operation: s, Subresource: s, Kind: report.Overridden}}
	invalid, failed := r, r
	invalid.Outcome, invalid.Conflicts = report.Invalid, nil
	invalid.Causes = []report.Cause{{Field: s, Message: s, Source: &report.Source{File: s, Line: 2}}, {Message: s}}
	failed.Outcome, failed.Error, failed.Status, failed.Conflicts = report.Failed, s, nil, nil
	return report.New(
		golden.RunOf(s, report.Problem{Source: report.Source{File: s, Line: 1}, Message: s}),
		[]report.Result{r, accepted, invalid, failed},
	)
}

// command is what a runner reads as a workflow command of this module: one
// line, and in it no separator but its own.
var command = regexp.MustCompile(`^::(error|warning|notice) ((file|line|title)=[^:,]*,?)+::.*$`)

func checkGitHub(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	perKind := map[string]int{}
	for _, l := range lines {
		m := command.FindStringSubmatch(l)
		if m == nil || !glyph.IsVisible(l) {
			t.Errorf("no workflow command of this module: %q", l)
			continue
		}
		perKind[m[1]]++
	}
	for kind, n := range perKind {
		if n > ci.AnnotationsPerKind {
			t.Errorf("%d annotations of kind %s", n, kind)
		}
	}
}

var sarifLevels = map[string]bool{"error": true, "warning": true, "note": true}

// checkSARIF checks what the schema of SARIF 2.1.0 asks of the properties that
// are used here: that there are no others, which are required, and their
// values. The schema itself is OASIS's, and not part of this repository.
func checkSARIF(t *testing.T, document string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(document))
	d.DisallowUnknownFields()
	var log ci.Log
	if err := d.Decode(&log); err != nil {
		t.Fatalf("read SARIF: %v", err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil || log.Runs[0].Tool.Driver.Name == "" {
		t.Errorf("version %q, %d runs", log.Version, len(log.Runs))
	}
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		if r.ID == "" || r.Short.Text == "" || r.Full.Text == "" || r.Help.Text == "" || !sarifLevels[r.Default.Level] {
			t.Errorf("rule %+v", r)
		}
	}
	checkResults(t, log)
}

func checkResults(t *testing.T, log ci.Log) {
	t.Helper()
	known := log.Runs[0].Tool.Driver.Rules
	for _, r := range log.Runs[0].Results {
		if r.RuleIndex < 0 || r.RuleIndex >= len(known) || known[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %s at %d", r.RuleID, r.RuleIndex)
		}
		if r.Message.Text == "" || !sarifLevels[r.Level] || len(r.Fingerprints) != 1 {
			t.Errorf("result %+v", r)
		}
		for _, l := range r.Locations {
			checkPlace(t, l)
		}
	}
}

func checkPlace(t *testing.T, l ci.Location) {
	t.Helper()
	if l.Physical == nil {
		return
	}
	u, err := url.Parse(l.Physical.Artifact.URI)
	if err != nil || u.Scheme != "" && u.Scheme != "file" || strings.ContainsAny(l.Physical.Artifact.URI, " \\\n") {
		t.Errorf("no reference to a file: %q, %v", l.Physical.Artifact.URI, err)
	}
	if l.Physical.Region != nil && l.Physical.Region.StartLine < 1 {
		t.Errorf("starts at line %d", l.Physical.Region.StartLine)
	}
}

// junitAttributes are those that junit-10.xsd of Jenkins allows.
var junitAttributes = map[string]string{
	"testsuites": "name time tests failures errors",
	"testsuite":  "name tests failures errors group time skipped timestamp hostname id package file log url version",
	"testcase":   "name time classname group",
	"failure":    "type message", "error": "type message", "system-out": "",
}

var junitChildren = map[string]string{
	"":           "testsuites",
	"testsuites": "testsuite",
	"testsuite":  "testcase",
	"testcase":   "error failure system-out",
}

// checkJUnit checks the structure that the schema asks for, and that the
// numbers are right.
func checkJUnit(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	path := []string{""}
	counts := map[string]int{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("read XML: %v\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			parent := path[len(path)-1]
			if !contains(junitChildren[parent], name) {
				t.Errorf("<%s> in <%s>", name, parent)
			}
			for _, a := range token.Attr {
				if !contains(junitAttributes[name], a.Name.Local) {
					t.Errorf("<%s> has an attribute %s", name, a.Name.Local)
				}
			}
			path = append(path, name)
			counts[name]++
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	var doc ci.Suites
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	want := []int{counts["testcase"], counts["failure"], counts["error"]}
	if diff := cmp.Diff(want, []int{doc.Tests, doc.Failures, doc.Errors}); diff != "" {
		t.Errorf("tests, failures, errors: (-want +got)\n%s", diff)
	}
}

func contains(words, word string) bool {
	for _, w := range strings.Fields(words) {
		if w == word {
			return true
		}
	}
	return false
}

// checkReview checks every format of one report.
func checkReview(t *testing.T, whole report.Report) {
	t.Helper()
	checkGitHub(t, rendered(t, "github", whole, Options{}))
	checkSARIF(t, rendered(t, "sarif", whole, Options{}))
	checkJUnit(t, rendered(t, "junit", whole, Options{}))
	golden.CheckComment(t, rendered(t, "markdown", whole, Options{}))
	for _, limit := range []int{MinMaxBytes, 4096} {
		short := rendered(t, "markdown", whole, Options{MaxBytes: limit})
		if len(short) > limit {
			t.Errorf("%d bytes of Markdown, not %d", len(short), limit)
		}
		golden.CheckComment(t, short)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal([]byte(rendered(t, "json-patch", whole, Options{})), &entries); err != nil {
		t.Error(err)
	}
}

func TestAttacks(t *testing.T) {
	for _, s := range attacks {
		checkReview(t, attacked(s))
	}
	checkReview(t, attacked(strings.Join(attacks, "\n")))
}

func FuzzReview(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || s == "-" {
			return
		}
		checkReview(t, attacked(s))
	})
}

// TestAnnotationsAreSummedUp has more findings than GitHub shows.
func TestAnnotationsAreSummedUp(t *testing.T) {
	var results []report.Result
	for i := range 12 {
		results = append(results, conflicted(), invalid(), configured())
		results[len(results)-2].Causes[0].Message += fmt.Sprint(i)
	}
	got := rendered(t, "github", report.New(golden.RunOf("v1.36.3"), results), Options{})
	checkGitHub(t, got)
	lines := strings.Split(got, "\n")
	want := "::error title=More errors::6 more errors are not shown as annotations: 4 Refused, 2 Conflict"
	if diff := cmp.Diff(want, lines[ci.AnnotationsPerKind-1]); diff != "" {
		t.Errorf("the tenth: (-want +got)\n%s", diff)
	}
	if !strings.Contains(lines[0], "refused") {
		t.Errorf("the first is %s", lines[0])
	}
}
