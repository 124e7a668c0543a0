package client

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/applies"
)

// TestVerdict is the result by which a client succeeds or fails.
func TestVerdict(t *testing.T) {
	step := func(request Request, outcome report.Outcome, warned bool) Step {
		return Step{Request: request, Result: report.Result{Outcome: outcome, Manager: string(request)}, Warned: warned}
	}
	for _, test := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"the last", []Step{step(DryRun, report.Configured, false), step(Apply, report.Configured, false)}, "Apply Configured"},
		{"the first that is refused", []Step{step(DryRun, report.Invalid, false), step(Apply, report.Conflicted, false)}, "DryRun Invalid"},
		{"not one about which the client only warns", []Step{step(Apply, report.Configured, false), step(KeepAnnotation, report.Invalid, true)}, "Apply Configured"},
		{"not the move of entries", []Step{step(Apply, report.Created, false), step(MoveEntries, report.Configured, false)}, "Apply Created"},
		{"but its refusal", []Step{step(MoveEntries, report.Invalid, false)}, "MoveEntries Invalid"},
	} {
		r := &Sequence{Steps: test.steps}
		if got := r.verdict(); got.Manager+" "+string(got.Outcome) != test.want {
			t.Errorf("%s: %s %s, want %s", test.name, got.Manager, got.Outcome, test.want)
		}
	}
}

// TestWithMoves: what a moved entry owned is given up, not overridden; what was the manager's
// own stays its own.
func TestWithMoves(t *testing.T) {
	helm, edit := managedfields.Role{
		Manager:   "helm",
		Operation: "Update",
	}, managedfields.Role{
		Manager:   "kubectl-edit",
		Operation: "Update",
	}
	transfer := func(field string, role managedfields.Role, kind report.TransferKind) report.Transfer {
		return report.Transfer{Field: field, Manager: role.Manager, Operation: role.Operation, Kind: kind}
	}
	overridden := transfer(".a", edit, report.Overridden)
	overridden.Cause = report.ByUpdate
	got := withMoves([]report.Transfer{
		overridden, transfer(".b", helm, report.Relinquished), transfer(".b", managedfields.Role{Manager: "helm", Operation: "Apply"}, report.Acquired),
		transfer(
			".c",
			managedfields.Role{Manager: "flux", Operation: "Apply"},
			report.Overridden,
		), transfer(".d", helm, report.TransferRemoved),
	}, []managedfields.Role{helm, edit}, "helm")
	want := []report.Transfer{
		transfer(
			".a",
			edit,
			report.Relinquished,
		), transfer(".c", managedfields.Role{Manager: "flux", Operation: "Apply"}, report.Overridden), transfer(".d", helm, report.TransferRemoved),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSequence: each request is simulated on what the one before leaves.
func TestSequence(t *testing.T) {
	c := &Client{Program: about.Kubectl}
	w := applies.Write(t, c.Manager, applies.ConfigMap("a", "", "k: v"), "")
	r := &Sequence{Ctx: t.Context(), Server: applies.Server(), write: w, sent: w}
	if got := r.run().Whole(); got.Outcome != report.Unchanged || got.Object != nil {
		t.Errorf("without a request: %s", got.Outcome)
	}
	tried := w
	tried.DryRun = true
	if !r.Send(DryRun, tried) || r.Object() != nil {
		t.Error("a dry run leaves an object")
	}
	if !r.Send(Apply, w) || objects.Text(r.Object(), "data", "k") != "v" {
		t.Errorf("an apply leaves %v", r.Object())
	}
	if !r.Delete(w, "Background") || r.Object() != nil {
		t.Errorf("a delete leaves %v", r.Object())
	}
	if got := r.run().Whole(); !got.Deleted || got.Object != nil {
		t.Errorf("the whole is %+v", got)
	}
	if r.Send(Create, AsCreate(w, applies.Object(t, applies.ConfigMap("a", "", "refuse: me")))) || r.Object() != nil {
		t.Error("a refused create leaves an object")
	}
	whole := r.run().Whole()
	if len(whole.Notices) != 1 ||
		!strings.HasPrefix(whole.Notices[0], "the client deletes the object before this request") {
		t.Errorf("says %q", whole.Notices)
	}
}

// TestRefusedMove: a run that ends where entries are moved keeps its manager in the answer.
func TestRefusedMove(t *testing.T) {
	c := &Client{Program: about.ArgoCD}
	w := applies.Write(t, c.Manager, applies.ConfigMap("a", "", "k: w"), applies.ConfigMap("a", "", "k: v"))
	w.Force = true
	r := &Sequence{Ctx: t.Context(), Server: applies.Server(), write: w, sent: w}
	other := w
	other.Manager, other.Force = "other", false
	r.Stop(MoveEntries, other, "refused")
	if got := r.run().Whole(); got.Manager != c.Manager || !got.Force {
		t.Errorf("as %s, force %v", got.Manager, got.Force)
	}
}

// TestFinalizers: an object that a finalizer keeps is not created again.
func TestFinalizers(t *testing.T) {
	c := &Client{Program: about.Kubectl}
	w := applies.Write(
		t,
		c.Manager,
		applies.ConfigMap("a", "", "k: w"),
		applies.ConfigMap("a", ", finalizers: [x/y]", "k: v"),
	)
	r := &Sequence{Ctx: t.Context(), Server: applies.Server(), write: w, sent: w}
	if r.Delete(w, "Background") {
		t.Error("the object is gone")
	}
	if got := r.Last().Answer().Message; got != "the object is not deleted before its finalizers are removed" {
		t.Errorf("says %q", got)
	}
}

// TestRecreation: for which refusals clients recreate an object.
func TestRecreation(t *testing.T) {
	for code, want := range map[int]bool{200: false, 403: false, 409: true, 422: true, 500: false} {
		if got := MayRecreate(report.Result{Code: code}); got != want {
			t.Errorf("%d: %v", code, got)
		}
	}
}

// TestSaid is how a client is introduced.
func TestSaid(t *testing.T) {
	for want, c := range map[string]*Client{
		"Helm 3, client-side: nothing conflicts": {Program: about.Helm, Version: "3", ClientSide: true, Force: true},
		"Flux 2, forces":                         {Program: about.Flux, Version: "2", Force: true},
		"kubectl 1.37, does not force":           {Program: about.Kubectl, Version: "1.37"},
	} {
		if got := c.Said(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
