package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// resolutionOf is a manifest with so many conflicts, some of them gone.
func resolutionOf(before, after report.Outcome, steps, done int) Resolution {
	r := Resolution{Target: golden.Web(), Before: before, After: after, Manager: "helm"}
	for i := range steps {
		s := Step{Field: ".spec.x", Outcome: NotAsked, Owners: []report.Writer{{Manager: "hpa", Operation: "Update"}}}
		if i < done {
			s.Outcome, s.Action = Done, StopManaging
		}
		r.Steps = append(r.Steps, s)
	}
	return r
}

// TestVerdicts are those on a manifest, and on all of them.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		r           Resolution
		want, total string
	}{
		{resolutionOf(report.Conflicted, report.Conflicted, 2, 0), "2 conflicts left", "1 object: 2 conflicts left in 1 object"},
		{resolutionOf(report.Conflicted, report.Conflicted, 2, 1), "1 of 2 conflicts resolved", "1 object: 1 conflict resolved, 1 conflict left in 1 object"},
		{resolutionOf(report.Conflicted, report.Configured, 2, 2), "2 of 2 conflicts resolved, would be configured", "1 object: 2 conflicts resolved"},
		{resolutionOf(report.Configured, report.Unchanged, 1, 1), "1 field no longer managed, would be unchanged", "1 object: 1 field no longer managed"},
		{resolutionOf(report.Created, report.Created, 0, 0), "no conflicts", "1 object: no conflicts"},
		{resolutionOf(report.Invalid, report.Invalid, 0, 0), "rejected by the API server", "1 object: 1 rejected by the API server"},
		{resolutionOf(report.Failed, report.Failed, 0, 0), "", "1 object: 1 without an answer"},
	} {
		if got := resolved(test.r).String(); test.want != "" && got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
		if got := resolvedTotal([]Resolution{test.r}).String(); got != test.total {
			t.Errorf("in all: %q, want %q", got, test.total)
		}
	}
}

