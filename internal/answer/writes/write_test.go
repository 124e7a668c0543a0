package writes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/text"
	"github.com/ssactl/ssactl/internal/report"
	words "github.com/ssactl/ssactl/internal/text"
)

// TestWriteTitle: the answer for one object in a line, in kubectl's words.
func TestWriteTitle(t *testing.T) {
	change := func(n int) []report.Change {
		return make([]report.Change, n)
	}
	forced := applied("Deployment", "web", change(2)...)
	forced.Force = true
	forced.Transfers = []report.Transfer{{Kind: report.Overridden, Manager: "b"}, {Kind: report.Overridden, Manager: "a"},
		{Kind: report.Overridden, Manager: "a"}, {Kind: report.Acquired, Manager: "ci"}}
	deleted := applied("Deployment", "web", change(3)...)
	deleted.Operation, deleted.Deleted, deleted.Live = report.Delete, true, map[string]any{}
	deleting := deleted
	deleting.Deleted = false
	invalid := refused("web")
	invalid.Outcome, invalid.Code, invalid.Status = report.Invalid, 422, &report.Status{Reason: "Invalid"}
	byClient := invalid
	byClient.Code = 0
	failed := applied("Deployment", "web")
	failed.Outcome, failed.Error = report.Failed, "it cannot\nbe known"
	created := applied("Secret", "s", change(3)...)
	created.Outcome = report.Created
	owners := refused("web", taken(".a", "c", 1, 2, stop), taken(".a", "b", 1, 2, stop), taken(".b", "a", 1, 2, stop))
	for name, tt := range map[string]struct {
		r            report.Result
		one, several string
	}{
		"created": {created, "secret/s created (namespace shop) as ci", "secret/s created (namespace shop)"},
		"changed": {applied("Deployment", "web", change(1)...), "deployment.apps/web configured (namespace shop) as ci: 1 field changes",
			"deployment.apps/web configured (namespace shop): 1 field changes"},
		"owners alone": {applied("Deployment", "web", []report.Change{}...),
			"deployment.apps/web configured (namespace shop) as ci: only ownership changes",
			"deployment.apps/web configured (namespace shop): only ownership changes"},
		"taken by force": {forced, "deployment.apps/web configured (namespace shop) as ci, which forces: 2 fields change, 3 taken from a and b",
			"deployment.apps/web configured (namespace shop): 2 fields change"},
		"deleted":       {deleted, "deployment.apps/web deleted (namespace shop)", "deployment.apps/web deleted (namespace shop)"},
		"to be deleted": {deleting, "deployment.apps/web deleting (namespace shop)", "deployment.apps/web deleting (namespace shop)"},
		"conflicted": {refused("web", taken(".a", "hpa", 1, 2, stop)),
			"deployment.apps/web conflicted (namespace shop) as ci: 1 conflict, with hpa",
			"deployment.apps/web conflicted (namespace shop): 1 conflict, with hpa"},
		"with several": {owners, "deployment.apps/web conflicted (namespace shop) as ci: 2 conflicts, with 3 managers",
			"deployment.apps/web conflicted (namespace shop): 2 conflicts, with 3 managers"},
		"invalid": {invalid, "deployment.apps/web invalid (namespace shop) as ci: 422 Invalid",
			"deployment.apps/web invalid (namespace shop): 422 Invalid"},
		"by its client": {byClient, "deployment.apps/web invalid (namespace shop) as ci: refused by the client",
			"deployment.apps/web invalid (namespace shop): refused by the client"},
		"without answer": {failed, "deployment.apps/web failed (namespace shop) as ci: it cannot",
			"deployment.apps/web failed (namespace shop): it cannot"},
	} {
		for several, want := range map[bool]string{false: tt.one, true: tt.several} {
			if got := writeTitle(page.Options{Brief: true, Several: several}, tt.r).String(); got != want {
				t.Errorf("%s, one of several %v: %q, want %q", name, several, got, want)
			}
		}
	}
	known := page.Options{Call: fixes.Call{Inferred: true, Client: "as Helm does"}}
	if got := InTitle(known, "helm", true).String(); got != "helm (which applies all live objects; as Helm does)" {
		t.Errorf("the field manager that is known is %q", got)
	}
}

