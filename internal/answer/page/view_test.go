package page

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
)

// now is when these pages are shown.
var now = time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)

var web = report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

func met() report.FailOn {
	f := report.FailOn{Values: []string{"warning"}}
	f.Count("a-rule", report.SeverityWarning)
	return f
}

// TestStateOf: what has no answer is worse than what is refused, and says why the exit code
// is 1 only where nothing else does.
func TestStateOf(t *testing.T) {
	failing, passing := met(), report.FailOn{Values: []string{"warning"}}
	for name, tt := range map[string]struct {
		of    report.Ending
		state model.State
		exit  bool
	}{
		"all is well":     {report.Ending{}, model.Accepted, false},
		"nothing is met":  {report.Ending{FailOn: &passing}, model.Accepted, false},
		"a risk is met":   {report.Ending{FailOn: &failing}, model.Refused, true},
		"unread too":      {report.Ending{FailOn: &failing, Problems: []report.Problem{{}}}, model.Failed, false},
		"interrupted too": {report.Ending{FailOn: &failing, Interrupted: &report.Interruption{}}, model.Failed, false},
	} {
		if got := StateOf(tt.of); got != tt.state {
			t.Errorf("%s: state %d, want %d", name, got, tt.state)
		}
		if got := ExitReason(report.Summary{}, tt.of); strings.HasPrefix(got, "exit 1: ") != tt.exit {
			t.Errorf("%s: exit reason %q, want one: %v", name, got, tt.exit)
		}
		if got := ExitReason(report.Summary{Conflicted: 1}, tt.of); got != "" {
			t.Errorf("%s, and refused: exit reason %q", name, got)
		}
	}
}

// TestDocument: a document has its head, and the worst of its sections as its state.
func TestDocument(t *testing.T) {
	o := Options{Now: now}
	head := report.Head{
		Server: report.Server{Version: "v1.36.3"},
		Snapshots: []report.Snapshot{{Taken: now.Add(-3 * time.Hour)},
			{Taken: now}},
	}
	ending := report.Ending{Problems: nil, Interrupted: nil}
	got := Document(o, "Title", head, ending, []report.Outcome{report.Created, report.Conflicted}, func(_ Options,
		outcome report.Outcome) model.Section {
		return model.Section{Subject: SubjectOf(web, report.Source{File: "a.yaml", Line: 2}, outcome, model.Say("verdict")),
			Weight: WeightOf(outcome)}
	})
	want := model.Document{
		Head: model.Head{Title: "Title", Server: "v1.36.3", Live: ", on live objects of 2026-11-21 03:00 UTC (3h ago)",
			Made: "2026-11-21 06:00 UTC", Total: 2},
		Sections: []model.Section{
			{
				Weight: model.Change,
				Subject: &model.Subject{Name: "deployment.apps/web (namespace shop)", Class: "shop.Deployment",
					Kind: "Deployment.apps", File: "a.yaml", Line: 2, Reason: "Created", Gist: "verdict"},
			},
			{
				Weight: model.Decision,
				Subject: &model.Subject{Name: "deployment.apps/web (namespace shop)", Class: "shop.Deployment",
					Kind: "Deployment.apps", File: "a.yaml", Line: 2, State: model.Refused, Reason: "Conflicted", Gist: "verdict"},
			},
		},
		Tail: model.Tail{State: model.Refused},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if failed := SubjectOf(web, report.Source{}, report.Failed, nil); failed.State != model.Failed {
		t.Errorf("no answer has the state %d", failed.State)
	}
	if w := WeightOf(report.Unchanged); w != model.Detail {
		t.Errorf("unchanged weighs %d", w)
	}
}

// TestProblems: a place is left to a message that names the file.
func TestProblems(t *testing.T) {
	got := Problems([]report.Problem{
		{Source: report.Source{File: "a.yaml", Document: 2, Line: 7}, Message: "bad"},
		{Source: report.Source{File: "a.yaml", Document: 2}, Message: "bad"},
		{Source: report.Source{File: "a.yaml"}, Message: "open a.yaml: no such file"},
		{Source: report.Source{File: "-", Line: 3}, Message: "bad"},
	})
	want := []model.Problem{
		{At: "a.yaml:7 (document 2)", File: "a.yaml", Line: 7, Message: "bad"},
		{At: "a.yaml, document 2", File: "a.yaml", Message: "bad"},
		{File: "a.yaml", Message: "open a.yaml: no such file"},
		{At: "standard input:3", File: "-", Line: 3, Message: "bad"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPhrases of pages: names, lists and counts.
func TestPhrases(t *testing.T) {
	cluster := report.Target{APIVersion: "v1", Kind: "Namespace", Name: "shop"}
	writer := report.Writer{Manager: "hpa", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}
	o := Options{Now: now}
	for _, tt := range []struct{ got, want string }{
		{And(nil).String(), ""},
		{And([]string{"a"}).String(), "a"},
		{And([]string{"a", "b"}).String(), "a and b"},
		{And([]string{"a", "b", "c"}).String(), "a, b and c"},
		{WriterOf(writer).String(), "hpa (Update of scale at apps/v1)"},
		{Total(2, "object", Of(model.Bad, 1, "refused"), Of(model.Plain, 0, "created"), Of(model.Plain, 1, "unchanged")).String(),
			"2 objects: 1 refused, 1 unchanged"},
		{TotalAs(1, "object", model.Say("helm")).String(), "1 object as helm"},
		{Titled(web, model.Say("verdict")).String(), "deployment.apps/web (namespace shop): verdict"},
		{NoAnswer("first\nsecond").String(), "no answer: first"},
		{Class(cluster), "cluster.Namespace"},
		{KindName(cluster), "Namespace"},
		{Qualified(cluster) + " " + Qualified(web), "namespace/shop shop/deployment.apps/web"},
		{o.Live(nil) + Options{}.Live([]report.Snapshot{{Taken: now}}), ", on live objects of 2026-11-21 06:00 UTC"},
		{Options{}.Made(), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	if spans := And([]string{"a", "b"}); spans[0].Role != model.Manager || spans[1].Role != model.Plain {
		t.Errorf("roles of %v", spans)
	}
	if Saying("Title", nil) != nil || InterruptedLine(nil) != nil {
		t.Error("nothing is said of nothing")
	}
}
