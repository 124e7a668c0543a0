package cluster

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/answer/findings"
	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/client"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/ownership/proof"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
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
	found
	// Advice says about which answers the outputs show advice.
	Advice   Advice
	served   *Served
	sender   *Sender
	together *together
	call     func() fixes.Call
	// rounds of other writers are simulated; 0 for none.
	rounds int
	// several is true for a run over several objects.
	several bool
	// going are the live objects that the client deletes behind the manifests.
	going map[live.Key]bool
	// causes are what the run has proven of fixes.
	causes proof.Causes
	// creations are what the server has said of new objects.
	creations conflict.Creations
}

// found is what the live objects say that answers go by.
type found struct {
	// Claims are what objects of the inputs have written to others.
	Claims writers.Claims
	// Counts are how many live objects there are, for what goes with one that is deleted.
	Counts risk.Counts
	// enforced is what a writer of other objects adds to webhooks.
	enforced writers.Enforced
	// roles are the ClusterRoles that others of the manifests may be made of.
	roles writers.Roles
	// others are all objects, for what a deletion of one does to another; nil where none are read.
	others func() *risk.Others
	// members are the live objects of a kind, for what a changed definition does to them; nil where none are read.
	members func(schema.GroupKind) iter.Seq2[report.Target, map[string]any]
	// named are the objects of manifests.
	named map[live.Key]bool
}

// Advice says about which answers there is advice. It is simulated, which takes longer than
// the answers do.
type Advice string

const (
	// AdviceAll is about conflicts, and about fields that are taken by force.
	AdviceAll Advice = ""
	// AdviceOnConflicts is about conflicts alone.
	AdviceOnConflicts Advice = "Conflicts"
	// AdviceNone is about nothing.
	AdviceNone Advice = "None"
	// adviceFindings: there is none, but what it is about is found.
	adviceFindings Advice = "Findings"
)

// Answer is the answer to the write of a pair, with all that is said of it.
func (a *Answering) Answer(ctx context.Context, p Pair, w engine.Write) report.Result {
	r, followed := a.answer(ctx, p, w)
	r.Findings = a.provenFindings(ctx, p, followed, r)
	return r
}

// Found is the answer to the write of a pair with what is found in it, without advice: it
// takes a part of the time of Answer.
func (a *Answering) Found(ctx context.Context, p Pair, w engine.Write) report.Result {
	unadvised := Answering{Policy: a.Policy, found: a.found, Advice: adviceFindings, served: a.served,
		going: a.going, sender: a.sender, together: a.together, call: a.call, several: a.several}
	if a.Advice == AdviceAll {
		// What does not last is found on both sides, or on none.
		unadvised.rounds = a.rounds
	}
	r, _ := unadvised.answer(ctx, p, w)
	r.Findings = findings.Listed(r)
	return r
}

// Failure is the answer to a write that has none.
func (a *Answering) Failure(w engine.Write, err error) report.Result {
	r := engine.Failure(w, err)
	r.Findings = a.Findings(r)
	return r
}

// answer is the answer to a write, and the write on which the fixes of its conflicts are followed.
func (a *Answering) answer(ctx context.Context, p Pair, w engine.Write) (report.Result, engine.Write) {
	if p.Err != nil {
		return engine.Failure(w, p.Err), w
	}
	if w.Name == "" && w.Verb != api.Create &&
		!(a.sender.Sends(w) && a.sender.Client.Nameless && p.Document.GenerateName != "") {
		return engine.Failure(w, Nameless(p.Document)), w
	}
	if p.Waits != "" {
		r := engine.Stopped(w, p.Waits)
		r.Client = a.sender.Client.Sequence(client.Run{})
		return r, w
	}
	if w.Detail == engine.DetailOutcome {
		// Whether the output has more of a change than that there is one.
		w.Lines = func(r report.Result) bool {
			doubted := slices.ContainsFunc(
				r.Confidence.Reasons,
				func(c report.Caveat) bool { return c.Rule != report.RuleNotGiven },
			)
			return r.Outcome.Refused() || doubted || len(r.Warnings)+len(r.Notices) > 0 ||
				len(a.together.notices(p, r)) > 0 || len(a.answerRisks(w, r)) > 0
		}
	}
	if a.sender.Sends(w) {
		return a.answerClient(ctx, p, w)
	}
	r := a.advised(ctx, w, w, engine.Simulate(ctx, a.served.Server, w))
	r.Pruned = w.Verb == api.Delete && a.sender.Client != nil
	r.Notices = append(r.Notices, a.together.notices(p, r)...)
	r.Risks = a.risks(ctx, w)(r)
	r.Refusals = a.refusals(ctx)(w, r)
	followed := a.behind(ctx, w, &r)
	a.lasts(ctx, w, 1, &r)
	a.stays(ctx, w, &r)
	a.redefined(ctx, w, &r)
	return r, followed
}

