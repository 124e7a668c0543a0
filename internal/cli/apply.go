package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
)

// applyOptions are those of a preview of a Server-Side Apply.
type applyOptions struct {
	writeOptions
	force bool
}

func newApplyCmd(a *app) *cobra.Command { return applyCmd(a, &applyOptions{}) }

// applyCmd is the command that fills options, and runs with them.
func applyCmd(a *app, o *applyOptions) *cobra.Command {
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
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runApply(cmd, a, o)
		},
	}
	o.add(cmd)
	o.writeFlags.add(cmd)
	return cmd
}

func (o *applyOptions) add(cmd *cobra.Command) {
	o.writeOptions.add(cmd, "status", "scale")
	o.infer(cmd)
	cmd.Flags().BoolVar(&o.force, "force-conflicts", false, "take ownership of conflicting fields from their field managers")
	o.inputFlags.requireManifests(cmd)
}

func runApply(cmd *cobra.Command, a *app, o *applyOptions) error {
	if err := errors.Join(o.check(cmd), o.checkForce()); err != nil {
		return err
	}
	return answerApplies(cmd.Context(), a, o)
}

// checkForce refuses force where the client has none, as the clients do.
func (o *applyOptions) checkForce() error {
	o.spare = o.spares()
	if o.force && o.clientSide() {
		return errors.New("--force-conflicts only works with --server-side")
	}
	return nil
}

// answerApplies answers with checked options.
func answerApplies(ctx context.Context, a *app, o *applyOptions) error {
	w := o.applying()
	w.noLive = len(o.live) == 0
	return answerWrites(ctx, a, w)
}

// applying asks about an apply of each manifest.
func (o *applyOptions) applying() *writing {
	o.scaling, o.settings.ForceConflicts = o.subresource == "scale", o.force
	return &writing{
		writeOptions: &o.writeOptions, prune: o.deletions,
		pairsOf: func(ctx context.Context, c *cluster) ([]pair, error) { return c.appliedBy(ctx, &o.clientFlags) },
		writeOf: func(c *cluster, p pair) engine.Write {
			w := c.apply(p)
			w.Force = o.force || c.client != nil && c.client.Force
			o.fill(&w)
			return w
		},
	}
}
