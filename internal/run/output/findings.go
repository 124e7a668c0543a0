package output

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

// FindingFlags are those of commands that find faults: which of them count.
type FindingFlags struct {
	failOn       []string
	failOnFlag   *pflag.Flag
	Rules        finding.Selection
	Suppressions []string
	// failing and suppressed are what check made of the flags.
	failing    report.FailOn
	Suppressed []finding.Suppression
}

// Add adds the flags of commands that find faults.
func (f *FindingFlags) Add(cmd *cobra.Command, rules finding.Rules) {
	flags := cmd.Flags()
	AddFailOn(cmd, &f.failOn, "findings", rules.Names(), string(report.SeverityWarning))
	flags.StringArrayVar(&f.Rules.Only, "rule", nil, "only the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.Rules.Skip, "skip-rule", nil, "leave out the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.Suppressions, "suppressions", nil, "YAML `file` with findings to leave out (repeatable)")
	f.failOnFlag = flags.Lookup("fail-on")
	var names []string
	for _, r := range rules {
		names = append(names, r.Name+"\t"+r.Title)
	}
	input.MustComplete(cmd, "rule", names)
	input.MustComplete(cmd, "skip-rule", names)
}

// Check finds wrong flags before anything else is read.
func (f *FindingFlags) Check(rules finding.Rules) error {
	var errs []error
	if err := rules.Check(f.Rules); err != nil {
		errs = append(errs, fmt.Errorf("--rule, --skip-rule: %w", err))
	}
	var err error
	f.failing, err = ParseFailOn(f.failOn, rules.Names())
	f.failing.Default = !f.failOnFlag.Changed
	errs = append(errs, err)
	f.Suppressed, err = loadSuppressions(f.Suppressions, rules)
	return errors.Join(append(errs, err)...)
}

// Counting are those of a run, with none counted yet.
func (f *FindingFlags) Counting() *report.FailOn {
	failing := f.failing
	return &failing
}

// VerdictOn is what the exit code is made of.
func (f *FindingFlags) VerdictOn(d finding.Report) error {
	switch {
	case len(d.Problems) > 0:
		return app.ErrTrouble
	case d.FailOn.Met():
		return app.ErrNo
	}
	return nil
}

// failOnValues are what --fail-on takes of a command with these rules.
func failOnValues(rules []string) []string {
	return append([]string{report.FailOnRisky, string(report.SeverityError), string(report.SeverityWarning), string(report.SeverityNote), report.FailOnNever}, rules...)
}

// AddFailOn is for the commands whose answer may have risks or findings.
func AddFailOn(cmd *cobra.Command, values *[]string, what string, rules []string, def ...string) {
	cmd.Flags().StringSliceVar(values, "fail-on", def, what+" that make the exit code 1: risky (errors and warnings), error, warning, note, never, or the `name` of a rule (repeatable)")
	input.MustComplete(cmd, "fail-on", failOnValues(rules))
}

// ParseFailOn is what the values of --fail-on ask for.
func ParseFailOn(values, rules []string) (report.FailOn, error) {
	known := failOnValues(rules)
	for _, v := range values {
		if !slices.Contains(known, v) {
			return report.FailOn{}, fmt.Errorf("--fail-on %q: use one of %s", v, strings.Join(known, ", "))
		}
	}
	return report.FailOn{Values: values}, nil
}

// RiskVerdict is no where a risk was met that is not to be.
func (d *Display) RiskVerdict() error {
	if d.risks.Met() {
		return app.ErrRisky
	}
	return nil
}
