// Package explain explains each conflict of applies in full, with its resolutions
// (internal/ownership/conflict), and many applies by their causes.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/client/about"
	"github.com/ssactl/ssactl/internal/cmd/explain/pasted"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/refusal"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/server"
	"github.com/ssactl/ssactl/internal/server/api"
)

type explainOptions struct {
	run.InquiryFlags
	input.RequestFlags
	failOn []string
	risks  report.FailOn
	// pasted is the file of --error; empty for none. refusals are what it quotes.
	pasted   string
	refusals []pasted.Refusal
}

// New is the command explain.
func New(a *app.App) *cobra.Command {
	o := &explainOptions{}
	cmd := &cobra.Command{
		Use:   "explain -f MANIFEST --live LIVE [KIND/NAME...] | explain --error FILE",
		Short: "Explain each conflict in full, with the options to resolve it",
		Long: `Explain why applying the manifests conflicts with what is live: for each field
what it is, your value and its line, the live value, who owns it since when and
what kind of writer that is, and whether the two values differ for the server at
all.

Then the options to resolve it, each simulated: force (take ownership), stop
managing the field (remove it from the manifest), or use the live value (share
ownership). One of them is recommended, with the reason; where none is safe, the
answer says so.

With --error, explain what a client printed of a refused apply, alone or in a log:
which objects and fields it is about, who the field managers are, and what to fetch
for more. With the manifests and live objects too, it is the answer about just those
fields. Values that the text quotes are not repeated.

The exit code is 0 when nothing conflicts, or the client forces, 1 when the API
server would reject at least one object, and 2 when no answer could be given. For
an error without live objects it is 0 when the error was understood.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl explain -f web.yaml --live live.yaml --field-manager argocd-controller

  helm upgrade shop ./chart 2>&1 | tee error.log
  ssactl explain --error error.log`,
		Args: input.ManifestNames(&o.Flags),
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if o.pasted != "" || o.Flags.HasManifests() {
				return nil
			}
			return fmt.Errorf("must specify -f, -k or --error\nSee '%s --help'", cmd.CommandPath())
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.pasted != "" {
				list, err := pasted.Read(a.Streams.In, o.pasted)
				if err != nil {
					return err
				}
				if o.refusals = list; len(o.Live) == 0 {
					return o.explainText(cmd, a)
				}
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.Flags.Add(cmd)
	o.InOrder = true
	o.AddAssumeAbsent(cmd)
	o.ServerFlags.Add(cmd)
	o.RequestFlags.Add(cmd, "status", "scale")
	o.Infer(cmd)
	o.AddRounds(cmd)
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats(append([]string{"json"}, show.FindingFormats()...)...)...)
	output.AddFailOn(cmd, &o.failOn, "risks", risk.Rules().Names())
	o.Flags.AddPolicy(cmd)
	cmd.Flags().
		StringVar(&o.pasted, "error", "", "explain the error that a client printed, from a `file` or - for standard input")
	return cmd
}

// explainText explains an error by what it says alone.
func (o *explainOptions) explainText(cmd *cobra.Command, a *app.App) error {
	if err := errors.Join(o.AnswerFlags.Check(&o.Flags), o.RequestFlags.Check(cmd)); err != nil {
		return err
	}
	version, err := server.VersionOf(o.ServerFlags.Options())
	if err != nil {
		return err
	}
	next := pasted.Next{}
	if o.Flags.HasManifests() {
		next.Manifests = o.Sources()
	}
	if o.ClientFlags.Named || o.Name != about.Auto {
		next.Sender = o.ClientFlags.Words
	}
	list := pasted.Findings(o.refusals, next)
	d := finding.Conclude(finding.Run{
		Kind: pasted.ReportKind, Rules: pasted.Rules(), Objects: len(o.refusals), Findings: list,
		Run: report.Run{Version: version},
	})
	return o.Answer(a, time.Time{}, nil, show.Findings(d, pasted.Document))
}

// check finds wrong flags before anything is read.
func (o *explainOptions) check(cmd *cobra.Command) error {
	o.Built = o.Kustomize != ""
	o.Scaling = o.Subresource == "scale"
	o.Inputs, o.Repeated, o.Selected = o.Sources(), slices.Concat(o.Flags.Words(), o.ServerFlags.Words()), o.Flags.Names()
	if err := errors.Join(o.NeedLive(), o.AnswerFlags.Check(&o.Flags)); err != nil {
		return err
	}
	var err error
	o.risks, err = output.ParseFailOn(o.failOn, risk.Rules().Names())
	err = errors.Join(err, o.RequestFlags.Check(cmd))
	o.ByKubectl = o.ClientFlags.Name == "kubectl"
	o.Spare = o.Spares(o.Live)
	return err
}

// explained is an explanation, with the answer of apply, which manifests after it depend on.
type explained struct {
	conflict.Explanation
	answer report.Result
	// number is that of the manifest, and unasked is true where the arguments name others.
	number  int
	unasked bool
}

func (o *explainOptions) inquiry() run.Inquiry[cluster.Pair, explained, conflict.Document] {
	return run.Inquiry[cluster.Pair, explained, conflict.Document]{
		Question: run.Question[cluster.Pair, explained]{
			Reads:    o.Reading(),
			Verb:     "explaining",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed:   o.failed,
			Stretch:  (*cluster.Cluster).Stretch,
			Settle:   func(c *cluster.Cluster, p cluster.Pair, e explained) { c.Learn(p, e.answer) },
		},
		Document: o.document, Show: o.show, Verdict: o.verdict,
	}
}

func (o *explainOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	pairs, err := Contested(ctx, c, &o.ClientFlags)
	c.Several(len(pairs) > 1)
	return c.InRun(pairs), err
}

// Contested pairs the manifests for what is in the way of a client that does not force.
func Contested(ctx context.Context, c *cluster.Cluster, f *input.ClientFlags) ([]cluster.Pair, error) {
	pairs, err := c.AppliedBy(ctx, f)
	if err != nil || c.Client == nil {
		return pairs, err
	}
	switch {
	case c.Client.ClientSide:
		return nil, fmt.Errorf(
			"%s applies client-side, and nothing conflicts: 'ssactl apply' shows what it changes",
			c.Client.Title,
		)
	case c.Client.Force:
		c.Notices = append(
			c.Notices,
			c.Client.Title+" forces, and takes the fields: what is answered is the apply without force",
		)
	}
	return pairs, nil
}

func (o *explainOptions) ask(ctx context.Context, c *cluster.Cluster, p cluster.Pair) explained {
	w := cluster.WithTree(c.Apply(p))
	o.Fill(&w)
	if err := p.Unanswerable(); err != nil {
		return explained{Explanation: conflict.Failure(w, err), answer: c.Failure(w, err), number: p.Number}
	}
	if p.Unasked {
		return explained{answer: c.Answer(ctx, p, w), number: p.Number, unasked: true}
	}
	e := explained{number: p.Number}
	e.Explanation, e.answer = Decided(ctx, c, p, w)
	return e
}

// Decided explains what is in the way of the write of a pair, with all that apply says of it, which
// knows the whole run and has followed its fixes; and gives the answer of apply.
func Decided(
	ctx context.Context, c *cluster.Cluster, p cluster.Pair, w engine.Write,
) (conflict.Explanation, report.Result) {
	answer := c.Answer(ctx, p, w)
	e := Explained(ctx, c, w, answer)
	if answer.Outcome.Refused() && !e.Outcome.Refused() && len(e.Conflicts) == 0 {
		e = conflict.Whole(answer)
	}
	if e.Refusals == nil && e.Outcome == answer.Outcome {
		// Those of the request as the client comes to it, with all that the run knows.
		e.Refusals = answer.Refusals
	}
	if e = e.Decided(answer.Findings); e.Findings == nil {
		e.Findings = c.Findings(conflictedAnswer(e))
		for _, f := range answer.Findings {
			if f.Rule == risk.Kept {
				e.Findings = append(e.Findings, f)
			}
		}
	}
	return e, answer
}

// Explained explains what is in the way of a write, as the client sends it. Where the server rejects it
// with force too, it is explained as it is once that is mended.
func Explained(ctx context.Context, c *cluster.Cluster, w engine.Write, answer report.Result) conflict.Explanation {
	judges := c.Judges(ctx, w)
	if f := answer.Forced; f != nil && f.Outcome.Refused() {
		mending := judges
		mending.Manifest = &w
		e := opposed(ctx, c, w, judges)
		_, mended, is := refusal.Mending(ctx, c.Server, w)
		if is {
			e, is = e.Mending(opposed(ctx, c, mended, mending))
		}
		e.Forced, e.Mended = f, is
		return e
	}
	return opposed(ctx, c, w, judges)
}

// opposed is what is in the way of a write.
func opposed(ctx context.Context, c *cluster.Cluster, w engine.Write, judges conflict.Judges) conflict.Explanation {
	if c.Sends(w) {
		if whole := c.Whole(ctx, w); whole.Client.Deletes() || whole.Ran() {
			return conflict.Whole(whole)
		}
		sent, refusal := c.Client.Contested(ctx, c.Server, w)
		if refusal != nil {
			return conflict.Of(*refusal)
		}
		w = sent
	}
	e := conflict.Explain(ctx, c.Server, w, judges)
	if e.Outcome != report.Conflicted || !c.Sends(w) || !c.Client.Force {
		return e
	}
	w.Verb, w.Force = api.Apply, true
	r := engine.Simulate(ctx, c.Server, w)
	if r.Outcome.Refused() {
		return e
	}
	r.Risks = judges.Risks(r)
	c.Lasts(ctx, w, &r)
	return e.Taking(r)
}

func (o *explainOptions) failed(c *cluster.Cluster, p cluster.Pair, err error) explained {
	w := c.Write(p)
	return explained{conflict.Failure(w, err), c.Failure(w, err), p.Number, p.Unasked}
}

func (o *explainOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	all []explained,
	run report.Run,
) (conflict.Document, error) {
	answers := inFiles(all)
	for i, e := range answers {
		if e.Findings == nil {
			answers[i].Findings = c.Findings(conflictedAnswer(e))
		}
		for _, r := range e.Risks {
			o.risks.Count(r.Rule, r.Severity)
		}
	}
	if o.risks.Met() {
		run.FailOn = &o.risks
	}
	if o.refusals != nil {
		all := len(answers)
		if answers = pasted.Mentioned(o.refusals, answers); len(answers) == 0 {
			c.Notices = append(
				c.Notices,
				fmt.Sprintf(
					"with these inputs, none of %d objects is refused as --error says: the live objects may have changed since, or the client is another one (--client)",
					all,
				),
			)
		}
	}
	return conflict.NewDocument(run, answers), nil
}

// inFiles are the explanations that were asked for, in the order of the manifests.
func inFiles(all []explained) []conflict.Explanation {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b explained) int { return cmp.Compare(a.number, b.number) })
	var out []conflict.Explanation
	for _, e := range all {
		if !e.unasked {
			out = append(out, e.Explanation)
		}
	}
	return out
}

func (o *explainOptions) show(c *cluster.Cluster, seen, _ conflict.Document) error {
	return o.Answer(c.App, c.Now, o.Live, formatsOf(seen))
}

func (o *explainOptions) verdict(_ *cluster.Cluster, d conflict.Document) error {
	if err := app.VerdictOf(report.Report{Summary: d.Summary, Ending: d.Ending}); err != nil {
		return err
	}
	if d.FailOn.Met() {
		return app.ErrRisky
	}
	return nil
}
