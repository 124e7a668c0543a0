package refusal

import (
	"context"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// mostMended is how many reasons for a refusal are mended one after the other.
const mostMended = 3

// Mending is why the server rejects a write with force, and the write as it is accepted once the first
// ways out were gone; false, with the write itself, where that does not have it accepted.
func Mending(ctx context.Context, server api.Server, w engine.Write) ([]report.Refusal, engine.Write, bool) {
	var all []report.Refusal
	next := w
	for round := range mostMended + 1 {
		next.Force = true
		asked := engine.Simulate(ctx, server, next)
		if !asked.Outcome.Refused() {
			next.Force = w.Force
			return all, next, round > 0
		}
		list := Explain(ctx, server, next, asked, engine.Simulate)
		if round == 0 {
			all = list
		}
		var ok bool
		if next, ok = mended(next, list); !ok {
			break
		}
	}
	return all, w, false
}

// mended is a rejected write once the first way to have it accepted was gone; false where no way
// leaves a manifest and a live object to ask about.
func mended(w engine.Write, list []report.Refusal) (engine.Write, bool) {
	for _, one := range list {
		for _, fix := range one.Fixes {
			switch {
			case fix.Body != nil:
				out, err := w.Send(fix.Body)
				out.Locator = w.Locator
				return out, err == nil
			case fix.Live != nil:
				return w.On(fix.Live), true
			}
		}
	}
	return w, false
}
