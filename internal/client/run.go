package client

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Request is what a request of a client is for.
type Request string

// The requests.
const (
	// Apply is the manifest.
	Apply Request = "Apply"
	// DryRun is the manifest as a dry run.
	DryRun Request = "DryRun"
	// KeepAnnotation keeps the last-applied annotation.
	KeepAnnotation Request = "KeepAnnotation"
	// MoveEntries moves client-side entries to the manager.
	MoveEntries Request = "MoveEntries"
	// ApplyAgain is the manifest, once more.
	ApplyAgain Request = "ApplyAgain"
	// Create creates an object that is absent.
	Create Request = "Create"
	// Patch is what a client works out of the manifest, the one before and the live
	// object.
	Patch Request = "Patch"
	// Replace is the manifest as the whole object.
	Replace Request = "Replace"
	// Delete deletes the object.
	Delete Request = "Delete"
)

// Step is one request with its result.
type Step struct {
	Request Request
	Result  report.Result
	// Warned: where the server refuses it, the client warns, and succeeds.
	Warned bool
}

// Run is what a client sends for one object, each request simulated on the object that
// the one before leaves.
type Run struct {
	Steps []Step
	// verdict is the result by which the client succeeds or fails.
	whole, verdict report.Result
	// Sent is the write of the client's own: the manifest as it sends it, on the object
	// as it is then.
	Sent engine.Write
}

// Once is a run of one request.
func Once(r report.Result) Run { return Run{Steps: []Step{{Request: Apply, Result: r}}, whole: r} }

// First is the answer to the first request, by which kubectl succeeds or fails.
func (r Run) First() report.Result { return r.Steps[0].Result }

// Whole is the run as one result: the verdict of the client, with the object that it
// leaves and all changes up to it.
func (r Run) Whole() report.Result { return r.whole }

// Verdict is the result of the request by which the client succeeds or fails.
func (r Run) Verdict() report.Result { return r.verdict }

// Object is what the requests leave; nil where there is none.
func (r Run) Object() map[string]any { return r.whole.Object }

