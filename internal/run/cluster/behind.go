package cluster

import (
	"context"
	"slices"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
	"github.com/ssactl/ssactl/internal/report"
)

// behind says of a conflict why the server rejects the write with force too. What is advised about
// the conflict is then about the write once that is mended, which it gives; else the write itself.
func (a *Answering) behind(ctx context.Context, w engine.Write, r *report.Result) engine.Write {
	if a.Advice == AdviceNone || r.Outcome != report.Conflicted || r.Forced == nil || r.Forced.Outcome != report.Invalid {
		return w
	}
	forced := *r.Forced
	refusals, mended, accepted := a.mending(ctx, w)
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

// mostMended is how many reasons for a refusal are mended one after the other.
const mostMended = 3

// Mended is a write that the server rejects with force too as it is once that is mended; false, with the
// write itself, where no way to mend it is known.
func (a *Answering) Mended(ctx context.Context, w engine.Write) (engine.Write, bool) {
	_, mended, accepted := a.mending(ctx, w)
	return mended, accepted
}

// mending is why the server rejects a write with force, and the write once the first ways to have it
// accepted were gone; false, with the write itself, where it is not accepted then.
func (a *Answering) mending(ctx context.Context, w engine.Write) ([]report.Refusal, engine.Write, bool) {
	var all []report.Refusal
	mended := w
	for round := range mostMended + 1 {
		mended.Force = true
		asked := engine.Simulate(ctx, a.served.Server, mended)
		if !asked.Outcome.Refused() {
			mended.Force = w.Force
			return all, mended, round > 0
		}
		list := refusal.Explain(ctx, a.served.Server, mended, asked, engine.Simulate)
		if round == 0 {
			all = list
		}
		next, ok := refusal.Mended(mended, list)
		if !ok {
			break
		}
		mended = next
	}
	return all, w, false
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
