package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

type explainOptions struct {
	inquiryFlags
	requestFlags
	failOn []string
	risks  report.FailOn
}

func newExplainCmd(a *app) *cobra.Command {
	o := &explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain -f MANIFEST --live LIVE [KIND/NAME...]",
		Short: "Explain each conflict in full, with the options to resolve it",
		Long: `Explain why applying the manifests conflicts with what is live: for each field
what it is, your value and its line, the live value, who owns it since when and
what kind of writer that is, and whether the two values differ for the server at
all.

Then the options to resolve it, each simulated: force (take ownership), stop
managing the field (remove it from the manifest), or use the live value (share
ownership). One of them is recommended, with the reason; where none is safe, the
answer says so.

The exit code is 0 when nothing conflicts, 1 when the API server would
reject at least one object, and 2 when no answer could be given.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl explain -f web.yaml --live live.yaml --field-manager argocd-controller`,
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.inputFlags.add(cmd)
	o.addAssumeAbsent(cmd)
	o.serverFlags.add(cmd)
	o.requestFlags.add(cmd, "status", "scale")
	o.infer(cmd)
	o.answerFlags.addOf(cmd, render.AnswerFormats(append([]string{"json"}, render.FindingFormats()...)...)...)
	addFailOn(cmd, &o.failOn, "risks", risk.Rules().Names())
	o.inputFlags.addPolicy(cmd)
	o.inputFlags.requireManifests(cmd)
	return cmd
}

// check finds wrong flags before anything is read.
func (o *explainOptions) check(cmd *cobra.Command) error {
	o.built = o.kustomize != ""
	o.scaling = o.subresource == "scale"
	o.inputs, o.repeated, o.selected = o.sources(), slices.Concat(o.inputFlags.words(), o.serverFlags.words()), o.inputFlags.names()
	if err := errors.Join(o.needLive(), o.answerFlags.check(&o.inputFlags)); err != nil {
		return err
	}
	var err error
	o.risks, err = parseFailOn(o.failOn, risk.Rules().Names())
	err = errors.Join(err, o.requestFlags.check(cmd))
	o.spare = o.spares()
	return err
}

func (o *explainOptions) inquiry() inquiry[pair, explain.Explanation, explain.Document] {
	return inquiry[pair, explain.Explanation, explain.Document]{
		question: question[pair, explain.Explanation]{reads: o.reading(), verb: "explaining", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

func (o *explainOptions) subjects(ctx context.Context, c *cluster) ([]pair, error) {
	return c.contested(ctx, &o.clientFlags)
}

// contested pairs the manifests for what is in the way of a client that does not force.
func (c *cluster) contested(ctx context.Context, f *clientFlags) ([]pair, error) {
	pairs, err := c.appliedBy(ctx, f)
	if err != nil || c.client == nil {
		return pairs, err
	}
	switch {
	case c.client.ClientSide:
		return nil, fmt.Errorf("%s applies client-side, and nothing conflicts: 'ssactl apply' shows what it changes", c.client.Title)
	case c.client.Force:
		c.notices = append(c.notices, c.client.Title+" forces, and takes the fields: what is answered is the apply without force")
	}
	return pairs, nil
}

func (o *explainOptions) ask(ctx context.Context, c *cluster, p pair) explain.Explanation {
	w := withTree(c.apply(p))
	o.fill(&w)
	if err := c.unanswerable(p); err != nil {
		return explain.Failure(w, err)
	}
	return c.explained(ctx, w)
}

// explained explains what is in the way of a write, as the client sends it.
func (c *cluster) explained(ctx context.Context, w engine.Write) explain.Explanation {
	if c.sends(w) {
		sent, refusal := c.client.Contested(ctx, c.server, w)
		if refusal != nil {
			return explain.Of(*refusal)
		}
		if c.client.Name == "helm" {
			// Helm only adds metadata to the manifest, whose text can be edited.
			sent.Body, sent.JSON, sent.Plain, sent.MediaType = w.Body, w.JSON, w.Plain, w.MediaType
		}
		w = sent
	}
	return explain.Explain(ctx, c.server, w, c.judges(ctx, w))
}

func (o *explainOptions) failed(c *cluster, p pair, err error) explain.Explanation {
	return explain.Failure(c.write(p), err)
}

func (o *explainOptions) document(_ context.Context, c *cluster, answers []explain.Explanation, run report.Run) (explain.Document, error) {
	for _, e := range answers {
		for _, r := range e.Risks {
			o.risks.Count(r.Rule, r.Severity)
		}
	}
	if o.risks.Met() {
		run.FailOn = &o.risks
	}
	return explain.NewDocument(run, answers), nil
}

func (o *explainOptions) show(c *cluster, seen, _ explain.Document) error {
	return o.answer(c.app, c.now, o.live, render.Explain(seen))
}

func (o *explainOptions) verdict(_ *cluster, d explain.Document) error {
	if err := verdictOf(report.Report{Summary: d.Summary, Ending: d.Ending}); err != nil {
		return err
	}
	if d.FailOn.Met() {
		return errRisky
	}
	return nil
}
