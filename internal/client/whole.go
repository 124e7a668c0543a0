package client

import (
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
)

// run is the end of the sequence.
func (r *Sequence) run() Run {
	run := Run{Steps: r.Steps, Sent: r.sent}
	switch n := len(r.Steps); {
	case n == 0:
		run.whole = engine.Unsent(r.On(r.write))
	case n == 1 && r.Steps[0].Request != DryRun:
		run.whole = r.Steps[0].Result
	default:
		run.verdict = r.verdict()
		run.whole = r.whole(run.verdict)
	}
	ours := func(s Step) bool {
		return s.Result.Manager == r.write.Manager || s.Request == MoveEntries && s.Result.Outcome.Refused()
	}
	if run.whole.Manager != r.write.Manager && slices.ContainsFunc(r.Steps, ours) {
		// The request that decides is one around the apply, as another manager.
		run.whole.Manager, run.whole.Force = r.write.Manager, r.write.Force
	}
	return run
}

// verdict is the result by which the client succeeds or fails: that of the request
// which is refused, else of the last one that is more than a consequence.
func (r *Sequence) verdict() report.Result {
	var out report.Result
	for _, step := range r.Steps {
		if step.Warned || step.Request == MoveEntries && !step.Result.Outcome.Refused() {
			continue
		}
		if out = step.Result; out.Outcome.Refused() {
			return out
		}
	}
	return out
}

// whole is a result of the run with the object that it leaves.
func (r *Sequence) whole(verdict report.Result) report.Result {
	before := r.Object()
	w := r.sent
	w.Live, w.LiveObject, w.LiveSource = r.write.Live, r.write.LiveObject, r.write.LiveSource
	switch {
	case verdict.Outcome.Refused() && !r.touched:
		verdict.Object = nil
		return verdict
	case !r.touched:
		return engine.Unsent(w)
	case r.left == nil:
		if verdict.Operation != report.Delete {
			verdict.Notices = append(
				verdict.Notices,
				"the client deletes the object before this request, and does not create it again",
			)
		}
		if !verdict.Outcome.Refused() {
			verdict.Outcome = report.Configured
		}
		verdict.Deleted, verdict.Object = true, nil
		if verdict.Live, verdict.LiveSource = Live(r.write), r.write.LiveSource; verdict.Live == nil {
			// What the run itself created is gone again.
			verdict.Changes, verdict.Transfers = []report.Change{}, []report.Transfer{}
		}
		return verdict
	}
	out := engine.Between(r.Ctx, r.Server, w, verdict, before)
	if r.recreates() {
		return engine.Recreated(r.Ctx, r.Server, w, out, before)
	}
	r.giveReasons(out.Changes)
	out.Transfers = withMoves(out.Transfers, moved(r.Steps), out.Manager)
	return out
}

// recreates reports whether the object that the run leaves is not the live one: a request
// before it deleted that.
func (r *Sequence) recreates() bool {
	return (r.write.Live != nil || r.write.LiveObject != nil) && r.left != nil &&
		slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Result.Deleted && !s.Result.Outcome.Refused() })
}

// giveReasons gives changes the reasons that the request has by which they came: before
// entries moved, another manager owned what the manifest lacks.
func (r *Sequence) giveReasons(changes []report.Change) {
	reasons := map[string]report.Reason{}
	for _, step := range r.Steps {
		for _, c := range step.Result.Changes {
			reasons[c.Field] = c.Reason
		}
	}
	for i, c := range changes {
		if reason := reasons[c.Field]; c.Reason == report.ReasonStrategy && reason != "" {
			changes[i].Reason = reason
		}
	}
}

// withMoves are transfers in which an entry that was moved is not overridden: it is given
// up, or, where it was the manager's own, nothing happens.
func withMoves(transfers []report.Transfer, moved []managedfields.Role, manager string) []report.Transfer {
	own := map[string]bool{}
	for i, t := range transfers {
		role := managedfields.Role{Manager: t.Manager, Operation: t.Operation, Subresource: t.Subresource}
		if !slices.Contains(moved, role) {
			continue
		}
		if t.Kind == report.Overridden {
			transfers[i].Kind, transfers[i].Cause = report.Relinquished, ""
		}
		if t.Manager == manager && transfers[i].Kind == report.Relinquished {
			own[t.Field] = true
		}
	}
	return slices.DeleteFunc(transfers, func(t report.Transfer) bool {
		return t.Manager == manager && own[t.Field] && t.Kind != report.TransferRemoved
	})
}

// moved are the roles whose entries the client moves to its own.
func moved(steps []Step) []managedfields.Role {
	var out []managedfields.Role
	for _, step := range steps {
		if step.Request != MoveEntries || step.Result.Outcome.Refused() {
			continue
		}
		left := managedfields.Listed(step.Result.Object)
		for _, role := range managedfields.Listed(step.Result.Live) {
			if !slices.Contains(left, role) {
				out = append(out, role)
			}
		}
	}
	return out
}
