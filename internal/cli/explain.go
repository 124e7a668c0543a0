package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/plan/explain"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server/api"
)

type explainOptions struct {
	inputFlags
	serverFlags
	requestFlags
	answerFlags
}

func newExplainCmd(a *app) *cobra.Command {
	o := &explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain -f MANIFEST --live LIVE --field-manager NAME",
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
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExplain(cmd.Context(), a, o)
		},
	}
	o.inputFlags.add(cmd)
	o.serverFlags.add(cmd)
	o.serverFlags.addRequireSchema(cmd)
	o.requestFlags.add(cmd, "status", "scale")
	o.answerFlags.addOf(cmd, render.AnswerFormats(append([]string{"json"}, render.FindingFormats()...)...)...)
	o.inputFlags.requireManifests(cmd)
	return cmd
}

func runExplain(ctx context.Context, a *app, o *explainOptions) error {
	if err := errors.Join(o.needLive(), o.answerFlags.check(&o.inputFlags)); err != nil {
		return err
	}
	o.repeated, o.built = slices.Concat(o.inputFlags.words(), o.serverFlags.words()), o.kustomize != ""
	validation, err := o.fieldValidation()
	if err != nil {
		return err
	}
	a = a.watched(o.quiet)
	c, err := a.loadCluster(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	a.notice(c.notices)
	pairs := c.appliedBy(o.manager)
	objects := each(ctx, c, "explaining", len(pairs), func(ctx context.Context, i int) explain.Explanation {
		w := c.write(pairs[i])
		w.Verb, w.MediaType = api.Apply, ""
		w.Subresource, w.Manager, w.FieldValidation = o.subresource, o.manager, validation
		return c.explain(ctx, pairs[i], w)
	}, func(i int, err error) explain.Explanation { return explain.Failure(c.write(pairs[i]), err) })
	document := explain.NewDocument(c.server.Version(), objects, c.problems)
	document.Interrupted = interruption(len(objects), len(pairs))
	document = redact.Document(a.secrets, document)
	if err := o.answer(a, c.now, o.live, render.Explain(document)); err != nil {
		return err
	}
	if document.Interrupted != nil {
		return interruptedError(document.Interrupted)
	}
	return verdictOf(report.Report{Summary: document.Summary, Problems: document.Problems})
}

// explain is the explanation of a pair, or why there is none.
func (c *cluster) explain(ctx context.Context, p pair, w engine.Write) explain.Explanation {
	if p.err == nil && w.Name == "" {
		p.err = nameless(p.document)
	}
	if p.err != nil {
		return explain.Failure(w, p.err)
	}
	return explain.Explain(ctx, c.server, w)
}
