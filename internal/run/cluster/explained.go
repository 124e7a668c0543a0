package cluster

import (
	"context"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/proof"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Explained is the answer that a server gave to a write of another program, with all that is
// said of it. That server is not asked again; fixes are followed in memory, as those of answers that
// are simulated.
func (a *Answering) Explained(ctx context.Context, p Pair, w engine.Write, given api.Response) report.Result {
	r := a.advised(ctx, w, w, engine.Explain(ctx, a.served.Server, w, given))
	r.Risks = a.risks(ctx, w)(r)
	r.Refusals = a.refusals(ctx)(w, r)
	r.Findings = a.provenFindings(ctx, p, w, r)
	return r
}

// provenFindings are all that is said of an answer, with fixes that hold.
func (a *Answering) provenFindings(ctx context.Context, p Pair, w engine.Write, r report.Result) []report.Finding {
	return findings.Commanded(r, conflict.Behind(r, a.proven(ctx, p, w, r)), a.call, a.several)
}

// ExplainedAll is what several writes come to: w is the last of them on the live object before the
// first, last the same on the live object that it had, r its result, and left the object afterwards.
// What the writes did together cannot be asked again: only fixes of a conflict of the last one are
// followed, and others are not advised. Where r says that the object was re-created, the writes before the
// last deleted it.
func (a *Answering) ExplainedAll(
	ctx context.Context,
	p Pair,
	w, last engine.Write,
	r report.Result,
	left map[string]any,
) report.Result {
	if r = engine.Between(ctx, a.served.Server, w, r, left); r.Recreated {
		r = engine.Recreated(ctx, a.served.Server, w, r, left)
	}
	r.Target, r.Risks = w.Target(), a.risks(ctx, w)(r)
	if r.Outcome == report.Conflicted {
		r.Findings = a.provenFindings(ctx, p, last, r)
	} else {
		r.Findings = proof.Unfollowed(a.Findings(r))
	}
	return r
}
