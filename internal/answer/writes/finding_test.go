package writes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	words "github.com/ssactl/ssactl/internal/text"
)

func warned(name, field string, message words.Text) report.Result {
	r := applied("Deployment", name, report.Change{Field: field, Kind: report.Modified, Before: int64(5), After: int64(3)})
	r.Risks = []report.Finding{
		{Rule: "a-rule", Severity: report.SeverityWarning, Field: field, Message: message, Source: *at(4)},
	}
	return r
}

// brief is what is looked at in findings.
func brief(list []model.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s:%d %s | %s | %s", f.Rule, f.File, f.Line, f.Field, f.Message, f.Fix))
	}
	return out
}

// TestFindings: few findings of a run stand at each of their lines, and of many each cause
// at its first.
func TestFindings(t *testing.T) {
	run := func(n int) *Run {
		o := options()
		o.Grouped = true
		var results []report.Result
		for i := range n {
			for _, field := range []string{".spec.a", ".spec.b"} {
				results = append(results, warned(fmt.Sprint("o", i), field, words.New("odd")))
			}
		}
		return runOf(o, results...)
	}
	of := func(field string, n int, values string) string {
		return fmt.Sprintf("ssactl/a-rule a.yaml:4 %s | %s of %d Deployments: odd (a-rule)\n%s | ", field, field, n, values)
	}
	const first = "deployment/o0  5 -> 3  a.yaml:4\ndeployment/o1  5 -> 3  a.yaml:4\ndeployment/o2  5 -> 3  a.yaml:4\n"
	for n, want := range map[int][]string{
		2: {of(".spec.a", 2, "5 -> 3"), of(".spec.a", 2, "5 -> 3"), of(".spec.b", 2, "5 -> 3"), of(".spec.b", 2, "5 -> 3")},
		6: {of(".spec.a", 6, first+"… 3 more"), of(".spec.b", 6, first+"… 3 more")},
	} {
		if diff := cmp.Diff(want, brief(run(n).findings())); diff != "" {
			t.Errorf("%d objects (-want +got):\n%s", n, diff)
		}
	}
}

