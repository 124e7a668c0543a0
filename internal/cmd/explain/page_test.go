package explain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/render/model"
	rendered "github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
	"github.com/ssactl/ssactl/test/golden"
)

// shown is a section as text, in words.
func shown(s model.Section) string {
	return strings.Join(strings.Fields(rendered.Blocks(s.Blocks, rendered.Options{})), " ")
}

// TestGist is what an answer comes down to.
func TestGist(t *testing.T) {
	for want, e := range map[string]conflict.Explanation{
		"":                                  accepted(),
		"rejected by the API server: 500":   aRefusal(),
		"the manifest has no metadata.name": {Answer: report.Answer{Outcome: report.Failed, Message: "the manifest has no metadata.name\nand more"}},
	} {
		if got := explainedGist(e); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := explainedGist(anExplanation()); !strings.Contains(got, "kube-controller-manager") ||
		!strings.Contains(got, "kubectl-edit") {
		t.Errorf("conflicts come down to %q", got)
	}
}

// TestSections: a refusal for another reason has what is wrong, a manifest that is accepted
// says so, and a risk that is to fail is the state of its object.
func TestSections(t *testing.T) {
	refused := aRefusal()
	refused.Causes = []report.Cause{
		{Field: ".spec.replica", Message: "field not declared in schema"},
		{Field: ".spec.x", Message: "field not declared in schema"},
	}
	if got := shown(explanation(page.Options{}, refused)); !strings.Contains(got, "What is wrong") ||
		!strings.Contains(got, "The API server would answer 500") ||
		!strings.Contains(got, "This is no conflict of field managers") {
		t.Errorf("refused: %s", got)
	}
	ok := explanation(page.Options{}, accepted())
	if got := shown(ok); !strings.HasPrefix(got, "No conflicts; the apply would succeed") || ok.Weight == model.Decision {
		t.Errorf("accepted: %s", got)
	}
	risky := accepted()
	risky.Risks = []report.Finding{
		{
			Rule:     "taken-by-force",
			Severity: report.SeverityWarning,
			Field:    ".spec.replicas",
			Message:  text.New("the field is taken"),
		},
	}
	s := explanation(page.Options{FailOn: report.FailOn{Values: []string{"warning"}}}, risky)
	if s.Weight != model.Decision || s.Subject.State != model.Refused || s.Subject.Reason != "TakenByForce" {
		t.Errorf("risky: %v %+v", s.Weight, s.Subject)
	}
	if s := explanation(page.Options{}, risky); s.Subject.State == model.Refused {
		t.Errorf("risky, and not to fail: %+v", s.Subject)
	}
}

// TestTakeoverSection: the fields of a takeover are one table with one command, and the other
// conflicts stand before it.
func TestTakeoverSection(t *testing.T) {
	e := anExplanation()
	over := e.Conflicts[0]
	over.Field, over.Recommended, over.Because = ".spec.paused", conflict.Migrate, conflict.Reason{
		Kind:     conflict.Takeover,
		Managers: []string{"helm"},
	}
	over.Reason = over.Because.Says()
	e.Conflicts = append(e.Conflicts, over, over)
	taken, rest := takeover(e.Conflicts)
	if len(taken) != 2 || len(rest) != 2 {
		t.Fatalf("%d taken, %d others", len(taken), len(rest))
	}
	got := shown(explanation(page.Options{}, e))
	if !strings.Contains(got, "A takeover from helm: 2 fields") || strings.Contains(got, "All 4 fields at once") ||
		strings.Count(got, "this is a takeover") != 1 {
		t.Errorf("%s", got)
	}
	if without := shown(explanation(page.Options{}, anExplanation())); !strings.Contains(without, "All 2 fields at once") {
		t.Errorf("without a takeover: %s", without)
	}
}

// TestFacts are what is known of a field: the values, or the places in them that differ.
func TestFacts(t *testing.T) {
	c := anExplanation().Conflicts[0]
	says := func(c conflict.Conflict) string {
		return shown(model.Section{Blocks: []model.Block{Facts(page.Options{}, c)}})
	}
	if got := says(c); !strings.HasPrefix(
		got,
		"yours 3 live 5 owned by kube-controller-manager (Update of scale at apps/v1)",
	) {
		t.Errorf("%s", got)
	}
	c.AskedAs = ".spec.size"
	if got := says(c); !strings.Contains(got, "your manifest has it as .spec.size") {
		t.Errorf("in another API version: %s", got)
	}
	c.Nature.Kind, c.Difference.Kind = conflict.AtomicMap, conflict.Dropped
	if got := says(c); !strings.Contains(got, "field an atomic map: it has one owner") ||
		got == says(anExplanation().Conflicts[0]) {
		t.Errorf("of a whole map: %s", got)
	}
}

// TestTitle is a field with its line.
func TestTitle(t *testing.T) {
	for want, source := range map[string]*report.Source{".a": nil, ".a, web.yaml:7": {File: "web.yaml", Line: 7}} {
		if got := FieldAt(".a", source).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := ShortValue(conflict.Value{Missing: true}).String() + ShortValue(conflict.Value{Value: "x"}).String(); got != "(not set)x" {
		t.Errorf("values are %q", got)
	}
}

// TestConflictedAnswer is the answer with a conflict for each owner of a field.
func TestConflictedAnswer(t *testing.T) {
	e := anExplanation()
	e.Conflicts[0].Owners = append(e.Conflicts[0].Owners, e.Conflicts[1].Owners...)
	r := conflictedAnswer(e)
	var got []string
	for _, c := range r.Conflicts {
		got = append(got, c.Field+" of "+c.Manager)
	}
	for _, f := range r.Contested {
		got = append(got, f.Field+": "+string(f.Does()))
	}
	want := []string{
		".spec.replicas of kube-controller-manager",
		".spec.replicas of kubectl-edit",
		`.spec.template.spec.containers[name="main"].args of kubectl-edit`,
		".spec.replicas: StopManaging",
		`.spec.template.spec.containers[name="main"].args: `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Target != golden.Web() || r.Outcome != report.Conflicted || r.Operation != report.Apply {
		t.Errorf("%+v", r)
	}
}

// TestForceTakesAll: that the command takes every field is said where not all are to be taken.
func TestForceTakesAll(t *testing.T) {
	e := anExplanation()
	e.Conflicts[0].Recommended = conflict.Force
	says := func() bool {
		blocks := recommendation(page.Options{}, e, e.Conflicts[0])
		return strings.Contains(
			strings.Join(strings.Fields(rendered.Blocks(blocks, rendered.Options{})), " "),
			"takes ownership of every conflicting field",
		)
	}
	if !says() {
		t.Error("that force takes the other field, too, is not said")
	}
	if e.Conflicts[1].Recommended = conflict.Force; says() {
		t.Error("where all are to be taken, it is said")
	}
}
