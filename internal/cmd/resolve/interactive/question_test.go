package interactive

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/cmd/owners"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	ours "github.com/ssactl/ssactl/internal/text"
)

// target is the object of the questions.
func target(kind string) report.Target {
	if kind == "Secret" {
		return report.Target{APIVersion: "v1", Kind: kind, Namespace: "shop", Name: "web"}
	}
	return report.Target{APIVersion: "apps/v1", Kind: kind, Namespace: "shop", Name: "web"}
}

// explained is an apply by helm with one conflict, whose resolutions are given.
func explained(kind string, resolutions ...conflict.Resolution) conflict.Document {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	hpa := conflict.Owner{Writer: report.Writer{Manager: "hpa", Operation: "Update", APIVersion: "apps/v1", Time: &since}}
	return conflict.NewDocument(report.Run{}, []conflict.Explanation{{
		Target: target(
			kind,
		), Source: report.Source{File: "web.yaml", Line: 1}, Manager: "helm", Answer: report.Answer{Outcome: report.Conflicted},
		Notices: []string{"the entry of x cannot be read"},
		Conflicts: []conflict.Conflict{{
			Field: ".spec.replicas", Yours: conflict.Value{Value: int64(3)}, Live: conflict.Value{Value: int64(5)}, Source: &report.Source{File: "web.yaml", Line: 7},
			Owners: []conflict.Owner{hpa}, Difference: conflict.Difference{Kind: conflict.Real}, Resolutions: resolutions,
			Recommended: conflict.StopManaging, Reason: ours.New("The autoscaler decides it."),
		}},
	}})
}

var accepted = report.Attempt{Outcome: report.Configured, Code: 200}

// after is a value of a field after a resolution.
func after(v any) *conflict.Value { return &conflict.Value{Value: v} }

// told are the options of a question, each in a line, with its details.
func told(q Question) []string {
	var out []string
	for _, o := range q.Options {
		line := string(o.Choice) + ": " + o.Text.String()
		if o.Recommended {
			line += " (recommended)"
		}
		if o.Off {
			line += " (off)"
		}
		details := strings.Fields(text.Blocks(o.Blocks, text.Options{}))
		out = append(out, strings.TrimSpace(line+" "+strings.Join(details, " ")))
	}
	return out
}

