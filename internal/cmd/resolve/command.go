package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/explain"
	"github.com/ssactl/ssactl/internal/cmd/resolve/interactive"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/pool"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

type resolveOptions struct {
	run.InquiryFlags
	input.RequestFlags
	stop, useLive       []string
	ownedBy             []string
	stopAll, useLiveAll bool
	shareSecrets        bool
	writeIn             bool
	interactive         bool
	texts               *manifestTexts
}

// New is the command resolve.
func New(a *app.App) *cobra.Command {
	o := &resolveOptions{}
	cmd := &cobra.Command{
		Use:   "resolve -f MANIFEST --live LIVE [KIND/NAME...] [--stop-managing FIELD|--use-live-value FIELD|--all-stop-managing|--all-use-live-value] [--write]",
		Short: "Edit manifests so that their fields no longer conflict",
		Long: `Edit the manifests so that applying them no longer conflicts: either they stop
managing a field (it is taken out, so that its owner keeps it), or they use the
live value (both own the field then). Comments, order, indentation, anchors and
quoting of everything else stay byte for byte. Every edit is applied again to
prove that the conflict is gone; what cannot be edited safely is refused with
the reason, and the others are resolved.

Without --write the diff goes to standard output, and what was done about each
conflict to standard error.

With -i each conflict, and each risk of an apply that would succeed, is asked
about on the terminal, with the options simulated: a key decides. The edit is
shown as a diff, and written when you say so. A session that is left goes on
where it was.

FIELD is written as the API server writes it in conflicts, as a JSON pointer or
JSONPath, with list items by key or position (containers[main].image), or as the
end of a path (image). A FIELD that has fields below it means all of them.

The exit code is 0 when nothing conflicts any more, 1 when something stays
refused, and 2 when no answer could be given.`,
		Example: `  # The autoscaler sets the replicas: take them out of the manifest
  ssactl resolve -f web.yaml --live live.yaml --field-manager helm --stop-managing .spec.replicas --write

  # Leave everything to Helm that Helm owns
  ssactl resolve -f web.yaml --live live.yaml --field-manager argocd --owned-by helm --all-stop-managing

  # Decide one by one, with every option simulated
  ssactl resolve -f web.yaml --live live.yaml --field-manager helm -i

  # See what using the live values everywhere would write
  ssactl resolve -f web.yaml --live live.yaml --field-manager helm --all-use-live-value`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runResolve(cmd, a, o)
		},
	}
	o.Flags.Add(cmd)
	o.AddAssumeAbsent(cmd)
	o.ServerFlags.Add(cmd)
	o.RequestFlags.Add(cmd, "status", "scale")
	o.Infer(cmd)
	o.AnswerFlags.AddOf(
		cmd,
		append([]string{"diff"}, show.AnswerFormats(append([]string{"json"}, show.FindingFormats()...)...)...)...)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.stop, "stop-managing", nil, "take this `field` out of the manifest (repeatable)")
	flags.StringArrayVar(
		&o.useLive,
		"use-live-value",
		nil,
		"set this `field` of the manifest to the live value (repeatable)",
	)
	flags.BoolVar(
		&o.stopAll,
		"all-stop-managing",
		false,
		"take every conflicting field out that --use-live-value does not name",
	)
	flags.BoolVar(
		&o.useLiveAll,
		"all-use-live-value",
		false,
		"set every conflicting field to the live value that --stop-managing does not name",
	)
	flags.StringArrayVar(
		&o.ownedBy,
		"owned-by",
		nil,
		"only fields that the field `manager` of this name owns (repeatable)",
	)
	flags.BoolVar(&o.shareSecrets, "share-secrets", false, "let live values of Secrets be written into manifests")
	flags.BoolVar(&o.writeIn, "write", false, "edit the manifest files, all of them or none")
	flags.BoolVarP(
		&o.interactive,
		"interactive", "i", false,
		"ask about each conflict and risk, with every option simulated, and show the edit before writing it",
	)
	cmd.MarkFlagsMutuallyExclusive("all-stop-managing", "all-use-live-value")
	for _, flag := range []string{
		"stop-managing", "use-live-value", "all-stop-managing", "all-use-live-value", "owned-by", "write", "output",
	} {
		cmd.MarkFlagsMutuallyExclusive("interactive", flag)
	}
	o.Flags.RequireManifests(cmd)
	return cmd
}

func (o *resolveOptions) choice() Choice {
	c := Choice{
		StopManaging: o.stop,
		UseLiveValue: o.useLive,
		OwnedBy:      o.ownedBy,
		Secrets:      interactive.Secrets(o.shareSecrets),
	}
	switch {
	case o.stopAll:
		c.Rest = StopManaging
	case o.useLiveAll:
		c.Rest = UseLiveValue
	}
	if o.ShowSecrets {
		c.Masking = ShowSecrets
	}
	return c
}

// check finds wrong flags before anything is read.
func (o *resolveOptions) check(cmd *cobra.Command) error {
	if err := errors.Join(o.NeedLive(), o.AnswerFlags.Check(&o.Flags)); err != nil {
		return err
	}
	o.Scaling = o.Subresource == "scale"
	if err := o.RequestFlags.Check(cmd); err != nil {
		return err
	}
	o.Spare = o.Spares(o.Live)
	if o.writeIn && slices.ContainsFunc(o.Filenames, input.IsStdin) {
		return fmt.Errorf("%w: give the manifests as a file", writeback.ErrStandardInput)
	}
	if o.writeIn && o.Kustomize != "" {
		return errors.New(
			"--write edits files, and what -k builds is in none: edit the files of the kustomization as the diff shows, or add a patch",
		)
	}
	return nil
}

