package cli

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/report"
)

func newDiffCmd(a *app) *cobra.Command {
	o := &applyOptions{}
	cmd := &cobra.Command{
		Use:   "diff -f MANIFEST --live LIVE [KIND/NAME...]",
		Short: "Show what a Server-Side Apply would change, as a diff",
		Long: `Show what applying the manifests would change in the live objects: what
'kubectl diff --server-side' shows, without a cluster. Into a pipe or a file it
writes a unified diff that patch accepts; on a terminal, the changed fields by
field path (-o structured). What only the server keeps is left out:
managedFields, and with them generation, resourceVersion, uid and
creationTimestamp.

KUBECTL_EXTERNAL_DIFF names another program to compare with, as for kubectl: it
is run with two directories, and may have parameters of letters, digits, dashes
and equals signs.

The exit code is 0 when there is no difference, 1 when there are differences and
all of them would be accepted, 2 when no answer could be given, and 3 when at
least one object would be rejected.`,
		Example: `  # What would change?
  ssactl diff -f web.yaml --live live.yaml --field-manager helm

  # Leave out what an autoscaler keeps changing, and show the owner of each line
  ssactl diff -f web.yaml --live live.yaml --ignore-field .spec.replicas -o structured --owners`,
		Args: manifestNames(&o.inputFlags),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDiff(cmd, a, o)
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&o.owners, "owners", false, "name the owners of each changed field in the margin (-o structured)")
	return cmd
}

func runDiff(cmd *cobra.Command, a *app, o *applyOptions) error {
	external := &externalDiff{ctx: cmd.Context(), app: a, program: a.streams.Getenv("KUBECTL_EXTERNAL_DIFF")}
	defer external.close()
	ourselves := external.program == "" || len(o.given) > 0
	if o.given == nil {
		o.given = []string{"diff"}
		if a.streams.OutIsTerminal || o.owners {
			o.given = []string{"structured"}
		}
	}
	if err := errors.Join(o.needLive(), o.check(cmd), o.checkForce()); err != nil {
		return err
	}
	if !ourselves {
		o.outputs = []output{{format: external.format()}}
	}
	d := &diffing{writing: o.applying(), ourselves: ourselves, external: external}
	return execute(cmd.Context(), a, d.question(), d)
}

// diffing is a write whose verdict is whether there is a difference.
type diffing struct {
	*writing
	// ourselves: no other program compares.
	ourselves bool
	external  *externalDiff
	differ    atomic.Bool
}

func (d *diffing) begin(c *cluster, pairs []pair) error {
	if err := d.writing.begin(c, pairs); err != nil || !d.ourselves {
		return err
	}
	d.display.seen = func(r report.Result) error {
		if d.differ.Load() {
			return nil
		}
		differs, err := objects.Differs(r, d.display.options.Objects())
		if differs {
			d.differ.Store(true)
		}
		return err
	}
	return nil
}

func (d *diffing) conclude(ctx context.Context, c *cluster) error {
	err := d.writing.conclude(ctx, c)
	switch {
	case errors.Is(err, errRisky):
		return errNo
	case errors.Is(err, errNo):
		// 1 is for differences, as with kubectl diff.
		return errRefused
	case err == nil && (d.differ.Load() || d.external.differs):
		return errNo
	}
	return err
}
