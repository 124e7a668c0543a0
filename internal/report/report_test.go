package report

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// TestSummary: each object is counted once, by its outcome: the numbers add up to the
// total. Only an accepted write can be risky.
func TestSummary(t *testing.T) {
	warning, note := []Finding{{Severity: SeverityNote}, {Severity: SeverityWarning}}, []Finding{{Severity: SeverityNote}}
	r := New(Run{Version: "v1.36.3"}, []Result{
		{
			Outcome: Created,
		}, {Outcome: Configured, Risks: warning}, {Outcome: Configured, Deleted: true, Operation: Delete}, {Outcome: Configured, Operation: Delete},
		{
			Outcome: Unchanged,
			Risks:   note,
		}, {Outcome: Unchanged, Operation: Delete}, {Outcome: Conflicted}, {Outcome: Invalid}, {Outcome: Failed},
		{
			Outcome:   Configured,
			Recreated: true,
		}, {Outcome: Configured, Deleted: true, Hook: "PreSync"}, {Outcome: Created, Hook: "PreSync"},
		{Outcome: Invalid, Hook: "PreSync"}, {Outcome: Invalid, Deleted: true}, {Outcome: Configured, Deleted: true},
		{Outcome: Created, Confidence: Confidence{Reasons: []Caveat{{Rule: RuleAssumedSchema}}}},
	})
	want := Summary{
		Total:      16,
		Created:    2,
		Configured: 1,
		Unchanged:  2,
		Recreated:  1,
		Hooks:      2,
		Conflicted: 1,
		Invalid:    3,
		Failed:     1,
		Deleted:    3,
		Deleting:   1,
		Undefined:  1,
		Risky:      1,
	}
	if diff := cmp.Diff(want, r.Summary); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s := r.Summary
	if sum := s.Created + s.Configured + s.Unchanged + s.Recreated + s.Deleted + s.Hooks + s.Conflicted + s.Invalid + s.Failed; sum != s.Total {
		t.Errorf("the numbers add up to %d of %d", sum, s.Total)
	}
	if r.Kind != Kind || r.APIVersion != APIVersion || r.Server.Version != "v1.36.3" {
		t.Errorf("the head is %+v", r.Head)
	}
	for outcome, refused := range map[Outcome]bool{Unchanged: false, Configured: false, Created: false, Conflicted: true, Invalid: true, Failed: true} {
		var s Summary
		if s.Count(outcome); s.Refused() != refused || outcome.Refused() != refused {
			t.Errorf("%s is refused: %v", outcome, s.Refused())
		}
	}
}

