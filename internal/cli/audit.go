package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/plan/audit"
	"github.com/ssactl/ssactl/internal/render"
)

type auditOptions struct {
	inputFlags
	serverFlags
	requestFlags
	// named tells whether --field-manager was given.
	named        bool
	outputs      []string
	color        string
	maxBytes     int
	staleAfter   string
	failOn       string
	rules        audit.Selection
	suppressions []string
	showSecrets  bool
	quiet        bool
	verbose      bool
}

func newAuditCmd(a *app) *cobra.Command {
	o := &auditOptions{}
	cmd := &cobra.Command{
		Use:   "audit -f LIVE [-f MANIFESTS --field-manager NAME]",
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

  error    somebody's next write is rejected, or ownership is lost
  warning  the next write does not do what its manifest says, or a secret is
           exposed
  note     nothing breaks by itself, but it is good to know

To skip rules for an object, list them in the annotation ` + audit.IgnoreAnnotation + `;
to skip findings, list them in a file for --suppressions.

The exit code is 0 when no finding is as severe as --fail-on, 1 when one is, and
2 when an input could not be read or the run was interrupted.`,
		Example: `  kubectl get all -A -o yaml --show-managed-fields > dump.yaml
  ssactl audit -f dump.yaml
  ssactl audit -f dump.yaml -f manifests/ -R --field-manager argocd-controller
  ssactl audit -f dump.yaml --rule 'last-applied-*' -o json`,
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.named = cmd.Flags().Changed("field-manager")
			return runAudit(cmd.Context(), a, o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

func (o *auditOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.inputFlags.add(cmd)
	flags.Lookup("filename").Usage = "live objects, or manifests: a `file`, directory, or - for standard input (repeatable)"
	onlyNamespace(cmd)
	o.serverFlags.add(cmd)
	flags.StringVar(&o.manager, "field-manager", defaultManager, "`name` of the field manager that applies the manifests")
	flags.StringVar(&o.staleAfter, "stale-after", "180d", "`age` from which an entry may be of a manager that no longer writes, such as 180d, 2y or never")
	flags.StringVar(&o.failOn, "fail-on", string(audit.Warning), "least `severity` that makes the exit code 1: error, warning, note, or never")
	flags.StringArrayVar(&o.rules.Only, "rule", nil, "only the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&o.rules.Skip, "skip-rule", nil, "leave out the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&o.suppressions, "suppressions", nil, "YAML `file` with findings to leave out (repeatable)")
	flags.StringArrayVarP(&o.outputs, "output", "o", nil, "output `format`, or format=FILE to write it there (repeatable): "+strings.Join(auditFormats(), ", "))
	flags.StringVar(&o.color, "color", "auto", "use colour: auto, always, never")
	flags.IntVar(&o.maxBytes, "max-bytes", render.DefaultMaxBytes, "most characters of the markdown format; 0 for no limit")
	flags.BoolVar(&o.showSecrets, "show-secrets", false, "do not hide the values of Secrets")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "print the verdict and the counts only")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "print everything, nothing folded, and what is suppressed")
	mustComplete(cmd, "output", auditFormats())
	mustComplete(cmd, "color", []string{"auto", "always", "never"})
	mustComplete(cmd, "fail-on", []string{"error", "warning", "note", "never"})
	mustComplete(cmd, "rule", auditRules())
	mustComplete(cmd, "skip-rule", auditRules())
	mustCompleteManagers(cmd)
	o.inputFlags.requireManifests(cmd)
}

func auditFormats() []string {
	return render.AnswerFormats(append([]string{"json", "yaml"}, render.FindingFormats()...)...)
}

// auditRules completes a rule's name with its title.
func auditRules() []string {
	var out []string
	for _, r := range audit.Rules() {
		out = append(out, r.Name+"\t"+r.Title)
	}
	return out
}

// auditPlan is what the flags ask for.
type auditPlan struct {
	settings     audit.Settings
	suppressions []audit.Suppression
	outputs      []output
	options      render.Options
	// failOn is the severity from which a finding makes the run fail; empty
	// means that none does.
	failOn audit.Severity
}

// plan finds wrong flags before anything else is read.
func (o *auditOptions) plan(a *app) (auditPlan, error) {
	var p auditPlan
	var errs []error
	color, err := iostreams.ParseColor(o.color)
	if err != nil {
		errs = append(errs, fmt.Errorf("--color: %w", err))
	}
	now, err := o.clock()
	if now.IsZero() {
		now = time.Now()
	}
	errs = append(errs, err)
	if o.staleAfter != "never" {
		p.settings.Clock.StaleAfter, err = parseAge(o.staleAfter)
		if err != nil {
			errs = append(errs, fmt.Errorf("--stale-after: %w, or never", err))
		}
	}
	o.others = o.suppressions
	p.outputs, err = o.parseOutputs()
	errs = append(errs, err, refuseInputs(p.outputs, &o.inputFlags))
	if o.maxBytes < 0 || o.maxBytes > 0 && o.maxBytes < render.MinMaxBytes {
		errs = append(errs, fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", o.maxBytes, render.MinMaxBytes))
	}
	if err := o.rules.Check(); err != nil {
		errs = append(errs, fmt.Errorf("--rule, --skip-rule: %w", err))
	}
	failOn, err := parseFailOn(o.failOn)
	errs = append(errs, err)
	p.suppressions, err = loadSuppressions(o.suppressions)
	errs = append(errs, err)
	p.settings.Selection, p.settings.Clock.Now = o.rules, now
	p.settings.Kustomization = o.kustomize
	for _, path := range o.crds {
		p.settings.Flags = append(p.settings.Flags, "--crds", path)
	}
	if o.kubernetesVersion != "" {
		p.settings.Flags = append(p.settings.Flags, "--kubernetes-version", o.kubernetesVersion)
	}
	if o.showSecrets {
		p.settings.Secrets = audit.ShowSecrets
	}
	p.failOn, p.options = failOn, a.screen(color, now, nil)
	p.options.Quiet, p.options.Verbose, p.options.MaxBytes = o.quiet, o.verbose, o.maxBytes
	return p, errors.Join(errs...)
}

func (o *auditOptions) parseOutputs() ([]output, error) {
	given := o.outputs
	if len(given) == 0 {
		given = []string{"text"}
	}
	outputs, err := parseOutputs(given, oneOf(auditFormats()))
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	return outputs, nil
}

// parseFailOn is empty for never.
func parseFailOn(text string) (audit.Severity, error) {
	for _, s := range audit.Severities() {
		if text == string(s) {
			return s, nil
		}
	}
	switch text {
	case failOnRisky:
		return audit.Warning, nil
	case failOnNever:
		return "", nil
	}
	return "", fmt.Errorf("--fail-on %q: use error, warning, note, or never", text)
}

func runAudit(ctx context.Context, a *app, o *auditOptions) error {
	plan, err := o.plan(a)
	if err != nil {
		return err
	}
	a = a.watched(o.quiet)
	c, err := a.loadMixed(ctx, &o.inputFlags, &o.serverFlags)
	if err != nil {
		return err
	}
	report, err := c.audit(ctx, o, plan)
	if err != nil {
		return a.unanswered(c, err)
	}
	a.notice(c.notices)
	if err := a.printAudit(report, plan); err != nil {
		return err
	}
	switch {
	case report.Interrupted != nil:
		return interruptedError(report.Interrupted)
	case len(report.Problems) > 0:
		return errTrouble
	case plan.failOn != "" && report.Has(plan.failOn):
		return errNo
	}
	return nil
}
