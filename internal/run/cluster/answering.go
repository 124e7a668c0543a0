package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Answering answers writes, with their risks.
type Answering struct {
	// Policy says who may own what; the zero policy where none is given.
	Policy policy.Policy
	// Claims are what objects of the inputs have written to others.
	Claims   writers.Claims
	served   *Served
	sender   *Sender
	together *together
}

// Answer is the answer to the write of a pair.
func (a *Answering) Answer(ctx context.Context, p Pair, w engine.Write) report.Result {
	if p.Err != nil {
		return engine.Failure(w, p.Err)
	}
	if w.Name == "" && w.Verb != api.Create {
		return engine.Failure(w, Nameless(p.Document))
	}
	if w.Detail == engine.DetailOutcome {
		w.Lines = func(r report.Result) bool { return a.tells(p, w, r) }
	}
	if a.sender.Sends(w) {
		return a.answerClient(ctx, p, w)
	}
	r := conflict.Advise(ctx, a.served.Server, w, engine.Simulate(ctx, a.served.Server, w), a.Judges(ctx, w))
	r.Notices = append(r.Notices, a.together.notices(p, r)...)
	r.Risks = a.risks(ctx, w)(r)
	return r
}

// answerClient answers with all requests of the client.
func (a *Answering) answerClient(ctx context.Context, p Pair, w engine.Write) report.Result {
	run := a.sender.Client.Send(ctx, a.served.Server, w)
	r := run.Whole()
	if len(run.Steps) == 1 {
		r = conflict.Advise(ctx, a.served.Server, run.Sent, r, a.Judges(ctx, w))
	} else if r.Outcome == report.Conflicted {
		advised := conflict.Advise(ctx, a.served.Server, run.Sent, run.Verdict(), a.Judges(ctx, w))
		r.Conflicts, r.InClient = advised.Conflicts, advised.InClient
	}
	r.Client = a.sender.Client.Sequence(run)
	r.Notices = append(r.Notices, a.together.notices(p, r)...)
	r.Risks = a.runRisks(ctx, w, run, r)
	return r
}

// tells reports whether the output has more of a change than that there is one.
func (a *Answering) tells(p Pair, w engine.Write, r report.Result) bool {
	doubted := slices.ContainsFunc(r.Confidence.Reasons, func(c report.Caveat) bool { return c.Rule != report.RuleNotGiven })
	return r.Outcome.Refused() || doubted || len(r.Warnings)+len(r.Notices) > 0 ||
		len(a.together.notices(p, r)) > 0 || len(a.answerRisks(w)(r)) > 0
}

// Judges know of a write what the server does not ask.
func (a *Answering) Judges(ctx context.Context, w engine.Write) conflict.Judges {
	j := conflict.Judges{Risks: a.risks(ctx, w)}
	switch {
	case a.sender.none || a.sender.Client != nil && a.sender.Client.Name != "kubectl":
		// What is asked about is the request that a client sends in the end.
		j.Send = engine.Simulate
	case a.sender.Client != nil:
		j.Send = a.sender.Client.Simulate
	}
	if len(a.Policy.Rules) > 0 {
		j.Forbids = func(live map[string]any, path fieldpath.Path, role managedfields.Role) bool {
			o := a.policyObject(w)
			o.Live = live
			return a.Policy.Forbids(o, path, role)
		}
	}
	return j
}

// policyObject is the object of a write, as a policy is asked about it.
func (a *Answering) policyObject(w engine.Write) policy.Object {
	return policy.Object{Kind: w.Kind.GroupKind(), Namespace: w.Namespace, Shape: a.served.shapeOf(w.Kind)}
}

// risks gives those of a result of a write, by what is given of the cluster, by the
// policy, and by what the client sends after it.
func (a *Answering) risks(ctx context.Context, w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := a.answerRisks(w)(r)
		if w.Verb != api.Apply || w.Manager != client.KubectlManager || len(client.AnnotationUpdaters(r.Live)) == 0 {
			return risks
		}
		if r.Outcome == report.Conflicted {
			w.Force = true
			return risk.Kubectl(risks, client.Kubectl(ctx, a.served.Server, w))
		}
		return risk.Kubectl(risks, client.KubectlAfter(ctx, a.served.Server, w, r))
	}
}

// runRisks are those of all requests of a client, which come to a result. That its
// annotation goes is what a client means to do.
func (a *Answering) runRisks(ctx context.Context, w engine.Write, run client.Run, whole report.Result) []report.Risk {
	if len(run.Steps) <= 1 {
		return a.risks(ctx, w)(whole)
	}
	kubectl := a.sender.Client.Name == "kubectl"
	risks := slices.DeleteFunc(a.answerRisks(w)(whole), func(k report.Risk) bool {
		return k.Field != "" && (managedfields.Within(".metadata.annotations."+client.LastApplied, k.Field) || kubectl && run.Loses(k.Field))
	})
	if kubectl {
		risks = risk.Kubectl(risks, run)
	}
	return risks
}

// answerRisks are the risks of the answer to one request.
func (a *Answering) answerRisks(w engine.Write) func(report.Result) []report.Risk {
	return func(r report.Result) []report.Risk {
		risks := risk.Of(r, a.Claims)
		if len(a.Policy.Rules) == 0 {
			return risks
		}
		return risk.Forbidden(risks, r, a.Policy, a.policyObject(w), w.Locator)
	}
}

// loadPolicy reads files as one policy, in their order. Rules may stand among the
// settings of a repository.
func loadPolicy(files []string) (policy.Policy, error) {
	var out policy.Policy
	var errs []error
	for _, file := range files {
		p, err := readPolicy(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("--policy: %w", err))
		}
		out.Rules = append(out.Rules, p.Rules...)
	}
	return out, errors.Join(errs...)
}

func readPolicy(file string) (policy.Policy, error) {
	text, err := bounded.File(file, manifest.DefaultMaxDocumentBytes)
	if err != nil {
		return policy.Policy{}, err
	}
	var others []string
	if filepath.Base(file) == settings.FileName {
		others = settings.Names()
	}
	return policy.Parse(file, text, others...)
}