// TestRemarksOfARun: what makes many answers doubtful, and what the server warns of, is one
// finding each, at the first object.
func TestRemarksOfARun(t *testing.T) {
	o := options()
	o.Grouped, o.Findings = true, true
	var results []report.Result
	for i := range 3 {
		r := applied("Deployment", fmt.Sprint("o", i))
		r.Warnings = []string{"old"}
		r.Confidence.Reasons = []report.Caveat{{Rule: report.RuleUnknownManager, Message: "Nobody knows ci."}}
		results = append(results, r)
		for _, f := range writeFindings(o, r) {
			if f.Rule != ruleChange.ID {
				t.Errorf("a finding of each object: %s", f.Message)
			}
		}
	}
	want := []string{
		"ssactl/caveat a.yaml:1  | Nobody knows ci. | ",
		"ssactl/server-warning a.yaml:1  | old (3 objects) | ",
	}
	if diff := cmp.Diff(want, brief(runOf(o, results...).findings())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLineFindings: those of one object, with what fixes them; a takeover once.
func TestLineFindings(t *testing.T) {
	o := options()
	o.Several, o.FailOn = false, report.FailOn{Values: []string{"warning"}}
	r := warned("web", ".spec.a", words.New("odd"))
	r.Risks = append(
		r.Risks,
		report.Finding{Rule: risk.Takeover, Severity: report.SeverityWarning, Manager: "helm", Source: *at(1),
			Fields: []string{".x", ".y"}, Counted: 2,
			Message: words.New("a takeover")},
	)
	r.Transfers = []report.Transfer{
		{Field: ".x", Manager: "helm", Operation: "Apply", Kind: report.Overridden},
		{Field: ".y",
			Manager: "helm", Operation: "Apply", Kind: report.Overridden},
	}
	got := lineFindings(o, r)
	want := []string{
		"ssactl/a-rule a.yaml:4 .spec.a | .spec.a: odd (a-rule)\n5 -> 3 | ",
		"ssactl/taken-over a.yaml:1 .x | helm loses 2 fields to ci: a takeover. It conflicts with yours at its next apply where its values " +
			"differ (taken-over). | ssactl migrate -f a.yaml --live=live.yaml --from=helm --to=ci",
	}
	got[1].Rule = strings.Replace(got[1].Rule, risk.Takeover, "taken-over", 1)
	got[1].Message = strings.Replace(got[1].Message, "("+risk.Takeover+")", "(taken-over)", 1)
	if diff := cmp.Diff(want, brief(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if f := got[0]; !f.Fails || !f.Enforced || f.Title != "a-rule: deployment.apps/web" ||
		f.Object != "shop/deployment.apps/web" ||
		f.Name != "web" {
		t.Errorf("the finding is %+v", f)
	}
	if diff := cmp.Diff([]string{"ssactl/a-rule", "apps/v1", "Deployment", "shop", "web", "", ".spec.a", ""}, got[0].Identity); diff != "" {
		t.Errorf("its identity (-want +got):\n%s", diff)
	}
}

// TestRefusedFindings: the server's words stand in the finding, and no answer has its reason.
func TestRefusedFindings(t *testing.T) {
	invalid := refused("web")
	invalid.Outcome, invalid.Code, invalid.Status = report.Invalid, 422, &report.Status{
		Reason:  "Invalid",
		Message: "it is\nwrong",
	}
	failed := applied("Deployment", "web")
	failed.Outcome, failed.Error = report.Failed, "it cannot be known"
	o := options()
	o.Several = false
	for name, tt := range map[string]struct {
		r    report.Result
		want string
	}{
		"rejected":  {invalid, "ssactl/refused a.yaml:1  | rejected by the API server (422 Invalid)\nit is\nwrong | "},
		"no answer": {failed, "ssactl/no-answer a.yaml:1  | it cannot be known | "},
		"conflicted": {refused("web", taken(".a", "hpa", int64(1), int64(2), stop)),
			"ssactl/conflict a.yaml:9 .a | .a, owned by hpa (Update): the horizontal pod autoscaler\n1 -> 2\n" +
				"Recommended: stop managing the field (remove it from the manifest). This value is decided by hpa. If the manifest sets it, every " +
				"apply resets it. | ssactl resolve -f a.yaml --live=live.yaml --field-manager=ci --stop-managing=.a --write"},
	} {
		got := brief(lineFindings(o, tt.r))
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestChangeFindings: a sentence on what an accepted write does.
func TestChangeFindings(t *testing.T) {
	fields := func(names ...string) []report.Change {
		var out []report.Change
		for _, name := range names {
			out = append(out, report.Change{Field: name})
		}
		return out
	}
	created := applied("Secret", "s")
	created.Outcome = report.Created
	unchanged := applied("Secret", "s")
	unchanged.Outcome = report.Unchanged
	overwritten := applied("Secret", "s", fields(".a")...)
	overwritten.Transfers = []report.Transfer{
		{Field: ".a", Manager: "helm", Kind: report.Overridden, Cause: report.ByUpdate},
	}
	for name, tt := range map[string]struct {
		r    report.Result
		want []string
	}{
		"created":   {created, []string{"would be created"}},
		"unchanged": {unchanged, nil},
		"changed": {applied("Secret", "s", fields(".a", ".b", ".c", ".d", ".metadata.generation")...),
			[]string{"would be configured: 4 fields would change, .a, .b, .c and 1 more"}},
		"overwritten": {overwritten, []string{"would be configured: 1 field would change, .a. .a of helm is overwritten by an update"}},
		"refused":     {refused("web"), nil},
	} {
		var got []string
		for _, f := range changeFindings(options(), tt.r) {
			got = append(got, f.Message)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestSentFindings: writes that were sent have happened.
func TestSentFindings(t *testing.T) {
	o := options()
	o.Sent = true
	created, deleted := applied("Secret", "s"), applied("Secret", "s")
	created.Outcome, deleted.Outcome, deleted.Operation, deleted.Deleted = report.Created, report.Configured, report.Delete, true
	marked := deleted
	marked.Deleted = false
	var got []string
	for _, r := range []report.Result{created, applied("Secret", "s", report.Change{Field: ".a"}), deleted, marked} {
		for _, f := range changeFindings(o, r) {
			got = append(got, f.Message)
		}
	}
	want := []string{"was created", "was configured: 1 field changed, .a", "was deleted", "was marked for deletion"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRemarkFindings: warnings of the server, and what makes an answer doubtful.
func TestRemarkFindings(t *testing.T) {
	r := applied("Deployment", "web")
	r.Warnings = []string{"deprecated"}
	r.Confidence.Reasons = []report.Caveat{{Rule: report.RuleNoManagedFields, Message: "No managed fields."}}
	want := []string{
		"ssactl/caveat a.yaml:1  | No managed fields. Fetch it with its managed fields: | kubectl get --namespace=shop --output=yaml " +
			"--show-managed-fields -- deployment.apps web > live.yaml",
		"ssactl/server-warning a.yaml:1  | deprecated | ",
	}
	if diff := cmp.Diff(want, brief(lineFindings(options(), r))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	r.Outcome, r.Status = report.Conflicted, &report.Status{Message: "409"}
	if got := AnswerFindings(page.Options{}, r); len(got) != 2 {
		t.Errorf("a plan that says its conflicts itself has %q", brief(got))
	}
	// Every rule that a finding may have is among those of the format.
	known := map[string]bool{}
	for _, rule := range WriteRules {
		if known[rule.ID] || rule.Name == "" || rule.Short == "" || rule.Help == "" {
			t.Errorf("the rule %+v", rule)
		}
		known[rule.ID] = true
	}
	for _, id := range []string{report.RuleConflict, report.RuleRefused, report.RuleNoAnswer, report.RuleInputNotice, risk.Takeover, risk.TakenByForce} {
		if !known["ssactl/"+id] {
			t.Errorf("no rule %s", id)
		}
	}
}

// TestOwnerInCell: a cell of the table names the owner of a value once, be it with the value or
// behind it.
func TestOwnerInCell(t *testing.T) {
	owners := []report.Writer{{Manager: "ops", Operation: "Update"}}
	for _, test := range []struct {
		found report.Finding
		want  string
	}{
		{report.Finding{Rule: report.RuleRefused, Field: ".spec.a", Joint: "Leftover", Before: int64(2), Owners: owners},
			".spec.a 2, of ops (Update)"},
		{report.Finding{Rule: risk.TakenByForce, Field: ".spec.a", Before: int64(2), After: int64(3), Owners: owners},
			".spec.a 2 -> 3 (ops)"},
	} {
		if got := inCellOf(test.found).String(); got != test.want {
			t.Errorf("%s: %q, want %q", test.found.Rule, got, test.want)
		}
	}
}
