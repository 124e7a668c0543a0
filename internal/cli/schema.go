package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/plan/schema"
	"github.com/ssactl/ssactl/internal/render"
)

type schemaOptions struct {
	inputFlags
	serverFlags
	answerFlags
	apiVersion string
	depth      int
}

func newSchemaCmd(a *app) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, args []string) error { return runSchema(cmd.Context(), a, o, args[0]) },
	}
	o.add(cmd)
	return cmd
}

func (o *schemaOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&o.crds, "crds", nil, "`file` or directory with CustomResourceDefinitions (repeatable)")
	flags.BoolVarP(&o.recursive, "recursive", "R", false, "read directories recursively")
	flags.StringVar(&o.apiVersion, "api-version", "", "`version` of the kind, as group/version (default the one that clients prefer)")
	flags.IntVar(&o.depth, "depth", 1, "`levels` of fields to list below the field; 0 for all")
	o.inputFlags.addLimits(cmd)
	o.serverFlags.addSimulated(cmd)
	o.answerFlags.addOf(cmd, render.AnswerFormats("json")...)
}

func runSchema(ctx context.Context, a *app, o *schemaOptions, typed string) error {
	if o.depth < 0 {
		return fmt.Errorf("--depth %d: use 0 for all levels", o.depth)
	}
	if err := o.answerFlags.check(&o.inputFlags); err != nil {
		return err
	}
	o.jobs = 1
	c, err := a.load(ctx, loading{&o.inputFlags, &o.serverFlags, o.quiet})
	if err != nil {
		return err
	}
	kind, field, others, err := schema.Resolve(c.server, typed, o.apiVersion)
	if err != nil {
		return unanswered(c, err)
	}
	q := schema.Question{Kind: kind, Field: field, Depth: o.depth}
	if q.Depth == 0 {
		q.Depth = schema.Unlimited
	}
	document, err := schema.Ask(c.server, q)
	if err != nil {
		return fmt.Errorf("%s: %w", kind.GroupKind(), err)
	}
	for _, other := range others {
		document.Others = append(document.Others, schema.KindOf(other))
	}
	if err := o.answerFlags.answer(a, c.now, nil, render.Schema(document)); err != nil || len(c.problems) == 0 {
		return err
	}
	return unanswered(c, errTrouble)
}
