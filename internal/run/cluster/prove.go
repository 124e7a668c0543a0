package cluster

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/guard"
	"github.com/ssactl/ssactl/internal/ownership/proof"
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
		Write: w, Shape: a.served.shapeOf(w.Kind), Causes: &a.causes,
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