// Whole is the result of all requests of the client for a write that it sends, with its risks.
func (a *Answering) Whole(ctx context.Context, w engine.Write) report.Result {
	run := a.sender.Client.Send(ctx, a.served.Server, w)
	r := run.Whole()
	r.Client = a.sender.Client.Sequence(run)
	r.Risks = a.runRisks(ctx, w, run, r)
	return r
}

// answerClient answers with all requests of the client.
func (a *Answering) answerClient(ctx context.Context, p Pair, w engine.Write) (report.Result, engine.Write) {
	run := a.sender.Client.Send(ctx, a.served.Server, w)
	r := run.Whole()
	if len(run.Steps) == 1 {
		r = a.advised(ctx, w, run.Sent, r)
	} else if r.Outcome == report.Conflicted {
		advised := a.advised(ctx, w, run.Sent, run.Verdict())
		r.Contested, r.InClient = advised.Contested, advised.InClient
	} else if run.Sent.Verb == api.Apply && !r.Recreated {
		whole := r
		whole.Object = nil // of all the requests, not of the one that is sent
		advised := a.advised(ctx, w, run.Sent, whole)
		r.Contested, r.InClient = advised.Contested, advised.InClient
	}
	r = refusal.Located(a.served.Server, w, r)
	r.Refusals = a.refusals(ctx)(w, r)
	followed := a.behind(ctx, w, &r)
	r.Client = a.sender.Client.Sequence(run)
	r.Notices = append(r.Notices, a.together.notices(p, r)...)
	r.Risks = a.runRisks(ctx, w, run, r)
	a.lasts(ctx, w, len(run.Steps), &r)
	a.stays(ctx, w, &r)
	a.redefined(ctx, w, &r)
	return r, followed
}

// advised is the result of a request that is sent for a write, with the advice that is
// shown of it.
func (a *Answering) advised(ctx context.Context, w, sent engine.Write, r report.Result) report.Result {
	if a.Advice == AdviceNone || a.Advice == adviceFindings ||
		a.Advice == AdviceOnConflicts && r.Outcome != report.Conflicted {
		return r
	}
	return conflict.Advise(ctx, a.served.Server, sent, r, a.Judges(ctx, w))
}

