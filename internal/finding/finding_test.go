package finding

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// TestOn: a finding has what the rule says, and its fix where it has no other.
func TestOn(t *testing.T) {
	run := shell.Command("ssactl", "owners").On("cm/a b")
	rule := Rule{Name: "r", Severity: report.SeverityNote, Title: "T.", Why: "W.", Fix: "do it"}
	for _, test := range []struct {
		name  string
		rule  Rule
		fixes []report.Fix
		want  string
	}{
		{"its own", rule, nil, `[{"does":"do it","proven":false}]`},
		{"another", rule, []report.Fix{{Command: run, Does: text.New("shows %v", text.Path(".a"))}}, `[{"does":"shows .a","command":"ssactl owners -- 'cm/a b'","proven":false}]`},
		{"none", Rule{Name: "s"}, nil, `[]`},
	} {
		f := test.rule.On(report.Target{Name: "a"}, report.Source{File: "f"}, text.New("m"), test.fixes...)
		if f.Rule != test.rule.Name || f.Severity != test.rule.Severity || f.Why.String() != test.rule.Why ||
			f.Target.Name != "a" ||
			f.Source.File != "f" {
			t.Errorf("%s: %+v", test.name, f)
		}
		got, err := json.Marshal(f.Fixes)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: fixes are %s, %v, want %s", test.name, got, err, test.want)
		}
	}
}

// TestConclude sorts findings as the rules are, counts them with the titles of their rules,
// and orders those of one place by what they say.
func TestConclude(t *testing.T) {
	bad, odd := Rule{
		Name:     "bad",
		Severity: report.SeverityError,
		Title:    "Bad.",
	}, Rule{
		Name:     "odd",
		Severity: report.SeverityNote,
		Title:    "Odd.",
	}
	on := func(r Rule, says string) report.Finding {
		return r.On(report.Target{}, report.Source{}, text.New("%v", text.Said(says)))
	}
	lesser := on(bad, "c")
	lesser.Severity = report.SeverityNote
	d := Conclude(
		Run{
			Rules:     Rules{bad, odd},
			Findings:  []report.Finding{on(odd, "a"), lesser, on(bad, "b"), on(bad, "a")},
			Selection: Selection{Skip: []string{"none"}},
		},
	)
	var got []string
	for _, f := range d.Findings {
		got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Message.String())
	}
	if diff := cmp.Diff([]string{"error bad a", "error bad b", "note bad c", "note odd a"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	want := []RuleCount{
		{"bad", report.SeverityError, "Bad.", 2},
		{"bad", report.SeverityNote, "Bad.", 1},
		{"odd", report.SeverityNote, "Odd.", 1},
	}
	if diff := cmp.Diff(want, d.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if want := (Summary{Findings: report.FindingCount{Error: 2, Note: 2}}); d.Summary != want {
		t.Errorf("summary %+v, want %+v", d.Summary, want)
	}
}

// TestPerField: the worst of what is found on one field is reported, with the rest under it,
// and a rule that is to fail does so beside another.
func TestPerField(t *testing.T) {
	bad, odd, dull := Rule{
		Name:     "bad",
		Severity: report.SeverityError,
		Fix:      "mend",
	}, Rule{
		Name:     "odd",
		Severity: report.SeverityWarning,
		Fix:      "mend",
	}, Rule{
		Name:     "dull",
		Severity: report.SeverityNote,
		Fix:      "wait",
	}
	on := func(r Rule, fields ...string) report.Finding {
		return r.On(report.Target{Name: "a"}, report.Source{}, text.New("%v", text.Said(r.Name))).About(fields...)
	}
	all := []report.Finding{on(dull, ".a"), on(odd, ".a"), on(bad, ".a"), on(odd, ".b"), on(dull, ".a", ".b"), on(dull)}
	for _, test := range []struct {
		name      string
		selection Selection
		failOn    []string
		want      []string
		fails     bool
	}{
		{"all", Selection{}, []string{"never"}, []string{"bad .a + odd + dull, mend, wait", "odd .b, mend", "dull , wait", "dull .a, wait"}, false},
		{"a rule beside another", Selection{Skip: []string{"odd"}}, []string{"dull"}, []string{"bad .a + dull, mend, wait", "dull , wait", "dull .a, wait"}, true},
		{"one rule", Selection{Only: []string{"odd"}}, []string{"error"}, []string{"odd .a, mend", "odd .b, mend"}, false},
	} {
		run := Run{Rules: Rules{bad, odd, dull}, Findings: all, Selection: test.selection, PerField: true}
		run.FailOn = &report.FailOn{Values: test.failOn}
		d := Conclude(run)
		var got []string
		for _, f := range d.Findings {
			line := f.Rule + " " + f.Field
			for _, rule := range f.Also {
				line += " + " + rule
			}
			for _, fix := range f.Fixes {
				line += ", " + fix.Does.String()
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || d.FailOn.Met() != test.fails {
			t.Errorf("%s: fails %v (-want +got):\n%s", test.name, d.FailOn.Met(), diff)
		}
	}
}

// TestSuppression: what is given has to fit, of several fields all, and a last day counts.
func TestSuppression(t *testing.T) {
	f := Rule{
		Name: "odd",
	}.On(report.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}, report.Source{}, text.Text{}).
		About(".spec.a", ".spec.b")
	for _, test := range []struct {
		s    Suppression
		want bool
	}{
		{Suppression{Rule: "o*"}, true}, {Suppression{Rule: "even"}, false},
		{Suppression{Kind: "Deployment", Namespace: "sh*", Name: "web"}, true}, {Suppression{Kind: "Deployment.apps"}, true}, {Suppression{Kind: "Deployment.batch"}, false},
		{Suppression{Name: "api"}, false}, {Suppression{Field: ".spec.*"}, true}, {Suppression{Field: ".spec.a"}, false},
	} {
		if got := test.s.Fits(f); got != test.want {
			t.Errorf("%+v fits: %v, want %v", test.s, got, test.want)
		}
	}
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for hours, want := range map[time.Duration]bool{0: false, 23: false, 24: true} {
		if got := (Suppression{Expires: day}).Expired(day.Add(hours * time.Hour)); got != want {
			t.Errorf("after %d hours of the last day it is expired: %v", hours, got)
		}
	}
	object := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"ignore": " odd, last-* ,"}}}
	if diff := cmp.Diff([]string{"odd", "last-*"}, Ignored(object, "ignore")); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

// TestWidestFirst: of one severity, the rule that finds something on most objects comes
// first, and findings of one rule stay together.
func TestWidestFirst(t *testing.T) {
	on := func(rule string, severity report.Severity, names ...string) report.Finding {
		f := report.Finding{Rule: rule, Severity: severity}
		for _, name := range names {
			f.Objects = append(f.Objects, report.Target{Kind: "ConfigMap", Name: name})
		}
		if len(names) == 1 {
			f.Target, f.Objects = f.Objects[0], nil
		}
		return f
	}
	var got []string
	for _, f := range widestFirst([]report.Finding{
		on("one", report.SeverityError, "a"),
		on("twice-on-one", report.SeverityWarning, "a"), on("twice-on-one", report.SeverityWarning, "a"),
		on("joined", report.SeverityWarning, "a", "b", "c"),
		on("on-two", report.SeverityWarning, "a"), on("on-two", report.SeverityWarning, "b"),
		on("everywhere", report.SeverityNote, "a", "b", "c", "d"),
	}) {
		got = append(got, f.Rule)
	}
	if diff := cmp.Diff([]string{"one", "joined", "on-two", "on-two", "twice-on-one", "twice-on-one", "everywhere"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
