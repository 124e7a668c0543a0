package finding

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/widget"
)

var odd, even, evil = Rule{
	Name:     "odd-one",
	Severity: report.SeverityWarning,
}, Rule{
	Name:     "even-one",
	Severity: report.SeverityNote,
}, Rule{
	Name:     "evil",
	Severity: report.SeverityError,
}

// TestSelection: which rules count, by name or pattern; a pattern of no rule is an error.
func TestSelection(t *testing.T) {
	rules := Rules{odd, even, evil}
	for _, test := range []struct {
		s     Selection
		want  []string
		wrong string
	}{
		{Selection{}, []string{"odd-one", "even-one", "evil"}, ""},
		{Selection{Only: []string{"*-one"}}, []string{"odd-one", "even-one"}, ""},
		{Selection{Only: []string{"e*"}, Skip: []string{"evil"}}, []string{"even-one"}, ""},
		{Selection{Skip: []string{"*"}}, nil, ""},
		{Selection{Only: []string{"none"}}, nil, `no rule is named "none": there are odd-one, even-one, evil`},
		{Selection{Skip: []string{"x*"}}, []string{"odd-one", "even-one", "evil"}, `no rule is named "x*": there are odd-one, even-one, evil`},
	} {
		var got []string
		for _, r := range rules {
			if test.s.Has(r.Name) {
				got = append(got, r.Name)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.s, diff)
		}
		wrong := ""
		if err := rules.Check(test.s); err != nil {
			wrong = err.Error()
		}
		if wrong != test.wrong {
			t.Errorf("%+v: %q", test.s, wrong)
		}
	}
	if rules.Index("evil") != 2 || rules.Index("none") != -1 || rules.Of("none").Name != "" ||
		rules.Of("evil").At(report.SeverityNote).Severity != report.SeverityNote {
		t.Error("a rule is found elsewhere")
	}
}

// TestPorts: items of a list that differ by their protocol only.
func TestPorts(t *testing.T) {
	shape := managedfields.ShapeOf(widget.Type(t)).
		Child(fieldpath.MakePathOrDie("spec")[0]).
		Child(fieldpath.MakePathOrDie("ports")[0])
	for _, test := range []struct {
		list string
		want []Ports
	}{
		{`[{"port": 53}, {"port": 80}, {"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "UDP"}]`, []Ports{{Name: "port=53", Items: []int{0, 2}, Protocols: []string{"TCP", "UDP"}}}},
		{`[{"port": 53}, {"port": 53, "protocol": "TCP"}]`, nil},
		{`[{"name": "no port"}, "no item", {"port": 53, "protocol": "UDP"}]`, nil},
		{`[]`, nil},
	} {
		var list []any
		if err := json.Unmarshal([]byte(test.list), &list); err != nil {
			t.Fatal(err)
		}
		got := PortsOf(list, shape)
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.list, diff)
		}
	}
	if got := PortsOf([]any{map[string]any{"port": int64(1)}}, managedfields.ShapeOf(widget.Type(t))); got != nil {
		t.Errorf("of no list of ports: %v", got)
	}
}

// TestSuppressed: what suppressions and annotations hide is reported apart, and those that
// hide nothing are named, unless the run was interrupted.
func TestSuppressed(t *testing.T) {
	web, api := report.Target{Kind: "Deployment", Name: "web"}, report.Target{Kind: "Deployment", Name: "api"}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	run := Run{
		Rules: Rules{odd, even, evil}, Annotation: "example.com/ignore", Now: now,
		Findings: []report.Finding{
			odd.On(web, report.Source{}, text.New("a")),
			even.On(web, report.Source{}, text.New("b")),
			odd.On(api, report.Source{}, text.New("c")),
			evil.On(api, report.Source{}, text.New("d")),
		},
		Ignoring: map[report.Target][]string{api: {"odd-*"}},
		Suppressions: []Suppression{
			{Rule: "even-one", Reason: "known", Source: report.Source{File: "ignore.yaml", Line: 3}},
			{Rule: "*", Name: "db", Source: report.Source{File: "ignore.yaml", Line: 7}},
			{Rule: "evil", Expires: now.AddDate(0, 0, -1), Source: report.Source{File: "ignore.yaml"}},
		},
	}
	d := Conclude(run)
	var told, hidden, idle []string
	for _, f := range d.Findings {
		told = append(told, f.Rule+" "+f.Target.Name)
	}
	for _, s := range d.Suppressed {
		hidden = append(hidden, s.Finding.Rule+" "+s.Finding.Target.Name+" by "+s.By+" "+s.Reason)
	}
	for _, i := range d.IdleSuppressions {
		idle = append(idle, i.Suppression.Rule+" "+i.Why)
	}
	if diff := cmp.Diff([]string{"evil api", "odd-one web"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"odd-one api by annotation example.com/ignore ", "even-one web by ignore.yaml:3 known"}, hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"* fits no finding", "evil expired on 2026-02-28"}, idle); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
	run.Interrupted = &report.Interruption{Answered: 1, Total: 2}
	if d := Conclude(run); d.IdleSuppressions != nil {
		t.Errorf("of a part of the objects: %v", d.IdleSuppressions)
	}
}

// TestJoined: findings with one cause are one, and those without stay apart.
func TestJoined(t *testing.T) {
	on := func(r Rule, name, cause string) report.Finding {
		f := r.On(report.Target{Name: name}, report.Source{}, text.New("%v", text.Said(name)))
		f.Manager, f.Joint = "helm", cause
		return f
	}
	d := Conclude(Run{
		Rules: Rules{odd, even}, Kinds: 1,
		Findings: []report.Finding{
			on(odd, "c", ""), on(odd, "a", "stale"), on(odd, "b", "stale"), on(even, "a", "stale"),
			on(odd, "d", ""),
		},
		Join: func(same []report.Finding) report.Finding {
			f := same[0]
			f.Objects = nil
			for _, one := range same {
				f.Objects = append(f.Objects, one.Target)
			}
			return f
		},
	})
	var got []string
	for _, f := range d.Findings {
		var objects []string
		for _, o := range f.Objects {
			objects = append(objects, o.Name)
		}
		got = append(got, f.Rule+" "+f.Target.Name+": "+strings.Join(objects, " "))
	}
	if diff := cmp.Diff([]string{"odd-one a: a b", "odd-one c: ", "odd-one d: ", "even-one a: a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAbout: a finding lists no more fields than are read, and is about the first.
func TestAbout(t *testing.T) {
	fields := make([]string, report.MaxFields+5)
	fields[0] = ".first"
	f := report.Finding{}.About(fields...)
	if f.Field != ".first" || len(f.Fields) != report.MaxFields {
		t.Errorf("%s, %d fields", f.Field, len(f.Fields))
	}
	if f := (report.Finding{}).About(); f.Field != "" || len(f.Fields) != 0 {
		t.Errorf("%+v", f)
	}
}