// Judges know of a write what the server does not ask.
func (a *Answering) Judges(ctx context.Context, w engine.Write) conflict.Judges {
	j := conflict.Judges{Risks: a.risks(ctx, w), Refused: a.refusals(ctx), Creations: &a.creations,
		Unscaled: a.Claims.GoingScaler(w.Target()) != "",
		Forces:   w.Force || a.sender.Sends(w) && a.sender.Client.Force}
	switch {
	case a.sender.none || a.sender.Client != nil && a.sender.Client.Name != "kubectl":
		// What is asked about is the request that a client sends in the end.
		j.Send = engine.Simulate
	case a.sender.Client != nil:
		j.Send = a.sender.Client.Simulate
	}
	if a.sender.Sends(w) {
		j.Manifest, j.Client = &w, a.sender.Client.Title
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

// refusals say why a write is rejected.
func (a *Answering) refusals(ctx context.Context) func(engine.Write, report.Result) []report.Refusal {
	return func(w engine.Write, r report.Result) []report.Refusal {
		if a.Advice == AdviceNone {
			return nil
		}
		return refusal.Explain(ctx, a.served.Server, w, r, a.sender.Sent)
	}
}

// policyObject is the object of a write, as a policy is asked about it.
func (a *Answering) policyObject(w engine.Write) policy.Object {
	return policy.Object{Kind: w.Kind.GroupKind(), Namespace: w.Namespace, Shape: a.served.shapeOf(w.Kind)}
}

// risks gives those of a result of a write, by what is given of the cluster, by the
// policy, and by what the client sends after it.
func (a *Answering) risks(ctx context.Context, w engine.Write) func(report.Result) []report.Finding {
	return func(r report.Result) []report.Finding {
		risks := a.answerRisks(w, r)
		if w.Verb != api.Apply || w.Subresource != "" || len(client.AnnotationUpdaters(r.Live)) == 0 {
			return risks
		}
		maybe := w.Manager != client.KubectlManager && (a.sender.Client == nil || a.sender.Client.Name != "kubectl")
		if maybe {
			if !a.sender.MayBeKubectl(w.Manager) {
				return risks
			}
			if moved, quiet := client.MovesQuietly(left(r)); quiet {
				return risk.MaybeKubectl(risks, r, moved, nil)
			}
		}
		var run client.Run
		if r.Outcome == report.Conflicted {
			w.Force = true
			run = client.Kubectl(ctx, a.served.Server, w)
		} else {
			run = client.KubectlAfter(ctx, a.served.Server, w, r)
		}
		if maybe {
			return risk.MaybeKubectl(risks, run.First(), run.Moved(), run.Losses())
		}
		return risk.Kubectl(risks, run)
	}
}

// left is the object that a write leaves, with force where it conflicts; nil for none.
func left(r report.Result) map[string]any {
	if r.Outcome == report.Conflicted && r.Forced != nil {
		return r.Forced.Object
	}
	return r.Object
}

// runRisks are those of all requests of a client, which come to a result. That its
// annotation goes is what a client means to do.
func (a *Answering) runRisks(
	ctx context.Context,
	w engine.Write,
	run client.Run,
	whole report.Result,
) []report.Finding {
	if len(run.Steps) <= 1 {
		return a.risks(ctx, w)(whole)
	}
	kubectl := a.sender.Client.Name == "kubectl"
	risks := slices.DeleteFunc(a.answerRisks(w, whole), func(k report.Finding) bool {
		return k.Field != "" &&
			(managedfields.Within(".metadata.annotations."+client.LastApplied, k.Field) || kubectl && run.Loses(k.Field))
	})
	if kubectl {
		risks = risk.Kubectl(risks, run)
	}
	return risks
}

// answerRisks are the risks of the answer to one request.
func (a *Answering) answerRisks(w engine.Write, r report.Result) []report.Finding {
	// Of replicas that a write leaves out, the server's default is recorded as its own.
	risks := slices.DeleteFunc(risk.Of(r, a.Claims, a.Counts), func(k report.Finding) bool {
		return k.Rule == risk.ReplicasAutoscaled && r.Operation != report.Apply && !engine.Asks(w, replicas)
	})
	risks = a.taking(risks, w, r)
	if a.sender.Client.Owns(w) {
		risks = risk.Settings(risks, r, a.sender.Client.Title)
	}
	risks = risk.Placed(risks, w, a.served.shapeOf(w.Kind))
	if len(a.Policy.Rules) == 0 {
		return risks
	}
	return risk.Forbidden(risks, r, a.Policy, a.policyObject(w), w.Locator)
}

// replicas is the field that autoscalers write.
var replicas = fieldpath.MakePathOrDie("spec", "replicas")

// loadPolicy reads files as one policy, in their order. Rules may stand among the
// settings of a repository.
func loadPolicy(files []string) (policy.Policy, error) {
	var out policy.Policy
	var errs []error
	for _, file := range files {
		var others []string
		if filepath.Base(file) == settings.FileName {
			others = settings.Names()
		}
		var p policy.Policy
		text, err := bounded.File(file, manifest.DefaultMaxDocumentBytes)
		if err == nil {
			p, err = policy.Parse(file, text, others...)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("--policy: %w", err))
		}
		out.Rules = append(out.Rules, p.Rules...)
	}
	return out, errors.Join(errs...)
}