func runResolve(cmd *cobra.Command, a *app.App, o *resolveOptions) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if o.interactive {
		return runInteractive(cmd.Context(), a, o)
	}
	o.Inputs, o.Repeated, o.Selected = o.Sources(), slices.Concat(o.Flags.Words(), o.ServerFlags.Words()), o.Flags.Names()
	o.texts = newManifestTexts(o.MaxBytes)
	if o.Kustomize != "" {
		o.BuiltText = &o.texts.built
		o.texts.builtName = input.BuiltName(o.Kustomize)
	}
	a, err := o.texts.keepStdin(cmd.Context(), a, o.Filenames)
	if err != nil {
		return err
	}
	return run.Inquire(cmd.Context(), a, o.inquiry())
}

func (o *resolveOptions) inquiry() run.Inquiry[cluster.Pair, Input, Document] {
	return run.Inquiry[cluster.Pair, Input, Document]{
		Question: run.Question[cluster.Pair, Input]{
			Reads:    o.Reading(),
			Verb:     "resolving",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed:   o.failed,
		},
		Document: o.document, Show: o.show, Verdict: o.verdict, Conclude: o.conclude,
	}
}

func (o *resolveOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	if o.shareSecrets {
		if err := c.RefuseDigests(); err != nil {
			return nil, err
		}
	}
	pairs, err := explain.Contested(ctx, c, &o.ClientFlags)
	if err != nil {
		return nil, err
	}
	// What the client writes by itself is in no file.
	pairs = slices.DeleteFunc(pairs, func(p cluster.Pair) bool { return p.Document.Source.Document == 0 })
	if len(pairs) == 0 && len(c.Problems) == 0 {
		return nil, errors.New("the inputs have no objects")
	}
	return pairs, nil
}

// ask prepares what is resolved: all of it together, since several manifests may
// share a file.
func (o *resolveOptions) ask(_ context.Context, c *cluster.Cluster, p cluster.Pair) Input {
	w := cluster.WithTree(c.Apply(p))
	o.Fill(&w)
	in := Input{Write: w, Document: p.Document, Err: p.Unanswerable()}
	if c.Sends(w) {
		in.Client = c.Client
	}
	in.MaybeKubectl = c.MayBeKubectl(w.Manager)
	return in
}

func (o *resolveOptions) failed(c *cluster.Cluster, p cluster.Pair, err error) Input {
	return Input{Write: c.Write(p), Document: p.Document, Err: err}
}

func (o *resolveOptions) document(
	ctx context.Context,
	c *cluster.Cluster,
	inputs []Input,
	of report.Run,
) (d Document, err error) {
	for i := range inputs {
		if inputs[i].File, err = o.texts.file(inputs[i].Document.Source.File); err != nil {
			return d, err
		}
	}
	type resolved struct {
		Document
		err error
	}
	limit := time.Duration(max(1, len(inputs))) * run.AnswerLimit
	r, late := pool.Limit(ctx, limit, func(ctx context.Context) resolved {
		d, err := Run(ctx, c.Server, of, inputs, o.choice())
		return resolved{d, err}
	})
	switch {
	case ctx.Err() != nil:
		return d, fmt.Errorf("interrupted while %d manifests were resolved; nothing was changed", len(c.Manifests))
	case late != nil:
		return d, fmt.Errorf("%w; nothing was changed", late)
	}
	return r.Document, r.err
}

// show prints the answer. Beside the diff, which has nothing else, what was done
// goes to standard error; with --write the files are the diff.
func (o *resolveOptions) show(c *cluster.Cluster, d, _ Document) error {
	a := c.App
	if !o.Asks("diff") {
		return o.Answer(a, c.Now, o.Live, formatsOf(d))
	}
	steps, remarks := d, o.Remarks(a, c.Now, o.Live)
	steps.Files = nil
	if err := formatsOf(steps).Write(a.Commentary(remarks), "text", remarks); err != nil {
		return err
	}
	if o.writeIn {
		d.Files = nil
	}
	return o.Print(a, c.Now, o.Live, formatsOf(d).Write)
}

// verdict is trouble where no answer could be given for something, else no where
// something stays refused.
func (o *resolveOptions) verdict(_ *cluster.Cluster, d Document) error {
	results := make([]report.Result, len(d.Objects))
	for i, r := range d.Objects {
		results[i].Outcome = r.After
	}
	return app.VerdictOf(report.New(report.Run{Ending: d.Ending}, results))
}

// conclude writes what could be resolved, whatever the verdict.
func (o *resolveOptions) conclude(
	ctx context.Context,
	c *cluster.Cluster,
	_ []cluster.Pair,
	d Document,
	verdict error,
) error {
	switch {
	case o.writeIn:
		if err := o.texts.write(ctx, c.App, d); err != nil {
			return err
		}
	case len(d.Files) > 0 && o.Kustomize == "" && !slices.ContainsFunc(o.Filenames, input.IsStdin):
		fmt.Fprintln(c.App.Commentary(show.Options{}), "Not written; add --write")
	}
	return verdict
}
