package ci

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// format is one of this package.
type format interface {
	Begin(model.Head) error
	Part(model.Section) (any, error)
	Add(any) error
	End(model.Tail) error
}

// play sends a document through a format.
func play(t *testing.T, f format, d model.Document) {
	t.Helper()
	if err := f.Begin(d.Head); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Sections {
		part, err := f.Part(s)
		if err == nil {
			err = f.Add(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := f.End(d.Tail); err != nil {
		t.Fatal(err)
	}
}

var rules = []model.Rule{
	{ID: "ssactl/conflict", Name: "Conflict", Level: model.Error, Short: "A conflict.", Help: "What it is."},
	{ID: "ssactl/risk", Name: "Risk", Level: model.Warning, Short: "A risk.", Help: "Which it is."},
}

func found(rule int, title string) model.Finding {
	return model.Finding{
		Rule:     rules[rule].ID,
		Level:    rules[rule].Level,
		Title:    title,
		Message:  "message",
		File:     "a.yaml",
		Line:     3,
		Identity: []string{title},
	}
}

// TestGitHub: the worst first, at the lines of files; what would be read as a separator or
// the end of a line is escaped.
func TestGitHub(t *testing.T) {
	fixed := found(1, "a, b: c%")
	fixed.Message, fixed.Fix, fixed.File = "one\ntwo\r\x1b", "ssactl x", "dir,x/a:b.yaml"
	nowhere := found(0, "nowhere")
	nowhere.File = "-"
	noLine := found(0, "no line")
	noLine.Line = 0
	note := model.Finding{Rule: rules[1].ID, Level: model.Note, Title: "note", Message: "noted"}
	said := found(1, "said")
	said.Message, said.Fix = "wrong\nRecommended: write 1.", "write 1."
	for name, tt := range map[string]struct {
		d    model.Document
		want string
	}{
		"nothing": {model.Document{}, ""},
		"findings": {model.Document{Head: model.Head{Title: "Title", Rules: rules, Problems: []model.Problem{{File: "b.yaml", Line: 1,
			Message: "bad"}}},
			Sections: []model.Section{{Findings: []model.Finding{note, fixed}}, {Findings: []model.Finding{nowhere}}},
			Tail:     model.Tail{Findings: []model.Finding{noLine}}},
			"::error file=b.yaml,line=1,title=Unreadable input::bad\n" +
				"::error title=nowhere::message\n" +
				"::error file=a.yaml,title=no line::message\n" +
				"::warning file=dir%2Cx/a%3Ab.yaml,line=3,title=a%2C b%3A c%25::one%0Atwo\\r\\x1b%0ATo fix it: ssactl x\n" +
				"::notice title=note::noted\n"},
		"a fix that the message has": {model.Document{Sections: []model.Section{{Findings: []model.Finding{said}}}},
			"::warning file=a.yaml,line=3,title=said::wrong%0ARecommended: write 1.\n"},
		"how it ended": {model.Document{Head: model.Head{Title: "Title"}, Tail: model.Tail{Interrupted: "after 1 of 2", Unanswered: "No answer",
			Exit: "exit 1: why", Assumed: "assumed"}},
			"::error title=Interrupted::after 1 of 2\n::error title=Title::No answer\n::error title=Title::exit 1: why\n" +
				"::notice title=Title::assumed\n"},
	} {
		var out bytes.Buffer
		play(t, NewGitHub(&out), tt.d)
		if diff := cmp.Diff(tt.want, out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestGitHubShowsTen: of more than ten the tenth counts the others by their rules.
func TestGitHubShowsTen(t *testing.T) {
	list := func(n int) []model.Finding {
		var out []model.Finding
		for i := range n {
			out = append(out, found(i%2, fmt.Sprint("f", i)))
			out[i].Level = model.Error
		}
		return out
	}
	for _, tt := range []struct {
		n, lines int
		last     string
		tail     model.Tail
	}{
		{10, 10, "::error file=a.yaml,line=3,title=f9::message", model.Tail{}},
		{11, 10, "::error title=More errors::2 more errors are not shown as annotations: 2 Risk", model.Tail{}},
		{40, 10, "::error title=More errors::31 more errors are not shown as annotations: 11 Conflict, 20 Risk", model.Tail{}},
		{10, 10, "::error title=More errors::2 more errors are not shown as annotations: 2 Risk", model.Tail{Exit: "exit 1"}},
	} {
		var out bytes.Buffer
		play(
			t,
			NewGitHub(&out),
			model.Document{Head: model.Head{Rules: rules}, Sections: []model.Section{{Findings: list(tt.n)}}, Tail: tt.tail},
		)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if last := lines[len(lines)-1]; len(lines) != tt.lines || last != tt.last {
			t.Errorf("%d findings: %d lines, the last %q, want %d and %q", tt.n, len(lines), last, tt.lines, tt.last)
		}
	}
}

// TestSARIF: what a finding has is where the standard has it, and what fails a run is an
// error whatever its rule says.
func TestSARIF(t *testing.T) {
	enforced := found(1, "on a field")
	enforced.Enforced, enforced.Object, enforced.Name, enforced.Field = true, "shop/deployment.apps/web", "web", ".spec.replicas"
	enforced.Message, enforced.Fix = "see {0} and [a](b)", "ssactl x"
	whole := found(0, "on an object")
	whole.Object, whole.Name, whole.File, whole.Line = "shop/secret/db", "db", "-", 0
	absolute := found(0, "absolute")
	absolute.File, absolute.Line = "/dir/a b.yaml", 0
	var out bytes.Buffer
	play(t, NewSARIF(&out), model.Document{Head: model.Head{Server: "v1.36.3", Rules: rules},
		Sections: []model.Section{
			{Findings: []model.Finding{enforced, whole, absolute}},
		}, Tail: model.Tail{Exit: "exit 1: why",
			Assumed: "assumed"}})
	var log Log
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if got, want := fmt.Sprint(run.Invocations), "[{true exit 1: why [{note {assumed }}]}]"; got != want {
		t.Errorf("the run is %s, want %s", got, want)
	}
	if got, want := len(run.Tool.Driver.Rules), 3; got != want ||
		run.Tool.Driver.Rules[0].ID != "ssactl/unreadable-input" {
		t.Errorf("%d rules, want %d, that of unreadable inputs first", got, want)
	}
	at := func(uri string, line int) *sarifPhysical {
		p := &sarifPhysical{Artifact: sarifArtifact{URI: uri}}
		if line > 0 {
			p.Region = &sarifRegion{StartLine: line}
		}
		return p
	}
	want := []sarifResult{
		{
			RuleID:    rules[0].ID,
			RuleIndex: 1,
			Level:     "error",
			Message:   sarifText{Text: "on an object: message"},
			Fingerprints: fingerprintOf(t,
				run, 0),
			Locations: []Location{
				{Logical: []sarifLogical{{Name: "db", FullyQualifiedName: "shop/secret/db", Kind: "object"}}},
			},
		},
		{
			RuleID:       rules[0].ID,
			RuleIndex:    1,
			Level:        "error",
			Message:      sarifText{Text: "absolute: message"},
			Fingerprints: fingerprintOf(t, run, 1),
			Locations:    []Location{{Physical: at("file:///dir/a%20b.yaml", 0)}},
		},
		{
			RuleID:       rules[1].ID,
			RuleIndex:    2,
			Level:        "error",
			Message:      sarifText{Text: "on a field: see {{0}} and [a\\](b)\nTo fix it: ssactl x"},
			Fingerprints: fingerprintOf(t, run, 2),
			Locations: []Location{{Physical: at("a.yaml", 3), Logical: []sarifLogical{{Name: ".spec.replicas",
				FullyQualifiedName: "shop/deployment.apps/web.spec.replicas", Kind: "member"}}}},
		},
	}
	if diff := cmp.Diff(want, run.Results); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// fingerprintOf checks that those of a run are all different, and gives one.
func fingerprintOf(t *testing.T, run sarifRun, i int) map[string]string {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range run.Results {
		seen[r.Fingerprints["ssactlFinding/v1"]] = true
	}
	if len(seen) != len(run.Results) || seen[""] {
		t.Errorf("%d results, fingerprints %v", len(run.Results), seen)
	}
	return run.Results[i].Fingerprints
}

// TestFingerprint: a finding is the same one when its line and its values change.
func TestFingerprint(t *testing.T) {
	a := found(0, "a")
	moved, other := a, a
	moved.Line, moved.Message, moved.Level = 99, "another", model.Note
	other.Identity = []string{"b"}
	of := func(f model.Finding) string { return result(f, 0).Fingerprints["ssactlFinding/v1"] }
	if of(a) != of(moved) || of(a) == of(other) {
		t.Errorf("%s, moved %s, other %s", of(a), of(moved), of(other))
	}
}

// TestJUnit: a suite for each file, a case for each object, or for each finding on no
// object; and the numbers are those of the cases.
func TestJUnit(t *testing.T) {
	object := func(name string, state model.State, file string) model.Section {
		return model.Section{Title: model.Say(name), Blocks: []model.Block{model.Quote{Text: "of " + name}},
			Subject: &model.Subject{
				Name:   name,
				Class:  "shop.Deployment",
				File:   file,
				Line:   2,
				State:  state,
				Reason: "Reason",
				Gist: "gist of " +
					name,
			}}
	}
	fails, passes := found(0, "fails"), found(1, "passes")
	fails.Fails, fails.Detail, fails.Message = true, "detail", "first\nsecond"
	for name, tt := range map[string]struct {
		d    model.Document
		want string
	}{
		"nothing to say": {model.Document{Head: model.Head{Title: "Title", Server: "v1",
			Lead: []model.Text{model.Say("2 objects, no findings")}}},
			`<testsuites name="Title (v1)" tests="1" failures="0" errors="0">
  <testsuite name="run" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase name="2 objects, no findings" classname="ssactl.run" time="0"></testcase>
  </testsuite>
</testsuites>`},
		"objects": {model.Document{Head: model.Head{Title: "Title", Server: "v1", Problems: []model.Problem{{File: "-", Line: 3,
			Message: "bad\nworse"}}},
			Sections: []model.Section{object("a", model.Accepted, "a.yaml"), object("b", model.Refused, "b.yaml"), object("c", model.Failed,
				"a.yaml")}, Tail: model.Tail{Exit: "exit 1", Assumed: "assumed"}},
			`<testsuites name="Title (v1): exit 1" tests="4" failures="1" errors="2">
  <testsuite name="standard input" tests="1" failures="0" errors="1" skipped="0" time="0">
    <testcase name="read standard input" classname="ssactl.input" time="0">
      <error type="Unreadable" message="bad"><![CDATA[standard input:3
bad
worse]]></error>
    </testcase>
  </testsuite>
  <testsuite name="a.yaml" tests="2" failures="0" errors="1" skipped="0" time="0" file="a.yaml">
    <testcase name="a" classname="shop.Deployment" time="0">
      <system-out><![CDATA[of a
]]></system-out>
    </testcase>
    <testcase name="c" classname="shop.Deployment" time="0">
      <error type="Reason" message="gist of c"><![CDATA[a.yaml:2
of c
]]></error>
    </testcase>
  </testsuite>
  <testsuite name="b.yaml" tests="1" failures="1" errors="0" skipped="0" time="0" file="b.yaml">
    <testcase name="b" classname="shop.Deployment" time="0">
      <failure type="Reason" message="gist of b"><![CDATA[b.yaml:2
of b
]]></failure>
    </testcase>
    <system-out><![CDATA[assumed
]]></system-out>
  </testsuite>
</testsuites>`},
		"findings": {model.Document{Head: model.Head{Title: "Title", Server: "v1"}, Sections: []model.Section{{Findings: []model.Finding{fails,
			passes}}}, Tail: model.Tail{Interrupted: "after 1"}},
			`<testsuites name="Title (v1)" tests="3" failures="1" errors="1">
  <testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="0" time="0" file="a.yaml">
    <testcase name="fails" classname="" time="0">
      <failure type="conflict" message="first"><![CDATA[a.yaml:3
first
second
detail
]]></failure>
    </testcase>
    <testcase name="passes" classname="" time="0">
      <system-out><![CDATA[a.yaml:3
message
]]></system-out>
    </testcase>
  </testsuite>
  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0" time="0">
    <testcase name="all objects" classname="ssactl.run" time="0">
      <error type="Interrupted" message="after 1"><![CDATA[after 1]]></error>
    </testcase>
  </testsuite>
</testsuites>`},
	} {
		var out bytes.Buffer
		play(t, NewJUnit(&out), tt.d)
		if diff := cmp.Diff(xml.Header+tt.want+"\n", out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
