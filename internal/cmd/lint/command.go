package lint

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
)

type lintOptions struct {
	run.InquiryFlags
	output.FindingFlags
	input.ClientFlags
}

// New is the command lint.
func New(a *app.App) *cobra.Command {
	o := &lintOptions{}
	cmd := &cobra.Command{
		Use:   "lint -f MANIFESTS [--live LIVE] [KIND/NAME...]",
		Short: "Find what is wrong with manifests before there is a live object",
		Long: `Find what is wrong with manifests before there is a live object: what the API
server rejects (unknown fields, wrong types, lists whose items cannot be told
apart), and what surprises later: values that it stores differently or not at all,
fields that only a server sets, fields that an autoscaler, an injector or another
controller in the same inputs writes, and definitions whose lists merge badly.
What an apply writes is asked again, as the same client and by the other writers of
the inputs: a manifest that they undo, or that its own client never leaves as it is,
does not last. With --live that is asked next to the live objects and their field
managers; everything else is about the manifest alone.

Each finding has a rule with a stable name, a severity, and what to do to the
manifest. To skip rules for an object, list them in the annotation
` + IgnoreAnnotation + `; to skip findings, list them in a file for --suppressions.

The exit code is 0 when no finding is as severe as --fail-on, 1 when one is, and
2 when an input could not be read or the run was interrupted.`,
		Example: `  ssactl lint -f manifests/ -R
  helm template shop chart/ | ssactl lint -f - --crds crds/ --fail-on error
  ssactl lint -f manifests/ --live live.yaml --client argocd
  ssactl lint -f manifests/ -o github -o sarif=lint.sarif`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Others = o.Suppressions
			if err := errors.Join(
				o.FindingFlags.Check(Rules()), o.ClientFlags.Check(cmd, input.ManagerFlag), o.AnswerFlags.Check(&o.Flags),
			); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&o.Filenames,
		"filename", "f", nil, "manifest `file`, directory, or - for standard input (repeatable)",
	)
	o.Flags.AddLive(cmd)
	o.ServerFlags.Add(cmd)
	o.AddManager(cmd, "`name` of the field manager that applies the manifests (default that of --client, else kubectl)")
	o.AddClient(cmd)
	o.AddRounds(cmd)
	o.FindingFlags.Add(cmd, Rules())
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats(append([]string{"json", "yaml"}, show.FindingFormats()...)...)...)
	o.Flags.RequireManifests(cmd)
	return cmd
}

func (o *lintOptions) inquiry() run.Inquiry[cluster.Pair, linted, finding.Report] {
	return run.Inquiry[cluster.Pair, linted, finding.Report]{
		Question: run.Question[cluster.Pair, linted]{
			Reads:    o.Reading(),
			Verb:     "linting",
			Subjects: o.subjects,
			Ask:      o.ask,
			Failed:   o.failed,
		},
		Document: o.document,
		Show: func(c *cluster.Cluster, seen, _ finding.Report) error {
			return o.Answer(c.App, c.Now, nil, show.Findings(seen, finder.Document))
		},
		Verdict: func(_ *cluster.Cluster, d finding.Report) error { return o.VerdictOn(d) },
	}
}

func (o *lintOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
	if len(c.Manifests) == 0 && len(c.Problems) == 0 {
		return nil, errors.New("the inputs have no objects")
	}
	if len(o.Live) > 0 {
		return c.AppliedBy(ctx, &o.ClientFlags)
	}
	return c.Pairs(), c.SendsFor(ctx, &o.ClientFlags)
}

// document has the findings. A manifest that cannot be asked about is a problem.
func (o *lintOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	known []linted,
	of report.Run,
) (finding.Report, error) {
	run := o.NewRun(of, ReportKind, Rules(), c.Now)
	run.Ignoring, run.Annotation = map[report.Target][]string{}, IgnoreAnnotation
	unknown := map[string]bool{}
	for _, l := range known {
		if l.problem != nil {
			run.Problems = append(run.Problems, *l.problem)
			continue
		}
		run.Manifests++
		run.Findings = append(run.Findings, l.Findings...)
		if len(l.Ignored) > 0 {
			run.Ignoring[l.Target] = append(run.Ignoring[l.Target], l.Ignored...)
		}
		if l.deduced {
			unknown[l.kind] = true
		}
	}
	if len(unknown) > 0 {
		c.Notices = append(
			c.Notices,
			fmt.Sprintf(
				"no definition is given of %s: their fields are not checked; give CustomResourceDefinitions with --crds",
				cluster.Some(slices.Sorted(maps.Keys(unknown))),
			),
		)
	}
	return finding.Conclude(run), nil
}

// finder shows what is wrong with manifests.
var finder = page.Finder{
	Title: "Lint",
	Class: "ssactl.lint",
	Rules: Rules(),
	Sentence: func(d finding.Report) model.Text {
		if d.Summary.Manifests == 0 {
			return model.Text{model.Strong.Of("No manifest was examined")}
		}
		return page.Headline(d, words.Count(d.Summary.Manifests, "manifest"))
	},
}