// TestWriteWeight: what there is to look at makes a decision, and what has nothing to say is
// dull.
func TestWriteWeight(t *testing.T) {
	with := func(severity report.Severity, rule string) report.Result {
		r := applied("Deployment", "web")
		r.Outcome = report.Unchanged
		r.Risks = []report.Finding{{Rule: rule, Severity: severity}, {Rule: "other", Severity: report.SeverityNote}}
		return r
	}
	same := with("", "")
	same.Risks = nil
	warned := same
	warned.Warnings = []string{"deprecated"}
	for name, tt := range map[string]struct {
		r        report.Result
		weight   model.Weight
		severity report.Severity
	}{
		"refused":    {refused("web"), model.Decision, report.SeverityError},
		"an error":   {with(report.SeverityError, "a-rule"), model.Decision, report.SeverityError},
		"a warning":  {with(report.SeverityWarning, "a-rule"), model.Decision, report.SeverityWarning},
		"a note":     {with(report.SeverityNote, "a-rule"), model.Detail, report.SeverityNote},
		"a takeover": {with(report.SeverityWarning, risk.Takeover), model.Detail, report.SeverityNote},
		"changed":    {applied("Deployment", "web"), model.Change, ""},
		"unchanged":  {same, model.Dull, ""},
		"warned":     {warned, model.Detail, ""},
	} {
		if got := writeWeight(tt.r); got != tt.weight {
			t.Errorf("%s weighs %d, want %d", name, got, tt.weight)
		}
		if got := severityOf(tt.r); got != tt.severity {
			t.Errorf("%s is %q, want %q", name, got, tt.severity)
		}
	}
}

