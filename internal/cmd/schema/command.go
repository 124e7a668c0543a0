// Package schema shows what Server-Side Apply does with the fields of a kind.
package schema

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/fields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
)

type schemaOptions struct {
	run.InquiryFlags
	apiVersion string
	depth      int
	// typed is the kind with the field; others are kinds of the same name.
	typed  string
	others []fields.Kind
}

// New is the command schema.
func New(a *app.App) *cobra.Command {
	o := &schemaOptions{}
	cmd := &cobra.Command{
		Use:   "schema KIND[.FIELD]",
		Short: "Show how a field merges, and who writes it",
		Long: `Show what 'kubectl explain' leaves out of a field: whether it is granular or
atomic and by which marker, the keys of a list and their defaults, what the API
server fills in and stores, who writes it in a default cluster, and what that
means for two field managers.

KIND is a kind, plural or short name, with the group where several have it
(certificates.cert-manager.io). FIELD is written as for 'kubectl explain'; the end
of a path is enough where only one field ends with it. Custom kinds need their
CustomResourceDefinition (--crds).

The exit code is 0 when the question was answered, and 2 when the kind or the
field does not exist.`,
		Example: `  ssactl schema deployment.spec.template.spec.containers.ports
  ssactl schema svc.spec --depth 2 --kubernetes-version 1.34
  ssactl schema certificate.spec --crds crds/ -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.typed, o.Jobs = args[0], 1
			if o.depth < 0 {
				return fmt.Errorf("--depth %d: use 0 for all levels", o.depth)
			}
			if err := o.AnswerFlags.Check(&o.Flags); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *schemaOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.Crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.BoolVarP(&o.Recursive, "recursive", "R", false, "read directories recursively")
	flags.StringVar(
		&o.apiVersion,
		"api-version",
		"",
		"`version` of the kind, as group/version (default the one that clients prefer)",
	)
	flags.IntVar(&o.depth, "depth", 1, "`levels` of fields to list below the field; 0 for all")
	o.Flags.AddLimits(cmd)
	o.ServerFlags.AddSimulated(cmd)
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("json")...)
}

func (o *schemaOptions) inquiry() run.Inquiry[fields.Question, looked, fields.Document] {
	return run.Inquiry[fields.Question, looked, fields.Document]{
		Question: run.Question[fields.Question, looked]{
			Reads: o.Reading(), Verb: "looking up", Subjects: o.subjects, Ask: o.ask,
			Failed: func(_ *cluster.Cluster, _ fields.Question, err error) looked { return looked{err: err} },
		},
		Document: func(_ context.Context, _ *cluster.Cluster, answers []looked, _ report.Run) (d fields.Document, err error) {
			for _, a := range answers {
				d, err = a.document, a.err
			}
			return d, err
		},
		Show: func(c *cluster.Cluster, seen, _ fields.Document) error {
			return o.Answer(c.App, c.Now, nil, formatsOf(seen))
		},
		Verdict: func(c *cluster.Cluster, _ fields.Document) error {
			if len(c.Problems) > 0 {
				return run.Unanswered(c, app.ErrTrouble)
			}
			return nil
		},
	}
}

func (o *schemaOptions) subjects(_ context.Context, c *cluster.Cluster) ([]fields.Question, error) {
	kind, field, others, err := fields.Resolve(c.Server, o.typed, o.apiVersion)
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		o.others = append(o.others, fields.KindOf(other))
	}
	q := fields.Question{Kind: kind, Field: field, Depth: o.depth}
	if q.Depth == 0 {
		q.Depth = fields.Unlimited
	}
	return []fields.Question{q}, nil
}

// looked is what was found, or why nothing was.
type looked struct {
	document fields.Document
	err      error
}

func (o *schemaOptions) ask(_ context.Context, c *cluster.Cluster, q fields.Question) looked {
	d, err := fields.Ask(c.Server, q)
	if err != nil {
		err = fmt.Errorf("%s: %w", q.Kind.GroupKind(), err)
	}
	d.Others = o.others
	return looked{d, err}
}
