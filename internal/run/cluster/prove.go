package cluster

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/ownership/proof"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// proven are the findings on an answer to an apply, with fixes that were followed.
func (a *Answering) proven(ctx context.Context, p Pair, w engine.Write, r report.Result) []report.Finding {
	list := findings.Listed(r)
	if w.Verb != api.Apply || r.Live == nil || r.Outcome == report.Failed ||
		a.Advice == AdviceNone || a.Advice == AdviceOnConflicts && r.Outcome != report.Conflicted {
		return list
	}
	lasting := slices.ContainsFunc(list, risk.IsLasting)
	prover := proof.Prover{
		Write: w, Shape: a.served.shapeOf(w.Kind), Causes: &a.causes, List: p.Document.Around(), Item: p.Document.Item,
		Forces:  a.sender.Sends(w) && a.sender.Client.Force,
		Ask:     func(again engine.Write) report.Result { return a.again(ctx, p, again, lasting) },
		Creates: func(again engine.Write) []string { return a.creations.Lacking(ctx, a.served.Server, again) },
	}
	return guard.Or(func() []report.Finding { return prover.Prove(r, list) }, func(error) []report.Finding { return list })
}

// again is the answer to a write once a fix was followed, with what is found on it; lasting
// says whether that it lasts is asked too.
func (a *Answering) again(ctx context.Context, p Pair, w engine.Write, lasting bool) report.Result {
	w.Detail, w.Lines = engine.DetailAll, nil
	var r report.Result
	requests := 1
	switch c := a.sender.Client; {
	case !a.sender.Sends(w):
		r = engine.Simulate(ctx, a.served.Server, w)
		r.Risks = a.risks(ctx, w)(r)
	case w.Force && !c.Force && !c.ClientSide:
		// As its own option to force has it send the request that conflicts.
		sent := c.Send(ctx, a.served.Server, w).Sent
		sent.Force = true
		r = engine.Simulate(ctx, a.served.Server, sent)
		r.Risks = a.risks(ctx, sent)(r)
	default:
		run := c.Send(ctx, a.served.Server, w)
		r = run.Whole()
		r.Risks, requests = a.runRisks(ctx, w, run, r), len(run.Steps)
	}
	if lasting {
		a.lasts(ctx, w, requests, &r)
	}
	r.Notices = append(r.Notices, a.together.notices(p, r)...)
	r.Findings = findings.Listed(r)
	return r
}

// behind says of a conflict why the server rejects the write with force too. What is advised about
// the conflict is then about the write once that is mended, which it gives; else the write itself.
func (a *Answering) behind(ctx context.Context, w engine.Write, r *report.Result) engine.Write {
	if a.Advice == AdviceNone || r.Outcome != report.Conflicted || r.Forced == nil || r.Forced.Outcome != report.Invalid {
		return w
	}
	forced := *r.Forced
	refusals, mended, accepted := refusal.Mending(ctx, a.served.Server, w)
	for i := range refusals {
		// The conflict is left.
		refusals[i].Partly = true
	}
	forced.Refusals, r.Forced = refusals, &forced
	if !accepted {
		return w
	}
	advised := a.contested(ctx, mended)
	if advised.Outcome != report.Conflicted || advised.Contested == nil {
		return w
	}
	r.Contested, r.InClient = slices.Clone(r.Contested), advised.InClient
	for i, f := range r.Contested {
		// What has to be mended may be a conflict too, which the mended write does not have.
		if at := slices.IndexFunc(advised.Contested, func(m report.Finding) bool { return m.Field == f.Field }); at >= 0 {
			r.Contested[i] = advised.Contested[at]
		}
	}
	return mended
}

// contested is the answer to an apply as the client sends it, with what is advised about its conflicts.
func (a *Answering) contested(ctx context.Context, w engine.Write) report.Result {
	if !a.sender.Sends(w) {
		return a.advised(ctx, w, w, engine.Simulate(ctx, a.served.Server, w))
	}
	run := a.sender.Client.Send(ctx, a.served.Server, w)
	r := run.Whole()
	if len(run.Steps) > 1 {
		r = run.Verdict()
	}
	return a.advised(ctx, w, run.Sent, r)
}
