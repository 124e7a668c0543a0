package cluster

import (
	"context"
	"sync"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/settle"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// lasts adds to an accepted answer whether it lasts, for which the client has sent so many
// requests. It is asked where findings are shown, of applies and updates.
func (a *Answering) lasts(ctx context.Context, w engine.Write, requests int, r *report.Result) {
	asked := w.Verb == api.Apply || w.Verb == api.Update
	shown := a.Advice == AdviceAll || a.Advice == adviceFindings
	if a.rounds <= 0 || !asked || w.DryRun || w.Name == "" || !shown || r.Outcome.Refused() {
		return
	}
	one := settle.Write{
		Server: a.served.Server, Asked: w, Result: *r, Send: a.sendingAgain(w), Requests: requests, Claims: a.Claims,
		Trackers: a.sender.settings().trackers, Own: a.sender.own(), Enforced: a.enforced,
		Roles: a.roles, Rounds: a.rounds,
	}
	type lasting struct {
		settles *report.Settles
		again   *report.Again
	}
	l := guard.Or(func() lasting {
		settles, again := settle.Lasts(ctx, one)
		return lasting{settles, again}
	}, func(error) lasting { return lasting{} })
	r.Settles = l.settles
	r.Risks = risk.Placed(risk.Lasting(r.Risks, *r, l.settles, l.again), w, a.served.shapeOf(w.Kind))
}

// stays adds to an accepted answer what the live object keeps though the manifest lacks it.
func (a *Answering) stays(ctx context.Context, w engine.Write, r *report.Result) {
	if w.Verb != api.Apply || w.Subresource != "" || w.Name == "" || a.Advice == AdviceNone || r.Outcome.Refused() {
		return
	}
	created := sync.OnceValue(func() map[string]any {
		w := w.On(nil)
		w.Detail, w.Lines = engine.DetailOutcome, nil
		return engine.Simulate(ctx, a.served.Server, w).Object
	})
	shape := a.served.shapeOf(w.Kind)
	kept := guard.Or(
		func() []report.Finding { return risk.Keeps(*r, w, shape, created) },
		func(error) []report.Finding { return nil },
	)
	r.Risks = append(r.Risks, kept...)
}

// Lasts adds to the accepted answer to one request what lasts does.
func (a *Answering) Lasts(ctx context.Context, w engine.Write, r *report.Result) {
	a.lasts(ctx, w, 1, r)
}

// Lasting are the findings on a manifest with those that its write, sent as the client sends it,
// does not last: next to the live object, where the write has one.
func (a *Answering) Lasting(ctx context.Context, w engine.Write, found []report.Finding) []report.Finding {
	requests := 1
	var r report.Result
	if a.sender.Sends(w) {
		w.Force = w.Force || a.sender.Client.Force
		run := a.sender.Client.Send(ctx, a.served.Server, w)
		r, requests = run.Whole(), len(run.Steps)
	} else {
		r = engine.Simulate(ctx, a.served.Server, w)
	}
	r.Risks = found
	a.lasts(ctx, w, requests, &r)
	return r.Risks
}

// sendingAgain sends a write once more, as the client that has sent it.
func (a *Answering) sendingAgain(w engine.Write) ownership.Send {
	if !a.sender.Sends(w) {
		return engine.Simulate
	}
	next := a.sender.Client.After(w)
	return next.Simulate
}

// own is the Application or Kustomization that the client goes by; zero for none.
func (s *Sender) own() writers.Tracker {
	if s.Client == nil {
		return writers.Tracker{}
	}
	return writers.Tracker{Kind: s.Client.Setting.Kind, Namespace: s.Client.Setting.Namespace, Name: s.Client.Setting.Name}
}
