// Package apply previews Server-Side Apply, and its difference from what is live.
package apply

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cmd/write"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

// Options are those of a preview of a Server-Side Apply.
type Options struct {
	write.Options
	force bool
}

// New is the command apply.
func New(a *app.App) *cobra.Command { return Command(a, &Options{}) }

// Command is the command that fills options, and runs with them.
func Command(a *app.App, o *Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "apply -f MANIFEST [--live LIVE] [KIND/NAME...]",
		Short: "Preview a Server-Side Apply",
		Long: `Preview what applying the manifests with Server-Side Apply would do to the live
objects: the verdict, each conflict with the owner of the field and the line of
the manifest, what force would take from whom, who owns what, and the diff. A
manifest without a live object would be created.

The exit code is 0 when every apply would succeed, 1 when the API server would
reject at least one object, and 2 when no answer could be given.`,
		Example: `  # What would happen?
  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl apply -f web.yaml --live live.yaml --field-manager argocd-controller

  # The resulting objects, written back into the live files
  ssactl apply -f manifests/ --live dump.yaml --field-manager helm --write`,
		Args: input.ManifestNames(&o.Flags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Check(cmd); err != nil {
				return err
			}
			return AnswerApplies(cmd.Context(), a, o)
		},
	}
	o.add(cmd)
	o.FileFlags.Add(cmd)
	return cmd
}

func (o *Options) add(cmd *cobra.Command) {
	o.Options.Add(cmd, "status", "scale")
	o.Infer(cmd)
	o.AddRounds(cmd)
	cmd.Flags().
		BoolVar(&o.force, "force-conflicts", false, "take ownership of conflicting fields from their field managers")
	o.Base.Add(cmd)
	o.Flags.RequireManifests(cmd)
}

// Check finds wrong flags, and refuses force where the client has none, as the clients do.
func (o *Options) Check(cmd *cobra.Command) error {
	if err := o.Options.Check(cmd); err != nil {
		return err
	}
	if err := o.Base.Check(&o.Flags); err != nil {
		return err
	}
	if o.Base.Given() && o.WriteIn {
		return errors.New("--write works without --base and --base-ref: they ask about a change of manifests")
	}
	o.Spare = o.Spares(o.Live)
	if o.force && o.ClientSide() {
		return errors.New("--force-conflicts only works with --server-side")
	}
	return nil
}

// AnswerApplies answers with checked options.
func AnswerApplies(ctx context.Context, a *app.App, o *Options) error {
	w := o.applying()
	w.NoLive = len(o.Live) == 0
	return write.AnswerWrites(ctx, a, w)
}

// applying asks about an apply of each manifest.
func (o *Options) applying() *write.Writing {
	o.Scaling, o.Settings.ForceConflicts = o.Subresource == "scale", o.force
	return &write.Writing{
		Options: &o.Options, Prune: (*cluster.Cluster).Deletions,
		PairsOf: func(ctx context.Context, c *cluster.Cluster) ([]cluster.Pair, error) {
			return c.AppliedBy(ctx, &o.ClientFlags)
		},
		WriteOf: func(c *cluster.Cluster, p cluster.Pair) engine.Write {
			w := c.Apply(p)
			w.Force = o.force || c.Client != nil && c.Client.Force
			o.Fill(&w)
			return w
		},
	}
}
