package finding

import (
	"encoding/json"
	"testing"

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
		fixes []Fix
		want  string
	}{
		{"its own", rule, nil, `[{"does":"do it"}]`},
		{"another", rule, []Fix{{Command: run, Does: text.New("shows %v", text.Path(".a"))}}, `[{"command":"ssactl owners -- 'cm/a b'","does":"shows .a"}]`},
		{"none", Rule{Name: "s"}, nil, `[]`},
	} {
		f := test.rule.On(report.Target{Name: "a"}, report.Source{File: "f"}, text.New("m"), test.fixes...)
		if f.Rule != test.rule.Name || f.Severity != test.rule.Severity || f.Why != test.rule.Why || f.Target.Name != "a" || f.Source.File != "f" {
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
	bad, odd := Rule{Name: "bad", Severity: report.SeverityError, Title: "Bad."}, Rule{Name: "odd", Severity: report.SeverityNote, Title: "Odd."}
	on := func(r Rule, says string) Finding {
		return r.On(report.Target{}, report.Source{}, text.New("%v", text.Said(says)))
	}
	lesser := on(bad, "c")
	lesser.Severity = report.SeverityNote
	d := Conclude(Run{Rules: Rules{bad, odd}, Findings: []Finding{on(odd, "a"), lesser, on(bad, "b"), on(bad, "a")}, Selection: Selection{Skip: []string{"none"}}})
	var got []string
	for _, f := range d.Findings {
		got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Message.String())
	}
	if diff := cmp.Diff([]string{"error bad a", "error bad b", "note bad c", "note odd a"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	want := []RuleCount{{"bad", report.SeverityError, "Bad.", 2}, {"bad", report.SeverityNote, "Bad.", 1}, {"odd", report.SeverityNote, "Odd.", 1}}
	if diff := cmp.Diff(want, d.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if want := (Summary{Findings: 4, Errors: 2, Notes: 2}); d.Summary != want {
		t.Errorf("summary %+v, want %+v", d.Summary, want)
	}
}