// TestConflictQuestion has the options of a conflict in their order, and those that cannot be
// chosen with the reason.
func TestConflictQuestion(t *testing.T) {
	edit := &conflict.Edit{File: "web.yaml", Line: 7, Removed: []string{"  replicas: 3"}}
	force := conflict.Resolution{Kind: conflict.Force, Attempt: accepted, After: after(int64(3))}
	stop := conflict.Resolution{
		Kind:    conflict.StopManaging,
		Attempt: accepted,
		After:   after(int64(5)),
		Edit:    edit,
		Safe:    true,
	}
	live := conflict.Resolution{
		Kind:    conflict.UseLiveValue,
		Attempt: accepted,
		After:   after(int64(5)),
		Write:   after(int64(5)),
		Edit:    edit,
	}
	refused, uneditable := force, stop
	refused.Attempt = report.Attempt{Outcome: report.Invalid, Code: 422, Message: "no"}
	uneditable.Edit, uneditable.NotEdited = nil, "an alias elsewhere refers to it"
	for _, test := range []struct {
		name, kind  string
		resolutions []conflict.Resolution
		secrets     Secrets
		want        []string
	}{
		{"all are accepted", "Deployment", []conflict.Resolution{force, stop, live}, KeepSecrets, []string{
			"stop-managing: accepted; the live value stays (recommended) then 5, owned by hpa (Update) web.yaml:7 - replicas: 3",
			"use-live-value: accepted; write the live value then 5, owned by helm (you), hpa (Update) web.yaml:7 - replicas: 3",
			"force: accepted; your value is stored then 3, owned by helm (you)",
		}},
		{"one is refused, one cannot be edited, one is impossible", "Deployment", []conflict.Resolution{refused, uneditable, {Kind: conflict.UseLiveValue, Impossible: ours.New("nothing is stored")}}, KeepSecrets, []string{
			"stop-managing: not possible: an alias elsewhere refers to it (recommended) (off)",
			"use-live-value: not possible: nothing is stored (off)",
			"force: refused (422) (off) no",
		}},
		{"a Secret", "Secret", []conflict.Resolution{stop, live}, KeepSecrets, []string{
			"stop-managing: accepted; the live value stays (recommended) then 5, owned by hpa (Update) web.yaml:7 - replicas: 3",
			"use-live-value: not possible: it would write a value of a Secret into the manifest, for which --share-secrets is needed (off)",
		}},
		{"whose values may be shared", "Secret", []conflict.Resolution{live}, ShareSecrets, []string{
			"use-live-value: accepted; write the live value then 5, owned by helm (you), hpa (Update) web.yaml:7 - replicas: 3",
		}},
	} {
		all := Questions(explained(test.kind, test.resolutions...), nil, test.secrets, page.Options{})
		if len(all) != 1 || all[0].Field != ".spec.replicas" || all[0].File != "web.yaml" ||
			all[0].Title.String() != ".spec.replicas, web.yaml:7" {
			t.Fatalf("%s: %+v", test.name, all)
		}
		if diff := cmp.Diff(test.want, told(all[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		facts := text.Blocks(all[0].Facts, text.Options{})
		if !strings.Contains(facts, "Notice: the entry of x cannot be read") || !strings.Contains(facts, "hpa") {
			t.Errorf("%s: the facts are\n%s", test.name, facts)
		}
	}
}

// TestIdentity: another value, owner or time is another question; of Secrets, values are not
// in it.
func TestIdentity(t *testing.T) {
	id := func(kind string, change func(*conflict.Explanation)) string {
		d := explained(kind)
		change(&d.Objects[0])
		return ID(Questions(d, nil, KeepSecrets, page.Options{})[0])
	}
	later := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		change              func(*conflict.Explanation)
		another, ofSecretsT bool
	}{
		"nothing":      {func(*conflict.Explanation) {}, false, false},
		"a value":      {func(e *conflict.Explanation) { e.Conflicts[0].Yours.Value = int64(4) }, true, false},
		"a live value": {func(e *conflict.Explanation) { e.Conflicts[0].Live = conflict.Value{Missing: true} }, true, false},
		"an owner":     {func(e *conflict.Explanation) { e.Conflicts[0].Owners[0].Manager = "keda" }, true, true},
		"a time":       {func(e *conflict.Explanation) { e.Conflicts[0].Owners[0].Time = &later }, true, true},
		"a manager":    {func(e *conflict.Explanation) { e.Manager = "flux" }, true, true},
		"a file":       {func(e *conflict.Explanation) { e.Source.File = "other.yaml" }, true, true},
		"a line":       {func(e *conflict.Explanation) { e.Conflicts[0].Source.Line = 9 }, false, false},
	} {
		for kind, want := range map[string]bool{"Deployment": test.another, "Secret": test.ofSecretsT} {
			if got := id(kind, test.change) != id(kind, func(*conflict.Explanation) {}); got != want {
				t.Errorf("%s of a %s is another question: %v", name, kind, got)
			}
		}
	}
}

// TestRiskQuestions: risks that are no notes are asked about, with what happens without the
// field where that was tried.
func TestRiskQuestions(t *testing.T) {
	d := explained("Deployment")
	d.Objects[0].Conflicts, d.Objects[0].Notices = nil, nil
	d.Objects[0].Risks = []report.Finding{
		{
			Rule:     "taken-by-force",
			Severity: report.SeverityWarning,
			Field:    ".spec.replicas",
			Manager:  "hpa",
			Message:  ours.New("the field is taken"),
			Source:   report.Source{File: "web.yaml", Line: 7},
		},
		{Rule: "takeover", Severity: report.SeverityWarning, Message: ours.New("a takeover")},
		{Rule: "dropped-stays", Severity: report.SeverityNote, Field: ".spec.paused"},
	}
	stops := []conflict.Stop{{Target: target("Deployment"), Field: ".spec.replicas", Resolution: conflict.Resolution{
		Kind: conflict.StopManaging, Attempt: accepted, After: &conflict.Value{Missing: true}, Edit: &conflict.Edit{File: "web.yaml", Line: 7, Removed: []string{"  replicas: 3"}},
		Changes: []report.Change{{Field: ".spec.replicas", Kind: report.Removed, Before: int64(3)}},
	}}}
	all := Questions(d, stops, KeepSecrets, page.Options{})
	if len(all) != 2 {
		t.Fatalf("%+v", all)
	}
	const keep = "keep: the apply would succeed; leave the manifest as it is"
	stop := told(all[0])
	if len(stop) != 2 || !strings.HasPrefix(stop[0], "stop-managing: accepted; the field is removed") || stop[1] != keep {
		t.Errorf("%q", stop)
	}
	if diff := cmp.Diff([]string{keep}, told(all[1])); diff != "" || all[1].Title.String() != "the object as a whole" {
		t.Errorf("%s (-want +got):\n%s", all[1].Title, diff)
	}
	if facts := text.Blocks(all[0].Facts, text.Options{}); strings.TrimSpace(
		facts,
	) != "warning: the field is taken (taken-by-force)" {
		t.Errorf("the facts are %q", facts)
	}
	if slices.Contains(
		all[0].Identity,
		"the field is taken",
	) == slices.Contains(
		secretRisk(d, stops).Identity,
		"the field is taken",
	) {
		t.Error("the identity of a question about a Secret has the message")
	}
}

func secretRisk(d conflict.Document, stops []conflict.Stop) Question {
	d.Objects[0].Target = target("Secret")
	return Questions(d, stops, KeepSecrets, page.Options{})[0]
}

// TestStopOption: what cannot be edited cannot be chosen; the edit of a Secret's
// manifest is possible, though its lines are not shown.
func TestStopOption(t *testing.T) {
	edit := conflict.Resolution{Kind: conflict.StopManaging, NotEdited: "the field is part of an alias"}
	if o := stopOption(edit); !o.Off || o.Text.String() != "not possible: the field is part of an alias" {
		t.Errorf("%t %q", o.Off, o.Text)
	}
	secret := conflict.Resolution{Kind: conflict.StopManaging}
	secret.Edit = new(conflict.Edit)
	concealed := secret.Concealed().(conflict.Resolution)
	if o := stopOption(concealed); o.Off || concealed.Edit != nil {
		t.Errorf("the edit of a Secret's manifest cannot be chosen: %q", o.Text)
	}
}

// TestLongDefault: a value that is too long for a sentence does not stand in it.
func TestLongDefault(t *testing.T) {
	long := conflict.Drop{Effect: conflict.EffectDefault}
	long.After = conflict.Value{Value: strings.Repeat("x", 100)}
	if got, want := owners.DropText(conflict.Why{}, long), " resets it to the default."; !strings.HasSuffix(got, want) {
		t.Errorf("%q", got)
	}
	long.After.Value = "Always"
	if got := owners.DropText(conflict.Why{}, long); !strings.HasSuffix(got, `the default, "Always".`) {
		t.Errorf("%q", got)
	}
}
