package clear

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/input"
)

type clearOptions struct {
	run.InquiryFlags
	selection   Selection
	subresource string
	stale       bool
	olderThan   string
	with        []string
	manager     string
	force       bool
	writeIn     bool
	wanted      []input.ObjectName
	all         bool
	// manifests are those of --with, by the object that each one names.
	manifests map[string]manifest.Document
}

// New is the command clear.
func New(a *app.App) *cobra.Command {
	o := &clearOptions{}
	cmd := &cobra.Command{
		Use:   "clear -f LIVE (--manager NAME | --all) [KIND/NAME...]",
		Short: "Plan clearing managed fields entries, and preview the effect",
		Long: `Plan to clear the managedFields of live objects: the entries that flags select,
or all of them with --all. The patch that does it is simulated, so that the
answer is what the server would store: which fields are left unowned, which
others still own, and what the next apply of each manager does, with one of its
fields left out or changed as an example.

With --all, all entries of an object are cleared; its next apply then co-owns
everything with before-first-apply, an entry synthesized by the server. Clearing
twice changes nothing the second time.

--manager, --operation and --subresource are combined with AND; of --stale,
--unserved and --missing-fields one is enough.

  text, markdown, html
              what would be cleared and lost, what the next applies do, the command
  yaml, json  the objects as the server would store them
  json-patch  the patches; each tests the resourceVersion first
  kubectl     the command lines that send them
  report      everything, as one JSON document

The exit code is 0 when the server would accept (also when there is nothing to
clear), 1 when it would reject the patch or, after it, the apply of --with, and
2 when no answer could be given.`,
		Example: `  kubectl get deployment web -o yaml --show-managed-fields > live.yaml
  ssactl clear -f live.yaml --manager node-fetch
  ssactl clear -f live.yaml --manager 'kubectl-*' --operation Update -o kubectl
  ssactl clear -f live.yaml --all --with web.yaml --field-manager argocd-controller
  ssactl clear -f dump.yaml --stale --older-than 1y --write`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("subresource") {
				o.selection.Subresource = &o.subresource
			}
			o.stale = o.stale || cmd.Flags().Changed("older-than")
			if err := o.check(args); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *clearOptions) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.Flags.AddLiveObjects(cmd)
	o.ServerFlags.Add(cmd)
	flags.BoolVar(&o.all, "all", false, "clear all entries")
	flags.StringArrayVar(
		&o.selection.Managers,
		"manager",
		nil,
		"only entries of the field manager of this `name`; * stands for anything (repeatable)",
	)
	flags.StringVar(&o.selection.Operation, "operation", "", "only entries of this `operation`: Apply, Update")
	flags.StringVar(&o.subresource, "subresource", "", "only entries of this `subresource`; '' for the main resource")
	flags.BoolVar(
		&o.stale,
		"stale",
		false,
		"entries of managers that seem to be gone: last written longer ago than --older-than",
	)
	flags.StringVar(&o.olderThan, "older-than", "180d", "the `age` from which an entry is stale, such as 180d, 2y or 36h")
	flags.BoolVar(&o.selection.Unserved, "unserved", false, "entries at API versions that the server does not serve")
	flags.BoolVar(
		&o.selection.MissingFields,
		"missing-fields",
		false,
		"the paths that the object does not have, instead of entries",
	)
	flags.StringArrayVar(
		&o.with,
		"with",
		nil,
		"`manifest` to apply after clearing, simulated: a file, directory, or - (repeatable)",
	)
	flags.StringVar(
		&o.manager,
		"field-manager",
		input.DefaultManager,
		"`name` of the field manager that applies the manifests of --with",
	)
	flags.BoolVar(&o.force, "force-conflicts", false, "take ownership of conflicting fields in the applies of --with")
	flags.BoolVar(&o.writeIn, "write", false, "put the results into the live files, all of them or none")
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats("yaml", "json", "json-patch", "kubectl")...)
	input.MustComplete(cmd, "operation", []string{managedfields.Apply, managedfields.Update})
	for _, flag := range []string{"manager", "field-manager"} {
		input.Complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return input.ManagersIn(o.Live), cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// check finds wrong flags before anything is read.
func (o *clearOptions) check(args []string) (err error) {
	o.Extra, o.Others, o.Writes = [][]string{o.with}, o.with, o.writeIn
	errs := []error{o.AnswerFlags.Check(&o.Flags)}
	if len(o.Live) == 0 {
		errs = append(errs, errors.New("-f is needed: the file with the live objects"))
	}
	switch operation := o.selection.Operation; {
	case strings.EqualFold(operation, managedfields.Apply):
		o.selection.Operation = managedfields.Apply
	case strings.EqualFold(operation, managedfields.Update):
		o.selection.Operation = managedfields.Update
	case operation != "":
		errs = append(errs, fmt.Errorf("--operation %q: use Apply or Update", operation))
	}
	switch whole := o.selection.Whole() && !o.stale; {
	case whole && !o.all:
		errs = append(
			errs,
			errors.New("nothing says which entries: name their field manager with --manager, or clear all with --all"),
		)
	case o.all && !whole:
		errs = append(errs, errors.New("--all clears all entries: leave it out, or the flags that select some"))
	}
	if o.stale {
		age, err := input.ParseAge(o.olderThan)
		if err != nil {
			errs = append(errs, fmt.Errorf("--older-than: %w", err))
		}
		o.selection.OlderThan = age
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if o.wanted, err = input.ParseNames(args); err != nil {
		return err
	}
	return cluster.CheckStdin(o.Live, o.with, o.Crds)
}
