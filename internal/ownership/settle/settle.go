package settle

import (
	"context"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Write is an accepted write with what is known of the others.
type Write struct {
	Server api.Server
	// Asked is the write as it was asked, on the live object before it, and Result the
	// answer with its risks.
	Asked  engine.Write
	Result report.Result
	// Send sends the write once more, as the same client does; steps are what an answer to
	// it consists of.
	Send ownership.Send
	// Requests is how many requests the client has sent.
	Requests int
	// Claims are those of all objects of the inputs.
	Claims writers.Claims
	// Trackers are the Applications and Kustomizations of the inputs, Own the one that the
	// client goes by; zero for none.
	Trackers writers.Trackers
	Own      writers.Tracker
	// Enforced is what the admissions enforcer of AKS adds to webhooks.
	Enforced writers.Enforced
	// Roles are the ClusterRoles of the inputs, from which the written one may be put together.
	Roles writers.Roles
	// Rounds is how many are simulated; 0 for none.
	Rounds int
}

// Lasts says whether an accepted write lasts: what comes of the rounds, and of the same
// write once more; nil where that changes nothing. Of a write that is rejected, or whose
// client deletes the object for good, there is nothing to say.
func Lasts(ctx context.Context, w Write) (*report.Settles, *report.Again) {
	r := w.Result
	if w.Rounds <= 0 || r.Outcome.Refused() || r.Object == nil || r.Deleted || r.Hook != "" {
		return nil, nil
	}
	again := w.again(ctx)
	others, known := w.others(ctx)
	settles := &report.Settles{Result: report.FixedPoint, Rounds: 1, Confidence: report.Exact}
	switch {
	case len(others) > 0:
		settles = w.rounds(ctx, others)
	case again != nil && !again.Rests:
		settles.Result = report.Unknown
	}
	if !known {
		settles.Confidence = report.Partial
		if settles.Result == report.FixedPoint {
			settles.Result = report.Unknown
		}
	}
	return settles, again
}
