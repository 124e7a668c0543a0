// Package impact shows what a change of definitions, or of the release of Kubernetes, does to
// merging and ownership.
package impact

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/server"
)

type impactOptions struct {
	run.InquiryFlags
	output.FindingFlags
	old, new []string
	// names are the definitions that are compared; none means all.
	names []input.ObjectName
	// releases are the two that are compared; nil where definitions are.
	releases []*server.Published
	// impacts are the kinds of both sides, once they are read, and sides the servers
	// that live objects are written through.
	impacts []impact.Kind
	sides   sides
	fates   impact.Effects
}

// New is the command impact.
func New(a *app.App) *cobra.Command {
	o := &impactOptions{}
	cmd := &cobra.Command{
		Use:   "impact --old OLD --new NEW [--live DUMP] [KIND/NAME...]",
		Short: "Show what a change of definitions does to merging and ownership",
		Long: `Show what a change of CustomResourceDefinitions, or an upgrade of Kubernetes, does
to merging and ownership: fields that become atomic or granular, lists with other
types or keys, defaults, removed fields and versions, tightened validation.

OLD and NEW are files or directories with CustomResourceDefinitions, or Kubernetes
releases such as 1.36. KIND/NAME, such as crd/widgets.example.com, selects the
definitions that are compared, where the files have others. With --live, each live
object of a changed kind is written through the new definition: what is dropped of
it, who loses or gains ownership, which entries of managed fields are lost, and
whether the next apply of each manager is rejected. What the old definition does as
well is left out.

The exit code is 0 when no finding is as severe as --fail-on, 1 when one is, and
2 when an input could not be read or the run was interrupted.`,
		Example: `  ssactl schema impact --old crds-v1.4/ --new crds-v1.5/
  ssactl schema impact --old old.yaml --new new.yaml --live dump.yaml -o markdown
  ssactl schema impact --old dump.yaml --new new.yaml --live dump.yaml crd/widgets.example.com
  ssactl schema impact --old 1.35 --new 1.36 --live dump.yaml --fail-on error`,
		Args: input.LiveNames(&o.names),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *impactOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(
		&o.old,
		"old",
		nil,
		"present definitions: a `file`, directory, or - for standard input (repeatable); or a Kubernetes release",
	)
	flags.StringArrayVar(&o.new, "new", nil, "new definitions: a `file` or release, as --old (repeatable)")
	flags.StringArrayVar(
		&o.Live,
		"live",
		nil,
		"live objects to simulate the change on: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)",
	)
	flags.BoolVarP(&o.Recursive, "recursive", "R", false, "read directories recursively")
	flags.StringVarP(
		&o.Namespace,
		"namespace", "n", "",
		"only live objects of this `namespace`, which is also that of documents without one",
	)
	flags.VarP(
		&o.Selector,
		"selector",
		"l",
		"only live objects whose labels match this `selector`, such as app=web,tier!=cache",
	)
	o.AddLimits(cmd)
	o.ServerFlags.Add(cmd)
	o.FindingFlags.Add(cmd, impact.Rules())
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats(append([]string{"json", "yaml"}, show.FindingFormats()...)...)...)
}

// check finds wrong flags before anything is read.
func (o *impactOptions) check() error {
	if len(o.old) == 0 || len(o.new) == 0 {
		return errors.New(
			"--old and --new are needed: files with CustomResourceDefinitions, or Kubernetes releases such as 1.36",
		)
	}
	if err := o.checkReleases(); err != nil {
		return err
	}
	o.Others, o.Compact = o.Suppressions, true
	var stdin error
	if o.releases != nil && len(o.names) > 0 {
		return fmt.Errorf("%s: of releases, all kinds are compared", o.names[0])
	}
	if o.releases == nil {
		o.Crds, o.Others, stdin = o.new, append(o.Suppressions, o.old...), cluster.CheckStdin(o.Live, o.old, o.new)
	}
	return errors.Join(o.FindingFlags.Check(impact.Rules()), o.AnswerFlags.Check(&o.Flags), stdin)
}

var releaseName = regexp.MustCompile(`^v?1\.[0-9]+(\.[0-9]+)?$`)