// TestWrite: the section of each outcome, as the text format has it.
func TestWrite(t *testing.T) {
	change := report.Change{
		Field:  ".spec.replicas",
		Kind:   report.Modified,
		Before: int64(5),
		After:  int64(3),
		Reason: report.ReasonApplied,
		Source: at(9),
	}
	defaulted := report.Change{
		Field:  ".spec.x",
		Kind:   report.Added,
		After:  int64(1),
		Reason: report.ReasonDefaulted,
		Detail: "schema",
	}
	generation := report.Change{Field: ".metadata.generation", Kind: report.Modified, Before: int64(1), After: int64(2),
		Reason: report.ReasonStrategy}
	helm := report.Writer{Manager: "helm", Operation: "Apply"}
	owned := applied("Deployment", "web", defaulted, change, generation)
	owned.Warnings, owned.Notices = []string{"deprecated"}, []string{"odd"}
	owned.Ownership = []report.FieldOwners{{Field: ".spec.replicas", Managers: []report.Writer{helm}}}
	owned.Transfers = []report.Transfer{
		{
			Field:     ".spec.replicas",
			Manager:   "ci",
			Operation: "Apply",
			Kind:      report.Acquired,
		}, {Field: ".spec.replicas", Manager: "helm",
			Operation: "Apply", Kind: report.Overridden},
		{
			Field:     ".spec.y",
			Manager:   "ci",
			Operation: "Apply",
			Kind:      report.Shared,
		}, {Field: ".spec.z", Manager: "ci", Operation: "Apply",
			Kind: report.Relinquished, ValueChanged: true}}
	many := applied("Deployment", "web", change)
	for i := range 5 {
		many.Transfers = append(many.Transfers, report.Transfer{Field: fmt.Sprint(".f", i), Manager: "ci", Operation: "Apply",
			Kind: report.Acquired})
	}
	created := applied("Deployment", "web", change, defaulted)
	created.Outcome = report.Created
	deleted := applied("Deployment", "web", change)
	deleted.Operation, deleted.Deleted, deleted.Live = report.Delete, true, map[string]any{}
	deleted.Transfers = []report.Transfer{
		{Field: ".a", Manager: "helm", Operation: "Apply"},
		{Field: ".b", Manager: "helm",
			Operation: "Apply"},
		{Field: ".c", Manager: "hpa", Operation: "Update", Subresource: "scale"},
	}
	invalid := refused("web")
	invalid.Outcome, invalid.Code, invalid.Status = report.Invalid, 422, &report.Status{
		Reason:  "Invalid",
		Message: "it is\nwrong\n",
	}
	invalid.Causes = []report.Cause{
		{Field: "spec.a", Message: "Invalid value: \"x\": no", Source: at(3)},
		{Field: "spec.b",
			Message: "Required value\nmore", Nearest: []string{"bb"}},
	}
	client := invalid
	client.Code, client.Causes = 0, nil
	failed := applied("Deployment", "web")
	failed.Outcome, failed.Error = report.Failed, "it cannot\nbe known"
	unforced := refused("web", taken(".a", "hpa", 1, 2, stop))
	unforced.Forced = &report.Forced{
		Outcome: report.Configured,
		Changes: []report.Change{{Field: ".a", Kind: report.Modified,
			Before: int64(
				1,
			), After: int64(2)}, {Field: ".b", Kind: report.Added, After: int64(1), Reason: report.ReasonNormalised}},
	}
	still := unforced
	still.Forced = &report.Forced{Outcome: report.Invalid, Status: &report.Status{Message: "still wrong"}}
	const answer = "\nThe API server would answer 409 Conflict\n  Apply failed\n"
	for name, tt := range map[string]struct {
		r    report.Result
		o    page.Options
		want string
	}{
		"accepted": {owned, page.Options{},
			"Warning: deprecated\nNotice: odd\n\nChanges\n  ~  .spec.replicas  5 -> 3  applied, a.yaml:9\n" +
				"  +  .spec.x         1       default filled in by the server (schema)\n" +
				"\nOwnership changes\n  .spec.y         ci (Apply)    shares ownership\n  .spec.replicas  helm (Apply)  loses ownership\n" +
				"  .spec.z         ci (Apply)    stops managing, the value changes\n"},
		"all is asked for": {owned, page.Options{Verbose: true},
			"Warning: deprecated\nNotice: odd\n\nChanges\n  ~  .spec.replicas        5 -> 3  applied, a.yaml:9\n" +
				"  +  .spec.x               1       default filled in by the server (schema)\n  ~  .metadata.generation  1 -> 2  set by the server\n" +
				"\nOwnership changes\n  .spec.replicas  ci (Apply)    takes ownership\n  .spec.y         ci (Apply)    shares ownership\n" +
				"  .spec.replicas  helm (Apply)  loses ownership\n  .spec.z         ci (Apply)    stops managing, the value changes\n" +
				"\nOwners after this write\n  .spec.replicas  helm (Apply)\n"},
		"many fields are gained": {many, page.Options{},
			"\nChanges\n  ~  .spec.replicas  5 -> 3  applied, a.yaml:9\n\nOwnership changes\n  5 fields  ci (Apply)  takes ownership\n"},
		"created": {created, page.Options{}, "1 field applied, 1 more set by the server (-v shows them, -o yaml the object)\n"},
		"deleted": {deleted, page.Options{},
			"The object is gone, with 1 field.\nOWNED BY               FIELDS\nhelm (Apply)                2\nhpa (Update of scale)       1\n"},
		"invalid": {invalid, page.Options{},
			"spec.a  a.yaml:3  Invalid value: \"x\": no\nspec.b            Required value; did you mean bb?\n\n" +
				"The API server would answer 422 Invalid\n  it is\n  wrong\n"},
		"refused by the client": {client, page.Options{}, "\nThe client refuses it, and sends no request\n  it is\n  wrong\n"},
		"without answer":        {failed, page.Options{}, "be known\n"},
		"what force would do": {unforced, page.Options{},
			"\nWith --force-conflicts it would be configured\n  +  .b  1  stored in another spelling\n" + answer},
		"what force would not do": {still, page.Options{}, "\nWith --force-conflicts it would still be refused\n  still wrong\n" + answer},
		"one of several":          {owned, page.Options{Brief: true, Several: true}, "Notice: odd\n"},
	} {
		tt.o.Now = now
		s, err := Write(tt.o, tt.r)
		if err != nil {
			t.Fatal(err)
		}
		under := s.Under
		if len(tt.r.Conflicts) > 0 {
			under = nil // What is to be looked at has tests of its own.
		}
		got := text.Blocks(append(under, s.Blocks...), text.Options{Width: 160, Verbose: tt.o.Verbose})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestRemark: standard error says what is refused or risky next to a format for programs.
func TestRemark(t *testing.T) {
	risky := applied("Deployment", "web")
	risky.Risks = []report.Finding{{Rule: "a-rule", Severity: report.SeverityWarning, Message: words.New("odd")}}
	noted := applied("Deployment", "web")
	noted.Risks = []report.Finding{{Rule: "a-rule", Severity: report.SeverityNote, Message: words.New("odd")}}
	doubtful := applied("Deployment", "web")
	doubtful.Confidence.Reasons = []report.Caveat{{Rule: report.RuleDigests, Message: "doubtful"}}
	for name, tt := range map[string]struct {
		r    report.Result
		want bool
	}{"accepted": {applied("Deployment", "web"), false}, "noted": {noted, false}, "risky": {risky, true}, "doubtful": {doubtful, true},
		"refused": {refused("web"), true}} {
		if _, got := Remark(page.Options{}, tt.r); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if s, _ := Remark(page.Options{}, refused("web")); text.Blocks(s.Blocks, text.Options{}) != "Apply failed\n" {
		t.Errorf("the server's answer is %v", s.Blocks)
	}
}

// TestSubject: what makes a run fail is refused, with its reason.
func TestSubject(t *testing.T) {
	r := applied("Deployment", "web")
	r.Risks = []report.Finding{{Rule: "other", Severity: report.SeverityNote, Message: words.New("fine")}, {Rule: "a-rule",
		Severity: report.SeverityWarning, Field: ".a", Message: words.New("odd")}}
	o := page.Options{FailOn: report.FailOn{Values: []string{"warning"}}}
	if s := headOf(o, r).Subject; s.State != model.Refused || s.Reason != "ARule" || s.Gist != ".a: odd (a-rule)" {
		t.Errorf("the run fails: %+v", s)
	}
	if s := headOf(page.Options{}, r).Subject; s.State != model.Accepted || s.Reason != "Configured" ||
		s.Gist != "configured (namespace shop) as ci" {
		t.Errorf("it does not: %+v", s)
	}
}

// TestTransferVerb: what a transfer means for its manager.
func TestTransferVerb(t *testing.T) {
	for _, tt := range []struct {
		t    report.Transfer
		want string
	}{
		{report.Transfer{Kind: report.Acquired}, "takes ownership"},
		{report.Transfer{Kind: report.Shared}, "shares ownership"},
		{report.Transfer{Kind: report.Overridden, Cause: report.ByUpdate}, "is overwritten by an update"},
		{report.Transfer{Kind: report.Overridden}, "loses ownership"},
		{report.Transfer{Kind: report.Relinquished, ValueChanged: true}, "stops managing, the value changes"},
		{report.Transfer{Kind: report.Relinquished}, "stops managing, the field stays"},
		{report.Transfer{Kind: report.TransferRemoved}, "loses ownership, field removed"},
	} {
		if got := transferVerb(tt.t); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.t, got, tt.want)
		}
	}
}

// TestShortMessage: of a value that a message quotes the middle is cut, and what is said of
// it stays.
func TestShortMessage(t *testing.T) {
	long := strings.Repeat("x", 2*quotedValue)
	for message, want := range map[string]string{
		"Required value":                "Required value",
		`Invalid value: "a": must be b`: `Invalid value: "a": must be b`,
		`Invalid value: "` + long + `": field is immutable`: `Invalid value: "` + strings.Repeat("x", 59) + "…" + strings.Repeat("x", 58) +
			`": field is immutable`,
		`Unsupported value: {"a":"` + long + `"}: supported: x`: `Unsupported value: {"a":"` + strings.Repeat("x", 54) + "…" +
			strings.Repeat("x", 57) + `"}: supported: x`,
		"This is a value: " + long:       "This is a value: " + long,
		"Invalid value: no JSON " + long: "Invalid value: no JSON " + long,
	} {
		if diff := cmp.Diff(want, shortMessage(message)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// TestDifference: lines that change are next to each other, with the differing words
// stressed; what is around them is named.
func TestDifference(t *testing.T) {
	r := applied("ConfigMap", "c")
	r.Live = map[string]any{
		"data":     map[string]any{"a": "one two three", "b": "x"},
		"metadata": map[string]any{"name": "c", "uid": "1"},
	}
	r.Object = map[string]any{
		"data":     map[string]any{"a": "one 2 three", "c": "x"},
		"metadata": map[string]any{"name": "c", "uid": "2"},
	}
	show := func(o page.Options, r report.Result) string {
		blocks, err := difference(o, r)
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, b := range blocks {
			s := b.(model.Section)
			out += s.Title.String() + "\n"
			for _, l := range s.Blocks[0].(model.Diff).Lines {
				out += l.Kind.Sign()
				for _, span := range l.Text {
					out += map[bool]string{true: "[" + span.Text + "]", false: span.Text}[span.Role == model.Strong]
				}
				out += "\n"
			}
		}
		return out
	}
	o := page.Options{Differences: true}
	const lines = "@@ -1,5 +1,5 @@\n data:\n-  a: one [two] three\n-  [b]: x\n+  a: one [2] three\n+  [c]: x\n metadata:\n   name: c\n"
	if diff := cmp.Diff("Difference from live to result\n"+lines, show(o, r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	conflicted := r
	conflicted.Outcome, conflicted.Forced, conflicted.Object = report.Conflicted, &report.Forced{Object: r.Object}, nil
	if got := show(o, conflicted); got != "Difference, if forced\n"+lines {
		t.Errorf("of a conflict\n%s", got)
	}
	refusedWrite, same := r, r
	refusedWrite.Outcome, same.Object = report.Invalid, r.Live
	if got := show(o, refusedWrite) + show(o, same) + show(page.Options{}, r); got != "" {
		t.Errorf("where there is none:\n%s", got)
	}
}
