package conflict

import (
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		reason Reason
		want   string
	}{
		{Reason{Kind: Autoscaled, Managers: []string{"keda"}}, "This value is decided by keda. If the manifest sets it, every apply resets it."},
		{Reason{Kind: NobodyWrites, Managers: []string{"a", "b"}}, "No program writes as a and b any more."},
		{Reason{Kind: NoneSafe}, "No option is safe: decide with the owners whose manifest has the field."},
		{Reason{Kind: NoneSafe, Managers: []string{"helm"}, Against: []Objection{ForceReverted, StopLacks}},
			"No option is safe: after force, helm sets the value back; without the field the server would not create the object. Decide with the owners whose manifest has the field, and change the other one first."},
	} {
		if got := tt.reason.Says().String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason.Kind, got, tt.want)
		}
	}
}

// TestEveryReasonIsSaid: only NoneSafe, and what is no kind, falls through to that no
// option is safe.
func TestEveryReasonIsSaid(t *testing.T) {
	none := Reason{Kind: NoneSafe}.Says().String()
	for _, kind := range []ReasonKind{
		RefusedAnyway, RefusedValue, OtherVersion, OwnersUnknown, WrongManager, SameValue, SameInData, StoresNothing, ThereAlready, NobodyWrites, OwnUpdates,
		NoWriter, UsedByHand, AppliedClientSide, WritesWhenRun, ScalerGoes,
		Autoscaled, Controlled, OtherManifest, WrittenByUpdates, Takeover, MayNotOwn,
	} {
		if got := (Reason{Kind: kind, Managers: []string{"m"}}).Says().String(); got == none {
			t.Errorf("%s has no sentence", kind)
		}
	}
}

func TestReactions(t *testing.T) {
	for _, tt := range []struct {
		manager, operation string
		next               report.Outcome
		taken, shared      string
	}{
		{"keda", "Update", "", "keda writes by updates, which never conflict: it resets the value at its next sync; your next apply will conflict again.",
			"keda may change the value at any time, and then your next apply conflicts again."},
		{"kubectl-edit", "Update", "", "Nothing writes as kubectl-edit by itself: the value stays yours.",
			"Nothing writes as kubectl-edit by itself; it stays recorded as an owner, so that the field stays when you drop it later."},
		{"helm", "Update", "", "helm sets its value again only when it is run again.", "helm may change the value when it runs again, and then your next apply conflicts again."},
		{"team-b", "Apply", report.Conflicted, "team-b's next apply of its own manifest is refused with the same conflict, until the field is taken out there; with force it takes the field back.",
			"If team-b's manifest writes the value as yours does now, its next apply is refused: the stored spelling has to be written in both."},
		{"team-b", "Apply", report.Unchanged, "team-b's next apply may set its value again.", "team-b can go on applying the same value; the first of you to change it gets the conflict."},
	} {
		w := report.Writer{Manager: tt.manager, Operation: tt.operation}
		owner, v := Owner{Writer: w, ManagerKind: writers.ManagerKindOf(w, "me")}, Reaction{NextApply: tt.next}
		if got := afterTaking(owner, v).String(); got != tt.taken {
			t.Errorf("taken from %s: got %q, want %q", tt.manager, got, tt.taken)
		}
		if got := afterSharing(owner, v, Difference{Kind: Spelling}).String(); got != tt.shared {
			t.Errorf("shared with %s: got %q, want %q", tt.manager, got, tt.shared)
		}
	}
}

// TestConcealed: the edit of a Secret's manifest is possible, and not shown.
func TestConcealed(t *testing.T) {
	got := Resolution{Edit: &Edit{Removed: []string{"password: x"}}}.Concealed().(Resolution)
	if got.Edit != nil || got.NotEdited != "the lines of a Secret are not shown" || got.Uneditable() != "" {
		t.Errorf("got %+v", got)
	}
}