// TestStepText is what was done about a field.
func TestStepText(t *testing.T) {
	owners := []report.Writer{{Manager: "hpa", Operation: "Update"}}
	for _, test := range []struct {
		step Step
		want string
	}{
		{Step{Outcome: Refused, Reason: "no", Line: 7}, "not resolved: no (web.yaml:7)"},
		{Step{Outcome: Refused, Reason: "no"}, "not resolved: no"},
		{Step{Outcome: NotAsked, Owners: owners}, "not decided; owned by hpa (Update)"},
		{Step{Outcome: Done, Action: Leave}, "resolved together with another field"},
		{Step{Outcome: Done, Action: UseLiveValue, Written: int64(5), Owners: owners}, "set to the live value 5; shared with hpa (Update)"},
		{Step{Outcome: Done, Action: UseLiveValue, At: ".data.a", Written: "x", Owners: owners}, `set as .data.a to the live value x; shared with hpa (Update)`},
		{Step{Outcome: Done, Action: StopManaging, Owners: owners}, "removed; left to hpa (Update)"},
		{Step{Outcome: Done, Action: StopManaging, Removed: ".spec.ports[port=80]", Owners: owners}, "removed with the list item .spec.ports[port=80], which had nothing else; left to hpa (Update)"},
		{Step{Outcome: Done, Action: StopManaging}, "removed"},
		{Step{Outcome: Done, Action: StopManaging, Owners: owners, Consequences: []Consequence{{Kind: KubectlRemoves}}}, "removed"},
	} {
		if got := stepText(test.step, "web.yaml").String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	for want, c := range map[string]Consequence{
		"hpa writes by updates: once it changes the value, this apply conflicts again.":                                                            {Manager: "hpa", Kind: Overwrites},
		"helm can go on applying this value; the first of you to change it gets the conflict.":                                                     {Manager: "helm", Kind: Agrees},
		`If helm's manifest says 1000m as this one did, its next apply conflicts: write the stored spelling in both.`:                              {Manager: "helm", Kind: Conflicts, Spelling: "1000m"},
		"kubectl removes it from the live object, too: kubectl apply --server-side moves all fields of kubectl-edit to its own and applies again.": {Manager: "kubectl-edit", Kind: KubectlRemoves},
	} {
		if got := consequence(c).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLeft are the conflicts that stay, by owner, the most first, with one command.
func TestLeft(t *testing.T) {
	step := func(outcome StepOutcome, managers ...string) Step {
		s := Step{Outcome: outcome}
		for _, m := range managers {
			s.Owners = append(s.Owners, report.Writer{Manager: m, Operation: "Apply"})
		}
		return s
	}
	object := func(manager string, steps ...Step) Resolution {
		return Resolution{
			Target:  golden.Web(),
			Manager: manager,
			Before:  report.Conflicted,
			After:   report.Conflicted,
			Steps:   steps,
		}
	}
	if got := left(page.Options{}, []Resolution{{After: report.Configured, Steps: []Step{step(NotAsked, "helm")}}}); got != nil {
		t.Errorf("of accepted manifests: %v", got)
	}
	got := text.Blocks(left(page.Options{}, []Resolution{
		object("ci", step(NotAsked, "helm"), step(Refused, "flux"), step(Done, "keda")),
		object("ci", step(NotAsked, "flux"), step(NotAsked, "flux"), step(NotAsked, "flux", "helm")),
	}), text.Options{})
	var lines []string
	for line := range strings.Lines(got) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"flux (Apply) 3 fields of 2 objects", "flux (Apply), helm (Apply) 1 field of 1 object",
		"helm (Apply) 1 field of 1 object", "What is recommended for each:",
		"ssactl apply --field-manager=ci",
	}
	lines = append(lines[:0:0], lines...)
	if diff := cmp.Diff(sortedSet(want), sortedSet(lines)); diff != "" || lines[0] != want[0] {
		t.Errorf("(-want +got):\n%s", diff)
	}
	mixed := text.Blocks(
		left(page.Options{}, []Resolution{object("ci", step(NotAsked, "helm")), object("bob", step(NotAsked, "helm"))}),
		text.Options{},
	)
	if strings.Contains(mixed, "--field-manager") {
		t.Errorf("one field manager for manifests of two:\n%s", mixed)
	}
}

func sortedSet(lines []string) map[string]bool {
	out := map[string]bool{}
	for _, l := range lines {
		if l != "" {
			out[l] = true
		}
	}
	return out
}

// TestUnified reads a unified diff: names once, then its lines by what they are.
func TestUnified(t *testing.T) {
	d := unified("--- a.yaml\n+++ a.yaml\n@@ -1,3 +1,3 @@\n a: 1\r\n--- b\n+++ c\n-d\n")
	var got []string
	for _, l := range d.Lines {
		got = append(
			got,
			map[model.LineKind]string{model.Place: "place", model.Added: "added", model.Removed: "removed"}[l.Kind]+" "+l.Text.String(),
		)
	}
	want := []string{"place @@ -1,3 +1,3 @@", " a: 1", "removed -- b", "added ++ c", "removed d"}
	if diff := cmp.Diff(want, got); diff != "" || d.Old != "a.yaml" || d.New != "a.yaml" {
		t.Errorf("%s, %s (-want +got):\n%s", d.Old, d.New, diff)
	}
}

// TestUntouched: only a manifest about which nothing was said is of no interest.
func TestUntouched(t *testing.T) {
	noticed, refused := resolutionOf(
		report.Conflicted, report.Conflicted, 1, 0,
	), resolutionOf(
		report.Conflicted, report.Conflicted, 1, 0,
	)
	noticed.Notices, refused.Steps[0].Outcome = []string{"x"}, Refused
	for name, test := range map[string]struct {
		r    Resolution
		want bool
	}{
		"nothing conflicts": {resolutionOf(report.Unchanged, report.Unchanged, 0, 0), true}, "nothing is asked": {resolutionOf(report.Conflicted, report.Conflicted, 1, 0), true},
		"one is done": {resolutionOf(report.Conflicted, report.Conflicted, 2, 1), false}, "one is refused": {refused, false},
		"a notice": {noticed, false}, "rejected": {resolutionOf(report.Invalid, report.Invalid, 0, 0), false},
	} {
		if got := untouched(test.r); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
