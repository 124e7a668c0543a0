package engine

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Between explains an object that several requests leave, of which w says what they ask
// for: the changes, owners and transfers are those from the live object of w to it.
// What else a result has is r's.
func Between(ctx context.Context, server api.Server, w Write, r report.Result, left map[string]any) report.Result {
	return guard.Or(func() report.Result { return between(ctx, server, w, r, left) }, func(err error) report.Result { return Failure(w, err) })
}

func between(ctx context.Context, server api.Server, w Write, r report.Result, left map[string]any) report.Result {
	s, err := newSimulation(ctx, server, w)
	if err != nil {
		return Failure(w, err)
	}
	s.prepare()
	a := answer{Response: api.Response{Code: r.Code, Derived: r.Derived}, stored: left}
	a.outcome = s.acceptance(left)
	if !r.Outcome.Refused() {
		r.Outcome = a.outcome
	}
	r.Live, r.LiveSource, r.Object = s.write.LiveObject, w.LiveSource, left
	r.Changes, r.Transfers = s.changes(a), s.transfers(left, w.Force)
	if w.Detail == DetailAll {
		r.Ownership = report.OwnersOf(managedfields.Of(left))
	}
	return r
}

// Unsent is the result of a write that a client does not send: the live object stays as
// it is.
func Unsent(w Write) report.Result {
	r := blank(w)
	if r.Live == nil && w.Live != nil {
		r.Live, _ = decodeObject(w.Live)
	}
	r.Outcome, r.Code, r.Object = report.Unchanged, http.StatusOK, r.Live
	r.Ownership = report.OwnersOf(managedfields.Of(r.Live))
	r.Confidence = report.Confidence{Level: report.Exact}
	return r
}

// Stopped is the result of a write that a client refuses to send, in its words.
func Stopped(w Write, message string) report.Result {
	r := blank(w)
	r.Outcome, r.Confidence.Level = report.Invalid, report.Exact
	r.Status = &report.Status{Message: message, Raw: map[string]any{
		"apiVersion": "v1", "kind": "Status", "status": metav1.StatusFailure, "message": message,
	}}
	return r
}