// TestAnswer: a refusal has the server's words, a failure our own.
func TestAnswer(t *testing.T) {
	for _, test := range []struct {
		of   Result
		want Answer
	}{
		{Result{Outcome: Configured, Code: 200}, Answer{Outcome: Configured, Code: 200}},
		{Result{Outcome: Conflicted, Code: 409, Status: &Status{Message: "no"}}, Answer{Outcome: Conflicted, Code: 409, Message: "no"}},
		{Result{Outcome: Failed, Error: "unknown"}, Answer{Outcome: Failed, Message: "unknown"}},
	} {
		if diff := cmp.Diff(test.want, test.of.Answer()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestDocument: lists are written also where they are empty, and objects keep their order.
func TestDocument(t *testing.T) {
	type summary struct{ N int }
	d := NewDocument("Things", Run{}, []int{3, 1}, func(s *summary, n int) { s.N += n })
	if diff := cmp.Diff([]int{3, 1}, d.Objects); diff != "" || d.Summary.N != 4 || d.Kind != "Things" {
		t.Errorf("%+v (-want +got):\n%s", d, diff)
	}
	none := NewDocument("Things", Run{}, nil, func(s *summary, n int) { s.N += n })
	b, err := json.Marshal(none)
	if want := `{"apiVersion":"ssactl.dev/v1alpha1","kind":"Things","summary":{"N":0},"objects":[]}`; err != nil ||
		string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
}

// TestSeverities: the worst has the least rank, and one that is unknown none.
func TestSeverities(t *testing.T) {
	for s, want := range map[Severity]int{SeverityError: 0, SeverityWarning: 1, SeverityNote: 2, "odd": -1} {
		if s.Rank() != want {
			t.Errorf("%s has the rank %d", s, s.Rank())
		}
	}
	for name, c := range map[string]struct {
		risks []Finding
		want  bool
	}{"none": {nil, false}, "notes": {[]Finding{{Severity: SeverityNote}}, false}, "a warning": {[]Finding{{Severity: SeverityNote}, {Severity: SeverityWarning}}, true}} {
		if Risky(c.risks) != c.want {
			t.Errorf("%s: risky is %v", name, !c.want)
		}
	}
}

// TestOwnersOf: each path has its owners, sorted by field.
func TestOwnersOf(t *testing.T) {
	entry := func(manager string, fields string) map[string]any {
		var set map[string]any
		if err := json.Unmarshal([]byte(fields), &set); err != nil {
			t.Fatal(err)
		}
		return map[string]any{
			"manager":    manager,
			"operation":  "Apply",
			"apiVersion": "v1",
			"fieldsType": "FieldsV1",
			"fieldsV1":   set,
		}
	}
	object := map[string]any{
		"metadata": map[string]any{"managedFields": []any{entry("b", `{"f:b":{},"f:a":{}}`), entry("a", `{"f:a":{}}`)}},
	}
	writer := func(manager string) Writer {
		return Writer{Manager: manager, Operation: "Apply", APIVersion: "v1"}
	}
	want := []FieldOwners{{".a", []Writer{writer("a"), writer("b")}}, {".b", []Writer{writer("b")}}}
	if diff := cmp.Diff(want, OwnersOf(managedfields.Of(object))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := OwnersOf(managedfields.Of(nil)); got == nil || len(got) != 0 {
		t.Errorf("no owners are %v, want an empty list", got)
	}
	if got := (Transfer{Manager: "m", Operation: "Update", Subresource: "scale"}).Writer(); got != (Writer{Manager: "m", Operation: "Update", Subresource: "scale"}) {
		t.Errorf("the writer of a transfer is %+v", got)
	}
}

// TestTallyOfRefusals: the owners of a refused or deleted object are those that it has.
func TestTallyOfRefusals(t *testing.T) {
	object := map[string]any{
		"metadata": map[string]any{
			"managedFields": []any{
				map[string]any{
					"manager":    "m",
					"operation":  "Apply",
					"apiVersion": "v1",
					"fieldsType": "FieldsV1",
					"fieldsV1":   map[string]any{"f:a": map[string]any{}},
				},
			},
		},
	}
	for name, c := range map[string]struct {
		of   Result
		want int
	}{
		"accepted": {Result{Outcome: Configured, Object: object}, 1}, "refused": {Result{Outcome: Conflicted, Live: object}, 1},
		"refused, with what force would give": {Result{Outcome: Invalid, Object: object}, 0}, "deleted": {Result{Outcome: Configured, Deleted: true, Live: object, Object: object}, 0},
	} {
		var tally Tally
		tally.Add(c.of)
		if got := tally.Overview().Managers; len(got) != c.want {
			t.Errorf("%s: %v, want %d managers", name, got, c.want)
		}
	}
}

// TestFault: what may be meant comes before what to do about a common mistake, and each
// mistake has something to do about it.
func TestFault(t *testing.T) {
	for _, tt := range []struct {
		c    Cause
		want string
	}{
		{Cause{}, "bad"},
		{Cause{Nearest: []string{"a", "b"}, Mistake: Quoted}, "bad; did you mean a or b?"},
		{Cause{Mistake: Quoted}, "bad: leave out the quotes"},
	} {
		if got := tt.c.With("bad"); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, m := range []Mistake{UnquotedBoolean, UnquotedNumber, Quoted, Empty, FromLive,
		OtherObject} {
		if (Cause{Mistake: m}).Cure() == "" {
			t.Errorf("nothing to do about %v", m)
		}
	}
}
