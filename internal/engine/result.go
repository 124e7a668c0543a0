package engine

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// brief is the result of a write that changes nothing: nothing has to be worked out,
// but whether the object is being deleted.
func (s *simulation) brief(a answer) report.Result {
	r := blank(s.write)
	r.Outcome, r.Code, r.Object, r.Derived, r.Others = a.outcome, a.Code, a.stored, a.Derived, a.Others
	r.Warnings = append(r.Warnings, a.Warnings...)
	r.Notices = s.write.deleting(a)
	r.Confidence = s.confidence(a)
	r.Changes, r.Ownership, r.Transfers = nil, nil, nil
	if s.write.Detail == DetailAll {
		r.Changes, r.Ownership, r.Transfers = []report.Change{}, report.OwnersOf(
			managedfields.Of(a.stored),
		), []report.Transfer{}
	}
	return r
}

// explain is the result of a write that changes something, or is refused.
func (s *simulation) explain(a answer) report.Result {
	r := blank(s.write)
	r.Outcome = a.outcome
	r.Code = a.Code
	r.Status = a.status
	r.Object = a.stored
	if a.Deleted && s.write.Verb != api.Delete {
		// The last write to an object that waited for its finalizers: the
		// server still answers with it. An eviction it answers with a Status.
		if last, err := jsontree.Decode(a.Body); err == nil && s.write.isOfKind(last) {
			r.Object = last
		}
	}
	r.Deleted = a.Deleted
	r.Derived = a.Derived
	r.Others = a.Others
	r.Warnings = append(r.Warnings, a.Warnings...)
	r.Notices = s.notices(a)
	r.Confidence = s.confidence(a)
	r.Causes = s.causes(a)
	r.Conflicts = s.conflicts(a)
	leaves := s.leaves(a)
	r.Changes = s.intent.reasons(leaves, a)
	r.Ownership = s.ownership(a)
	if a.stored != nil {
		r.Transfers = s.transfers(a.stored, s.write.Force)
	}
	if s.write.Lines == nil || s.write.Lines(r) {
		s.locate(r.Changes, leaves)
	}
	r.Changes = concealed(r.Changes, a.Derived)
	return r
}

// owners are those of what the write makes of the live object.
func (s *simulation) owners(stored map[string]any) managedfields.Owners {
	return s.liveOwners().After(s.write.LiveObject, stored)
}

// ownership reports every owned path, where that is wanted: of the live object for a
// refusal, of none once the object is gone.
func (s *simulation) ownership(a answer) []report.FieldOwners {
	switch {
	case s.write.Detail != DetailAll:
		return nil
	case a.outcome.Refused():
		return report.OwnersOf(s.liveOwners())
	case a.stored == nil:
		return report.OwnersOf(managedfields.Owners{})
	}
	return report.OwnersOf(s.owners(a.stored))
}

// force adds the what-if run with force of an apply that conflicts, where the server
// gives an answer to it.
func (s *simulation) force(r *report.Result) {
	a, err := s.ask(true)
	if err != nil {
		return
	}
	f := &report.Forced{
		Outcome: a.outcome,
		Code:    a.Code,
		Status:  a.status,
		Causes:  s.causes(a),
		Object:  a.stored,
		Changes: s.changes(a),
	}
	if a.stored != nil {
		f.Transfers = s.transfers(a.stored, true)
	}
	r.Forced, r.Derived = f, a.Derived
}

func blank(w Write) report.Result {
	return report.Result{
		Target:     w.Target(),
		Source:     w.Source,
		Operation:  w.operation(),
		Manager:    w.manager(),
		Force:      w.Force,
		Live:       w.LiveObject,
		LiveSource: w.LiveSource,
		Warnings:   []string{},
		Conflicts:  []report.Conflict{},
		Changes:    []report.Change{},
		Ownership:  []report.FieldOwners{},
		Transfers:  []report.Transfer{},
		Derived:    Hidden(w.Derived, nil),
		Confidence: report.Confidence{Level: report.Partial},
	}
}

// failure is the Result where the server gave no answer, or none that may be believed.
func (s *simulation) failure(err error) report.Result {
	r := Failure(s.write, err)
	r.Confidence = s.confidence(answer{})
	r.Confidence.Level = report.Partial
	return r
}

// Failure is the Result where no answer could be given: the write could not
// even be asked for, or asking failed.
func Failure(w Write, err error) report.Result {
	r := blank(w)
	r.Outcome = report.Failed
	r.Error = err.Error()
	r.Confidence.Reasons, r.Confidence.Notes = w.Caveats, report.Sentences(w.Caveats)
	return r
}

// Between explains the object that several requests leave; w says what they ask for. It
// reports the changes, owners and transfers from the live object of w, and takes the rest
// from r.
func Between(ctx context.Context, server api.Server, w Write, r report.Result, left map[string]any) report.Result {
	return guard.Or(
		func() report.Result { return between(ctx, server, w, r, left) },
		func(err error) report.Result { return Failure(w, err) },
	)
}

func between(ctx context.Context, server api.Server, w Write, r report.Result, left map[string]any) report.Result {
	s, err := newSimulation(ctx, server, w)
	if err != nil {
		return Failure(w, err)
	}
	s.prepare()
	a := answer{Response: api.Response{Code: r.Code, Derived: r.Derived}, stored: left}
	a.outcome = acceptance(s.live, left)
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

// Recreated is the result of requests that delete the object and create it again; out is what Between
// says of them. The new one has no owners before: its fields are acquired, and taken from none.
func Recreated(ctx context.Context, server api.Server, w Write, out report.Result, left map[string]any) report.Result {
	out.Recreated = true
	if !out.Outcome.Refused() {
		out.Outcome = report.Configured
	}
	metadata, _ := out.Live["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
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
	out.Transfers = Between(ctx, server, w, out, left).Transfers
	return out
}

// Unsent is the result of a write that a client does not send: the live object stays as
// it is.
func Unsent(w Write) report.Result {
	r := blank(w)
	if r.Live == nil && w.Live != nil {
		r.Live, _ = jsontree.Decode(w.Live)
	}
	r.Outcome, r.Code, r.Object = report.Unchanged, http.StatusOK, r.Live
	r.Ownership = report.OwnersOf(managedfields.Of(r.Live))
	r.Confidence = report.ConfidenceOf(w.Caveats)
	return r
}

// Stopped is the result of a write that a client refuses to send, in its words.
func Stopped(w Write, message string) report.Result {
	r := blank(w)
	r.Outcome, r.Confidence = report.Invalid, report.ConfidenceOf(w.Caveats)
	r.Status = &report.Status{Message: message, Raw: map[string]any{
		"apiVersion": "v1", "kind": "Status", "status": metav1.StatusFailure, "message": message,
	}}
	return r
}