// checkReleases takes both sides for releases of Kubernetes where they look so, and
// no file is called so.
func (o *impactOptions) checkReleases() error {
	named := 0
	for _, side := range [][]string{o.old, o.new} {
		if len(side) == 1 && releaseName.MatchString(side[0]) {
			if _, err := os.Stat(side[0]); err != nil {
				named++
			}
		}
	}
	switch {
	case named == 0:
		return nil
	case named == 1:
		return fmt.Errorf(
			"--old %s --new %s: compare two files with definitions, or two releases of Kubernetes",
			o.old[0],
			o.new[0],
		)
	case o.KubernetesVersion != "":
		return errors.New("--kubernetes-version: --new says which release is simulated")
	}
	for _, side := range [][]string{o.old, o.new} {
		p, err := server.NewPublished(side[0])
		if err != nil {
			return err
		}
		o.releases = append(o.releases, p)
	}
	o.KubernetesVersion = o.new[0]
	return nil
}

func (o *impactOptions) inquiry() run.Inquiry[*live.Object, affected, finding.Report] {
	return run.Inquiry[*live.Object, affected, finding.Report]{
		Question: run.Question[*live.Object, affected]{
			Reads:    o.Reading(),
			Verb:     "simulating",
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

// subjects are the live objects of the kinds that both sides, or one of them, have.
func (o *impactOptions) subjects(ctx context.Context, c *cluster.Cluster) ([]*live.Object, error) {
	if err := o.readSides(ctx, c); err != nil {
		return nil, err
	}
	if len(o.Live) == 0 {
		return nil, nil
	}
	var out []*live.Object
	others := 0
	for _, object := range c.Live.Objects() {
		switch {
		case !c.InNamespace(object.Key, nil) || cluster.IsDefinition(object.Identity):
		case o.kindOf(object) == nil:
			others++
		default:
			out = append(out, object)
		}
	}
	if len(out) == 0 && len(c.Problems) == 0 {
		c.Notices = append(
			c.Notices,
			fmt.Sprintf("no live object%s is of a kind that is compared; %d others are", c.OfNamespace(), others),
		)
	}
	return out, nil
}

// document has the findings: those on the schemas, and those on the live objects.
func (o *impactOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	known []affected,
	of report.Run,
) (finding.Report, error) {
	run := o.NewRun(of, impact.ReportKind, impact.Rules(), c.Now)
	run.Kinds, run.PerField = len(o.impacts), true
	// unknown are the live objects that were not simulated, or in part, by the reason.
	unknown := map[string]int{}
	for _, a := range known {
		switch {
		case a.problem != nil:
			run.Problems = append(run.Problems, *a.problem)
			continue
		case a.unsimulated != nil:
			reason, _, _ := strings.Cut(a.unsimulated.Error(), "\n")
			unknown["could not be simulated: "+a.target.Kind+": "+reason]++
		case a.conversion != impact.Conversion{}:
			unknown[fmt.Sprintf("of kind %s: a webhook converts between %s and %s, at which it is stored; that was not simulated", a.target.Kind, a.conversion.Written, a.conversion.Stored)]++
		}
		run.Objects++
		o.fates.Add(a.target, a.effects)
	}
	for _, kind := range o.impacts {
		found, err := impact.Examine(kind)
		if err != nil {
			run.Problems = append(run.Problems, report.Problem{Source: kind.Source(), Message: err.Error()})
		}
		run.Findings = append(append(run.Findings, found...), o.fates.Of(kind)...)
	}
	if o.releases != nil {
		c.Notices = append(
			c.Notices,
			"of releases, the published schemas are compared: defaults and validation that are code are not among them",
		)
	}
	if o.releases != nil && len(o.Live) > 0 {
		c.Notices = append(
			c.Notices,
			fmt.Sprintf("live objects are written to %s only: what %s does to them as well is not left out", o.new[0], o.old[0]),
		)
	}
	for _, reason := range slices.Sorted(maps.Keys(unknown)) {
		c.Notices = append(c.Notices, words.Count(unknown[reason], "live object")+" "+reason)
	}
	return finding.Conclude(run), nil
}

// finder shows what a change of definitions does.
var finder = page.Finder{
	Title: "Impact of a schema change",
	Class: "ssactl.schema-impact",
	Rules: impact.Rules(),
	Sentence: func(d finding.Report) model.Text {
		on := words.Count(d.Summary.Kinds, "kind")
		if d.Summary.Objects > 0 {
			on += " and " + words.Count(d.Summary.Objects, "live object")
		}
		if d.Summary.Kinds == 0 {
			return model.Text{model.Strong.Of("No kind was compared")}
		}
		return page.Headline(d, on)
	},
}
