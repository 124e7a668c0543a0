package ci

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// issues are those of findings, as GitLab reads them.
func issues(t *testing.T, tail model.Tail, list ...model.Finding) []Issue {
	t.Helper()
	var out bytes.Buffer
	play(t, NewCodeQuality(&out), model.Document{
		Head: model.Head{Title: "Apply", Rules: rules}, Sections: []model.Section{{Findings: list}}, Tail: tail})
	var got []Issue
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got
}

// named is a finding on an object, with an identity as findings of writes have it.
func named(rule int, file, message string, line int) model.Finding {
	return model.Finding{Rule: rules[rule].ID, Level: rules[rule].Level, Title: "title", Message: message, File: file,
		Line: line, Name: "web", Identity: []string{rules[rule].ID, "v1", "ConfigMap", "shop", "web", "", file, message}}
}

func TestCodeQuality(t *testing.T) {
	enforced := named(1, "./sub/b.yaml", "must not", 0)
	enforced.Enforced = true
	change := model.Finding{Rule: ruleChange, Level: model.Note, Title: "Change", Message: "would be created"}
	got := issues(
		t,
		model.Tail{
			Interrupted: "after 1 of 2",
			Settings:    []model.Setting{{Text: "ignored: .spec", File: ".ssactl.yaml", Line: 3}},
		},
		change,
		named(0, "a.yaml", "two\nlines  5 -> 3", 3),
		enforced,
		model.Finding{Rule: rules[1].ID, Level: model.Note, Title: "t", Message: "m", File: "-"},
	)
	for i := range got {
		if len(got[i].Fingerprint) != 32 {
			t.Errorf("fingerprint %q", got[i].Fingerprint)
		}
		got[i].Fingerprint = ""
	}
	at := func(file string, line int) issueLocation { return issueLocation{file, issueLines{line}} }
	want := []Issue{
		{"Settings: ignored: .spec", "settings", "", "major", at(".ssactl.yaml", 3)},
		{"title: two lines 5 -> 3", "conflict", "", "critical", at("a.yaml", 3)},
		{"title: must not", "risk", "", "blocker", at("sub/b.yaml", 1)},
		{"t: m", "risk", "", "info", at(".", 1)},
		{"Apply: after 1 of 2", "interrupted", "", "critical", at(".", 1)},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(issueLocation{}, issueLines{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if empty := issues(t, model.Tail{}); empty == nil || len(empty) != 0 {
		t.Errorf("no findings are %v", empty)
	}
}

// TestFingerprints: they outlast changes of lines, of the file's name and of numbers, and
// distinguish all else.
func TestFingerprints(t *testing.T) {
	of := func(f model.Finding) string { return issues(t, model.Tail{}, f)[0].Fingerprint }
	first := named(0, "a.yaml", "line 3: 2 fields", 3)
	for name, same := range map[string]model.Finding{
		"another line": named(0, "a.yaml", "line 7: 2 fields", 7), "another file": named(0, "b/c.yaml", "line 3: 2 fields", 3),
		"another count": named(0, "a.yaml", "line 3: 45 fields", 3),
	} {
		if of(same) != of(first) {
			t.Errorf("%s is another finding", name)
		}
	}
	other := named(0, "a.yaml", "line 3: 2 fields", 3)
	other.Identity[4] = "db"
	for name, differs := range map[string]model.Finding{
		"another rule": named(1, "a.yaml", "line 3: 2 fields", 3), "another message": named(0, "a.yaml", "line 3: 2 lists", 3),
		"another object": other,
	} {
		if of(differs) == of(first) {
			t.Errorf("%s is the same finding", name)
		}
	}
	if twice := issues(t, model.Tail{}, first, first); twice[0].Fingerprint == twice[1].Fingerprint {
		t.Error("two findings are one")
	}
}
