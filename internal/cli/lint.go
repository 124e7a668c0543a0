package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/plan/lint"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

type lintOptions struct {
	inquiryFlags
	findingFlags
	clientFlags
}

func newLintCmd(a *app) *cobra.Command {
	o := &lintOptions{}
	cmd := &cobra.Command{
		Use:   "lint -f MANIFESTS [KIND/NAME...]",
		Short: "Find what is wrong with manifests before there is a live object",
		Long: `Find what is wrong with manifests before there is a live object: what the API
server rejects (unknown fields, wrong types, lists whose items cannot be told
apart), and what surprises later: values that it stores differently or not at all,
fields that only a server sets, fields that an autoscaler, an injector or another
controller in the same inputs writes, and definitions whose lists merge badly.

Each finding has a rule with a stable name, a severity, and what to do to the
manifest. To skip rules for an object, list them in the annotation
` + lint.IgnoreAnnotation + `; to skip findings, list them in a file for --suppressions.

The exit code is 0 when no finding is as severe as --fail-on, 1 when one is, and
2 when an input could not be read or the run was interrupted.`,
		Example: `  ssactl lint -f manifests/ -R
  helm template shop chart/ | ssactl lint -f - --crds crds/ --fail-on error
  ssactl lint -f manifests/ -o github -o sarif=lint.sarif`,
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.others = o.suppressions
			if err := errors.Join(o.findingFlags.check(lint.Rules()), o.clientFlags.check(cmd, managerFlag), o.answerFlags.check(&o.inputFlags)); err != nil {
				return err
			}
			return inquire(cmd.Context(), a, o.inquiry())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.filenames, "filename", "f", nil, "manifest `file`, directory, or - for standard input (repeatable)")
	o.inputFlags.addReading(cmd)
	o.serverFlags.add(cmd)
	o.addManager(cmd, "`name` of the field manager that applies the manifests (default that of --client, else kubectl)")
	o.addClient(cmd)
	o.findingFlags.add(cmd, lint.Rules())
	o.answerFlags.addOf(cmd, render.AnswerFormats(append([]string{"json", "yaml"}, render.FindingFormats()...)...)...)
	o.inputFlags.requireManifests(cmd)
	return cmd
}

func (o *lintOptions) inquiry() inquiry[pair, linted, finding.Report] {
	return inquiry[pair, linted, finding.Report]{
		question: question[pair, linted]{reads: o.reading(), verb: "linting", subjects: o.subjects, ask: o.ask, failed: o.failed},
		document: o.document, show: o.show, verdict: o.verdict,
	}
}

func (o *lintOptions) subjects(ctx context.Context, c *cluster) ([]pair, error) {
	if len(c.manifests) == 0 && len(c.problems) == 0 {
		return nil, errors.New("the inputs have no objects")
	}
	return c.pairs(), c.sendsFor(ctx, &o.clientFlags)
}

func (o *lintOptions) ask(ctx context.Context, c *cluster, p pair) linted { return c.lintOf(ctx, p, o) }

func (o *lintOptions) failed(_ *cluster, p pair, err error) linted { return unlinted(p, err) }

// document has the findings. A manifest that cannot be asked about is a problem.
func (o *lintOptions) document(_ context.Context, c *cluster, known []linted, of report.Run) (finding.Report, error) {
	of.FailOn = o.counting()
	run := finding.Run{
		Run: of, Kind: lint.ReportKind, Rules: lint.Rules(),
		Ignoring: map[report.Target][]string{}, Annotation: lint.IgnoreAnnotation, Selection: o.rules,
		Suppressions: o.suppressed, Now: c.now,
	}
	if run.Now.IsZero() {
		run.Now = timeNow()
	}
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
		c.notices = append(c.notices, fmt.Sprintf("no definition is given of %s: their fields are not checked; give CustomResourceDefinitions with --crds", some(slices.Sorted(maps.Keys(unknown)))))
	}
	return finding.Conclude(run), nil
}

func (o *lintOptions) show(c *cluster, seen, _ finding.Report) error {
	return o.answer(c.app, c.now, nil, render.Lint(seen))
}

func (o *lintOptions) verdict(_ *cluster, d finding.Report) error { return o.verdictOn(d) }