// Moved are the managers of the entries that the client moves, sorted; nil without.
func (r Run) Moved() []string {
	var out []string
	for _, role := range moved(r.Steps) {
		out = append(out, role.Manager)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Refused is the request after the first that the server refuses; false without.
func (r Run) Refused() (Step, bool) {
	last := r.Steps[len(r.Steps)-1]
	return last, len(r.Steps) > 1 && last.Result.Outcome.Refused()
}

// Loss is a field that a request after the first removes or changes.
type Loss struct {
	report.Change
	// Owners are the managers that owned it, sorted.
	Owners []string
	// Dropped: the manifest of the last client-side apply had it, or a part of it.
	Dropped bool
}

// Losses are what requests after the first do to values, sorted by field.
func (r Run) Losses() []Loss {
	var out []Loss
	for _, step := range r.Steps[1:] {
		for _, c := range step.Result.Changes {
			if c.Field != ".metadata.generation" && c.Field != ".metadata.annotations."+LastApplied && c.Kind != report.Added {
				out = append(out, Loss{Change: c})
			}
		}
	}
	if out == nil {
		return nil
	}
	owned := managedfields.Of(r.First().Live).Paths()
	applied := decoded(lastApplied(r.First().Live))
	for i := range out {
		out[i].Owners = ownersOf(owned, out[i].Field)
		out[i].Dropped = slices.ContainsFunc(owned, func(o managedfields.Owned) bool {
			return managedfields.Within(o.Field, out[i].Field) && len(located(o.Path, applied)) > 0
		})
	}
	return out
}

// ownersOf are the managers of a field, or of what is in it.
func ownersOf(owned []managedfields.Owned, field string) []string {
	var out []string
	for _, o := range owned {
		if !managedfields.Within(o.Field, field) {
			continue
		}
		for _, e := range o.By {
			out = append(out, e.Manager)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Loses reports whether a request after the first takes a field, or a part of it.
func (r Run) Loses(field string) bool {
	return slices.ContainsFunc(r.Losses(), func(l Loss) bool {
		return managedfields.Within(l.Field, field) || managedfields.Within(field, l.Field)
	})
}

// sequence sends the requests of a run.
type sequence struct {
	ctx    context.Context
	server api.Server
	// write is what is asked of the client, on the live object as it is before.
	write engine.Write
	steps []Step
	sent  engine.Write
	// until is the request that is not sent any more; empty where all are.
	until Request
	// notices are what there is to say of the manifest as it is sent.
	notices []string
	// touched: an accepted request has left an object, or none.
	touched bool
	left    map[string]any
	// omitted are the settings by which something is not sent.
	omitted []omission
}

// on is a write on the object that the run has come to.
func (r *sequence) on(w engine.Write) engine.Write {
	if r.touched {
		return w.On(r.left)
	}
	w.Live, w.LiveObject = r.write.Live, r.write.LiveObject
	return w
}

// send simulates a request on the object that the run has come to, and reports
// whether the server accepts it.
func (r *sequence) send(request Request, w engine.Write) bool {
	w = r.on(w)
	if request != MoveEntries {
		r.sent = w
	}
	return r.take(Step{Request: request, Result: engine.Simulate(r.ctx, r.server, w)})
}

// try is send of a request without which the client goes on.
func (r *sequence) try(request Request, w engine.Write) bool {
	return r.take(Step{Request: request, Result: engine.Simulate(r.ctx, r.server, r.on(w)), Warned: true})
}

// take takes a step that was simulated.
func (r *sequence) take(step Step) bool {
	r.steps = append(r.steps, step)
	if step.Result.Outcome.Refused() {
		return false
	}
	if step.Request != DryRun {
		r.touched, r.left = true, step.Result.Object
		if step.Result.Deleted {
			r.left = nil
		}
	}
	return true
}

// object is what the run has come to; nil for none.
func (r *sequence) object() map[string]any {
	if r.touched {
		return r.left
	}
	if r.write.LiveObject == nil && r.write.Live != nil {
		r.write.LiveObject = decoded(r.write.Live)
	}
	return r.write.LiveObject
}

// run is the end of the sequence.
func (r *sequence) run() Run {
	run := Run{Steps: r.steps, Sent: r.sent}
	switch n := len(r.steps); {
	case n == 0:
		run.whole = engine.Unsent(r.on(r.write))
	case n == 1 && r.steps[0].Request != DryRun:
		run.whole = r.steps[0].Result
	default:
		run.verdict = r.verdict()
		run.whole = r.whole(run.verdict)
	}
	ours := func(s Step) bool {
		return s.Result.Manager == r.write.Manager || s.Request == MoveEntries && s.Result.Outcome.Refused()
	}
	if run.whole.Manager != r.write.Manager && slices.ContainsFunc(r.steps, ours) {
		// The request that decides is one around the apply, as another manager.
		run.whole.Manager, run.whole.Force = r.write.Manager, r.write.Force
	}
	return run
}

// verdict is the result by which the client succeeds or fails: that of the request
// which is refused, else of the last one that is more than a consequence.
func (r *sequence) verdict() report.Result {
	var out report.Result
	for _, step := range r.steps {
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
func (r *sequence) whole(verdict report.Result) report.Result {
	before := r.object()
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
		if verdict.Live, verdict.LiveSource = liveOf(r.write), r.write.LiveSource; verdict.Live == nil {
			// What the run itself created is gone again.
			verdict.Changes, verdict.Transfers = []report.Change{}, []report.Transfer{}
		}
		return verdict
	}
	out := engine.Between(r.ctx, r.server, w, verdict, before)
	if r.recreates() {
		return r.recreated(w, out, before)
	}
	r.giveReasons(out.Changes)
	out.Transfers = withMoves(out.Transfers, moved(r.steps), out.Manager)
	return out
}

// recreates reports whether the object that the run leaves is not the live one: a request
// before it deleted that.
func (r *sequence) recreates() bool {
	return (r.write.Live != nil || r.write.LiveObject != nil) && r.left != nil &&
		slices.ContainsFunc(r.steps, func(s Step) bool { return s.Result.Deleted && !s.Result.Outcome.Refused() })
}

// recreated is the result of a run that deletes the object and creates it again. The new
// one is nobody's before: its fields are acquired, and taken from none.
func (r *sequence) recreated(w engine.Write, out report.Result, left map[string]any) report.Result {
	out.Recreated = true
	if !out.Outcome.Refused() {
		out.Outcome = report.Configured
	}
	uid := text(out.Live, "metadata", "uid")
	out.Changes = slices.DeleteFunc(out.Changes, func(c report.Change) bool {
		// A Job has the uid in labels: the new one gets another by itself.
		return uid != "" && c.Reason != report.ReasonApplied && strings.Contains(fmt.Sprint(c.Before), uid)
	})
	for i, c := range out.Changes {
		if c.Kind == report.Removed || c.Reason == report.ReasonStrategy || c.Reason == report.ReasonUnowned {
			out.Changes[i].Reason, out.Changes[i].Detail = report.ReasonRecreated, ""
		}
	}
	w.Live, w.LiveObject, w.LiveSource = nil, nil, nil
	out.Transfers = engine.Between(r.ctx, r.server, w, out, left).Transfers
	return out
}

// giveReasons gives changes the reasons that the request has by which they came: before
// entries moved, another manager owned what the manifest lacks.
func (r *sequence) giveReasons(changes []report.Change) {
	reasons := map[string]report.Reason{}
	for _, step := range r.steps {
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

// last is the result of the last request.
func (r *sequence) last() report.Result {
	if len(r.steps) == 0 {
		return report.Result{}
	}
	return r.steps[len(r.steps)-1].Result
}

// retry takes back that the last refusal decides: the client goes on from it.
func (r *sequence) retry() {
	for i := range r.steps {
		r.steps[i].Warned = true
	}
}

// delete deletes the object; false where it is refused, or something keeps the object.
func (r *sequence) delete(w engine.Write, propagation string) bool {
	if !r.sendDelete(w, propagation) {
		return false
	}
	if r.left != nil {
		return r.stop(Delete, w, "the object is not deleted before its finalizers are removed")
	}
	return true
}

// sendDelete sends the delete of the object.
func (r *sequence) sendDelete(w engine.Write, propagation string) bool {
	w.Verb, w.Force, w.PropagationPolicy, w.FieldValidation = api.Delete, false, propagation, ""
	return r.send(Delete, w.WithBody(nil, nil))
}

// mayRecreate reports whether a refusal is one for which clients that may recreate an
// object do so: a conflict, or an object that is invalid.
func mayRecreate(r report.Result) bool {
	return r.Code == http.StatusConflict || r.Code == http.StatusUnprocessableEntity
}
