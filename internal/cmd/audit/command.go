package audit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/cmd/audit/rules"
	"github.com/ssactl/ssactl/internal/run"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/output"
	"github.com/ssactl/ssactl/internal/shell"
)

type auditOptions struct {
	run.InquiryFlags
	input.ClientFlags
	// wanted are the live objects that the arguments name; nil for all.
	wanted     []input.ObjectName
	staleAfter string
	output.FindingFlags
	// paired is how many manifests a live object is of, and assumed why they are applied as
	// they are where no flag says it; empty where one does.
	paired  int
	assumed string
	// settings are what check made of the flags.
	settings rules.Settings
}

// New is the command audit.
func New(a *app.App) *cobra.Command {
	o := &auditOptions{}
	o.Mixed = true
	cmd := &cobra.Command{
		Use:   "audit -f LIVE [-f MANIFESTS --field-manager NAME] [KIND/NAME...]",
		Short: "Find problems in the ownership of live objects",
		Long: `Find problems in the ownership of live objects: fields that stay when manifests
drop them, abandoned owners, entries that the API server drops, last-applied
annotations that are wrong or contain secrets, lists that merge badly. With
manifests, also what the next apply of each would meet.

A file given with -f holds live objects when any object in it has managedFields,
a uid or a resourceVersion; otherwise it holds manifests. With --live, every -f
is manifests.

Each finding has a rule with a stable name, a severity, and the command that
fixes it:

  error    a next write is rejected, or ownership is lost
  warning  the next write does not do what its manifest says, or a secret is
           exposed
  note     nothing breaks by itself, but it is good to know

To skip rules for an object, list them in the annotation ` + rules.IgnoreAnnotation + `;
to skip findings, list them in a file for --suppressions.

The exit code is 0 when no finding is as severe as --fail-on, 1 when one is, and
2 when an input could not be read or the run was interrupted.`,
		Example: `  kubectl get all -A -o yaml --show-managed-fields > dump.yaml
  ssactl audit -f dump.yaml
  ssactl audit -f dump.yaml -f manifests/ -R --field-manager argocd-controller
  ssactl audit -f dump.yaml --rule 'last-applied-*' -o json`,
		Args: input.LiveNames(&o.wanted),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(o.check(), o.ClientFlags.Check(cmd, input.ManagerFlag)); err != nil {
				return err
			}
			return run.Inquire(cmd.Context(), a, o.inquiry())
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *auditOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.Flags.Add(cmd)
	flags.Lookup("filename").Usage = "live objects, or manifests: a `file`, directory, or - for standard input (repeatable)"
	input.OnlyNamespace(cmd)
	o.ServerFlags.Add(cmd)
	o.AddManager(cmd, "")
	o.Infer(cmd)
	flags.StringVar(
		&o.staleAfter,
		"stale-after",
		"180d",
		"`age` from which an entry may be of a manager that no longer writes, such as 180d, 2y or never",
	)
	o.Flags.AddPolicy(cmd)
	o.AddRounds(cmd)
	o.FindingFlags.Add(cmd, rules.Rules())
	o.AnswerFlags.AddOf(cmd, show.AnswerFormats(append([]string{"json", "yaml"}, show.FindingFormats()...)...)...)
	flags.Lookup("quiet").Usage = "print the verdict and the counts only"
	flags.Lookup("verbose").Usage += ", and what is suppressed"
	o.Flags.RequireManifests(cmd)
}

// check finds wrong flags before anything else is read.
func (o *auditOptions) check() (err error) {
	o.Others = o.Suppressions
	errs := []error{o.AnswerFlags.Check(&o.Flags)}
	clock := &o.settings.Clock
	clock.Now, err = o.Clock()
	if clock.Now.IsZero() {
		clock.Now = input.TimeNow()
	}
	errs = append(errs, err)
	if o.staleAfter != "never" {
		if clock.StaleAfter, err = input.ParseAge(o.staleAfter); err != nil {
			errs = append(errs, fmt.Errorf("--stale-after: %w, or never", err))
		}
	}
	errs = append(errs, o.FindingFlags.Check(rules.Rules()))
	o.settings.Selection, o.settings.Kustomization = o.Rules, o.Kustomize
	o.settings.Inputs = slices.Concat(o.Sources(), o.Flags.Words())
	for _, path := range o.Crds {
		o.settings.Flags = append(o.settings.Flags, shell.File("--crds", path))
	}
	if o.KubernetesVersion != "" {
		o.settings.Flags = append(o.settings.Flags, shell.Value("--kubernetes-version", o.KubernetesVersion))
	}
	if o.ShowSecrets {
		o.settings.Secrets = rules.ShowSecrets
	}
	return errors.Join(errs...)
}
