package cluster

import (
	"context"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Explained is the answer that a server gave to a write of another program, with all that is
// said of it. The server is not asked again.
func (a *Answering) Explained(ctx context.Context, w engine.Write, given api.Response) report.Result {
	r := a.advised(ctx, w, w, engine.Explain(ctx, a.served.Server, w, given))
	r.Risks = a.risks(ctx, w)(r)
	r.Refusals = a.refusals(ctx)(w, r)
	r.Findings = a.Findings(r)
	return r
}

// ExplainedAll is what several writes come to: w is the last of them on the live object before the
// first, r its result, and left the object afterwards.
func (a *Answering) ExplainedAll(
	ctx context.Context,
	w engine.Write,
	r report.Result,
	left map[string]any,
) report.Result {
	r = engine.Between(ctx, a.served.Server, w, r, left)
	r.Target, r.Risks = w.Target(), a.risks(ctx, w)(r)
	r.Findings = a.Findings(r)
	return r
}
