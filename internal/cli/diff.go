package cli

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/server/api"
)

type diffOptions struct {
	inputFlags
	serverFlags
	requestFlags
	outputFlags
	force      bool
	serverSide bool
}

func newDiffCmd(a *app) *cobra.Command {
	o := &diffOptions{}
	cmd := &cobra.Command{
		Use:   "diff -f MANIFEST --live LIVE",
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
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDiff(cmd.Context(), a, o)
		},
	}
	o.inputFlags.add(cmd)
	o.inputFlags.addUnmatched(cmd)
	o.inputFlags.addDryRun(cmd)
	o.serverFlags.add(cmd)
	o.serverFlags.addRequireSchema(cmd)
	o.requestFlags.add(cmd, "status", "scale")
	o.outputFlags.add(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&o.owners, "owners", false, "name the owners of each changed field in the margin (-o structured)")
	flags.BoolVar(&o.force, "force-conflicts", false, "take conflicting fields over from their field managers")
	flags.BoolVar(&o.serverSide, "server-side", true, "no-op, for kubectl compatibility: every apply is server-side")
	o.inputFlags.requireManifests(cmd)
	return cmd
}

func runDiff(ctx context.Context, a *app, o *diffOptions) error {
	o.fallback = "diff"
	if a.streams.OutIsTerminal || o.owners {
		o.fallback = "structured"
	}
	validation, err := o.fieldValidation()
	if err = errors.Join(err, o.outputFlags.check()); err != nil {
		return err
	}
	outputs, err := o.parse()
	if err == nil {
		err = refuseInputs(outputs, &o.inputFlags)
	}
	if err != nil {
		return err
	}
	external := &externalDiff{ctx: ctx, app: a, program: a.streams.Getenv("KUBECTL_EXTERNAL_DIFF")}
	defer external.close()
	ourselves := external.program == "" || len(o.outputs) > 0
	if !ourselves {
		outputs = []output{{format: external.format()}}
	}
	a = a.watched(o.quiet)
	c, err := a.loadCluster(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	nothingLive := c.withoutLive(&o.inputFlags)
	d, err := a.newDisplay(&o.outputFlags, outputs, c.now, o.live)
	if err != nil {
		return err
	}
	defer d.close()
	var differ atomic.Bool
	d.seen = func(r report.Result) error {
		if !ourselves || differ.Load() {
			return nil
		}
		differs, err := render.Differs(r, d.options)
		if differs {
			differ.Store(true)
		}
		return err
	}
	err = a.answerPairs(ctx, c, c.appliedBy(o.manager), func(p pair) engine.Write {
		w := c.write(p)
		w.Caveats = append(w.Caveats, nothingLive...)
		w.Verb, w.MediaType = api.Apply, ""
		w.Subresource, w.Manager, w.Force = o.subresource, o.manager, o.force
		w.FieldValidation = validation
		return w
	}, d)
	switch {
	case errors.Is(err, errRisky):
		return errNo
	case errors.Is(err, errNo):
		// 1 is for differences, as with kubectl diff.
		return errRefused
	case err == nil && (differ.Load() || external.differs):
		return errNo
	}
	return err
}
