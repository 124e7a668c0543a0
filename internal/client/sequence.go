package client

import (
	"context"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Sequence sends the requests of a run, each on the object that the one before leaves.
type Sequence struct {
	// Ctx bounds the simulation, which Server answers.
	Ctx    context.Context
	Server api.Server
	// write is what is asked of the client, on the live object as it is before.
	write engine.Write
	// Steps are the requests so far, in their order, with what they came to.
	Steps []Step
	// sent is the write of the client's own that came last.
	sent engine.Write
	// Until is the request that is not sent any more; empty where all are.
	Until Request
	// notices are what there is to say of the manifest as it is sent.
	notices []string
	// touched: an accepted request has left an object, or none.
	touched bool
	left    map[string]any
	// omitted are the settings by which something is not sent.
	omitted []Omission
}

// NewSequence sends nothing yet for a write.
func NewSequence(ctx context.Context, server api.Server, w engine.Write) *Sequence {
	return &Sequence{Ctx: ctx, Server: server, write: w, sent: w}
}

// Note says something of the manifest as it is sent.
func (r *Sequence) Note(notices ...string) { r.notices = append(r.notices, notices...) }

// MovesEntries reports whether the run moves entries.
func (r *Sequence) MovesEntries() bool {
	return slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Request == MoveEntries })
}

// On is a write on the object that the run has come to.
func (r *Sequence) On(w engine.Write) engine.Write {
	if r.touched {
		return w.On(r.left)
	}
	w.Live, w.LiveObject = r.write.Live, r.write.LiveObject
	return w
}

// Send simulates a request on the object that the run has come to, and reports
// whether the server accepts it.
func (r *Sequence) Send(request Request, w engine.Write) bool {
	w = r.On(w)
	if request != MoveEntries {
		r.sent = w
	}
	return r.take(Step{Request: request, Result: engine.Simulate(r.Ctx, r.Server, w)})
}

// Try is send of a request without which the client goes on.
func (r *Sequence) Try(request Request, w engine.Write) bool {
	return r.take(Step{Request: request, Result: engine.Simulate(r.Ctx, r.Server, r.On(w)), Warned: true})
}

// take takes a step that was simulated.
func (r *Sequence) take(step Step) bool {
	r.Steps = append(r.Steps, step)
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

// Object is what the run has come to; nil for none.
func (r *Sequence) Object() map[string]any {
	if r.touched {
		return r.left
	}
	if r.write.LiveObject == nil && r.write.Live != nil {
		r.write.LiveObject = objects.Decode(r.write.Live)
	}
	return r.write.LiveObject
}

// Last is the result of the last request.
func (r *Sequence) Last() report.Result {
	if len(r.Steps) == 0 {
		return report.Result{}
	}
	return r.Steps[len(r.Steps)-1].Result
}

// Retry takes back that the last refusal decides: the client goes on from it.
func (r *Sequence) Retry() {
	for i := range r.Steps {
		r.Steps[i].Warned = true
	}
}

// Delete deletes the object; false where it is refused, or something keeps the object.
func (r *Sequence) Delete(w engine.Write, propagation string) bool {
	if !r.SendDelete(w, propagation) {
		return false
	}
	if r.left != nil {
		return r.Stop(Delete, w, "the object is not deleted before its finalizers are removed")
	}
	return true
}

// SendDelete sends the delete of the object.
func (r *Sequence) SendDelete(w engine.Write, propagation string) bool {
	w.Verb, w.Force, w.PropagationPolicy, w.FieldValidation = api.Delete, false, propagation, ""
	return r.Send(Delete, w.WithBody(nil, nil))
}

// MayRecreate reports whether a refusal is one for which clients that may recreate an
// object do so: a conflict, or an object that is invalid.
func MayRecreate(r report.Result) bool {
	return r.Code == http.StatusConflict || r.Code == http.StatusUnprocessableEntity
}

// Stop ends with what the client does not send.
func (r *Sequence) Stop(request Request, w engine.Write, message string) bool {
	return r.take(Step{Request: request, Result: engine.Stopped(r.On(w), message)})
}

// fail ends with a request that has no answer.
func (r *Sequence) fail(request Request, w engine.Write, err error) bool {
	return r.take(Step{Request: request, Result: engine.Failure(r.On(w), err)})
}

// Create sends a POST of an object, without the resourceVersion that it may have.
func (r *Sequence) Create(w engine.Write, object map[string]any) bool {
	unstructured.RemoveNestedField(object, "metadata", "resourceVersion")
	return r.Send(Create, AsCreate(w, object))
}
