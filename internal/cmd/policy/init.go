package policy

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/policy"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// New is the command policy.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Plan who may own which field",
		Long: `Plan who may own which field: an ownership policy is a list of rules, which audit,
apply, diff and explain check with --policy.`,
		Args: input.OnlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyInitCmd(a))
	return cmd
}

type policyInitOptions struct {
	run.InquiryFlags
	mu sync.Mutex
	// seen is who owns what in the objects so far.
	seen policy.Observation
}

func newPolicyInitCmd(a *app.App) *cobra.Command {
	o := &policyInitOptions{}
	cmd := &cobra.Command{
		Use:   "init -f LIVE",
		Short: "Print the ownership policy that holds today",
		Long: `Print the ownership policy that holds in live objects today: for each kind, a rule
for what most fields have in common, and one for each exception. The items
of a list are taken together, and so are the objects of a kind.

'ssactl audit --policy' finds nothing in the same objects, and from then on whatever
departs from the policy.`,
		Example: `  kubectl get deploy,svc,cm,secret -A -o yaml --show-managed-fields > dump.yaml
  ssactl policy init -f dump.yaml > ownership.yaml
  ssactl audit -f dump.yaml --policy ownership.yaml`,
		Args: input.OnlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(o.Live) == 0 {
				return errors.New(
					"--filename (-f) is needed: the file with the live objects, as 'kubectl get --show-managed-fields -o yaml' writes them",
				)
			}
			if err := o.AnswerFlags.Check(&o.Flags); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&o.Live,
		"filename", "f", nil,
		"live objects: a `file`, directory, or - for standard input, as 'kubectl get --show-managed-fields -o yaml' writes them (repeatable)",
	)
	o.Flags.AddReading(cmd)
	input.OnlyNamespace(cmd)
	o.ServerFlags.Add(cmd)
	o.AnswerFlags.AddOf(cmd, "yaml")
	return cmd
}

func (o *policyInitOptions) inquiry() run.Inquiry[*live.Object, *report.Problem, derived] {
	return run.Inquiry[*live.Object, *report.Problem, derived]{
		Question: run.Question[*live.Object, *report.Problem]{
			Reads:    o.Reading(),
			Verb:     "reading owners",
			Ask:      o.ask,
			Failed:   failed,
			Subjects: func(_ context.Context, c *cluster.Cluster) ([]*live.Object, error) { return c.Named(nil) },
		},
		Document: o.document, Show: o.show,
		Verdict: func(_ *cluster.Cluster, d derived) error { return app.VerdictOf(report.Report{Ending: d.Ending}) },
	}
}

// ask notes who owns what in an object. The order of objects makes no difference.
func (o *policyInitOptions) ask(_ context.Context, c *cluster.Cluster, l *live.Object) *report.Problem {
	if _, err := c.Live.Get(l.Key); err != nil {
		return &report.Problem{Message: err.Error()}
	}
	decoded, err := l.Decode()
	if err != nil {
		return failed(c, l, err)
	}
	defer l.Forget()
	owners := managedfields.Of(decoded)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen.Add(policy.Object{Kind: input.KindOf(l.Identity).GroupKind(), Shape: c.Shape(l)}, owners)
	return nil
}

func failed(_ *cluster.Cluster, l *live.Object, err error) *report.Problem {
	return &report.Problem{Source: report.Source(l.Source), Message: err.Error()}
}

// derived are the rules of a run.
type derived struct {
	Sections []policy.Section
	report.Ending
}

func (o *policyInitOptions) document(
	_ context.Context,
	c *cluster.Cluster,
	answers []*report.Problem,
	run report.Run,
) (derived, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	sections, err := o.seen.Derive()
	if err != nil {
		return derived{}, err
	}
	d := derived{Sections: sections, Ending: run.Ending}
	for _, problem := range answers {
		if problem != nil {
			d.Problems = append(d.Problems, *problem)
		}
	}
	if len(d.Sections) == 0 {
		c.Notices = append(c.Notices, "no object has managed fields: no field has an owner")
	}
	return d, nil
}

func (o *policyInitOptions) show(c *cluster.Cluster, seen, _ derived) error {
	remarks := o.Remarks(c.App, c.Now, o.Live)
	if err := c.App.TellProblems(seen.Problems, remarks); err != nil {
		return err
	}
	text, err := policy.Encode(seen.Sections)
	if err != nil {
		return err
	}
	return o.Print(c.App, c.Now, o.Live, func(w io.Writer, _ string, _ show.Options) error {
		_, err := w.Write(text)
		return err
	})
}
