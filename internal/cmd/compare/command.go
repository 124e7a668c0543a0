package compare

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

type compareOptions struct {
	run.InquiryFlags
	// before is the earlier dump; the later one is what is live.
	before string
	// applied are the manifests of the next applies, by the object that each one
	// names once they are read.
	applied  []string
	next     map[string]manifest.Document
	manager  string
	force    bool
	status   bool
	exitCode bool
	// past are the objects of the earlier dump.
	past *live.Index
	// partial says which dumps could not be read in full, so that a missing object may
	// exist.
	partial struct{ before, after bool }
}

// New is the command compare.
func New(a *app.App) *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "Show which values and owners changed between two dumps",
		Long: `Show what happened between two dumps of a cluster, before and after a
maintenance window, an upgrade or a restore: which objects, values and owners
changed, who took what from whom, and which managed fields entries were lost.

Left out are .status, which --status adds, and what every write changes. With
manifests (-f), the next apply of each is simulated on both dumps.

The exit code is 0 when the dumps were compared, 1 when the API server would
reject a next apply or, with --exit-code, when anything differs, and 2 when
something could not be read.`,
		Example: `  kubectl get deploy,cm,svc -A -o yaml --show-managed-fields > before.yaml
  # ... the maintenance window ...
  kubectl get deploy,cm,svc -A -o yaml --show-managed-fields > after.yaml
  ssactl compare before.yaml after.yaml
  ssactl compare before.yaml after.yaml -f manifests/ --field-manager helm
  ssactl compare before.yaml after.yaml -o github -o sarif=compare.sarif`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("two dumps are needed, the earlier one first:\n  %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.before, o.Live, o.Compact = args[0], args[1:], true
			if err := o.check(); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *compareOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&o.applied,
		"filename", "f", nil,
		"`manifest` whose next apply is simulated on both dumps: a file, directory, or - (repeatable)",
	)
	o.Flags.AddReading(cmd)
	input.OnlyNamespace(cmd)
	o.ServerFlags.Add(cmd)
	flags.StringVar(
		&o.manager,
		"field-manager",
		input.DefaultManager,
		"`name` of the field manager that applies the manifests of -f",
	)
	flags.BoolVar(&o.force, "force-conflicts", false, "take ownership of conflicting fields in the next applies")
	flags.BoolVar(&o.status, "status", false, "compare .status too")
	flags.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 when anything differs")
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats(append([]string{"json", "yaml"}, show.FindingFormats()...)...)...)
}

// check finds wrong flags before anything is read.
func (o *compareOptions) check() error {
	o.StandIn = input.Nothing
	o.Extra, o.Others = [][]string{o.applied}, append(slices.Clone(o.applied), o.before)
	return errors.Join(o.AnswerFlags.Check(&o.Flags), cluster.CheckStdin(o.Live, o.Others, o.Crds))
}
