package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/report"
)

// findingFlags are those of commands that find faults: which of them count.
type findingFlags struct {
	failOn       []string
	failOnFlag   *pflag.Flag
	rules        finding.Selection
	suppressions []string
	// failing and suppressed are what check made of the flags.
	failing    report.FailOn
	suppressed []finding.Suppression
}

func (f *findingFlags) add(cmd *cobra.Command, rules finding.Rules) {
	flags := cmd.Flags()
	addFailOn(cmd, &f.failOn, "findings", rules.Names(), string(report.SeverityWarning))
	flags.StringArrayVar(&f.rules.Only, "rule", nil, "only the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.rules.Skip, "skip-rule", nil, "leave out the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.suppressions, "suppressions", nil, "YAML `file` with findings to leave out (repeatable)")
	f.failOnFlag = flags.Lookup("fail-on")
	var names []string
	for _, r := range rules {
		names = append(names, r.Name+"\t"+r.Title)
	}
	mustComplete(cmd, "rule", names)
	mustComplete(cmd, "skip-rule", names)
}

// check finds wrong flags before anything else is read.
func (f *findingFlags) check(rules finding.Rules) error {
	var errs []error
	if err := rules.Check(f.rules); err != nil {
		errs = append(errs, fmt.Errorf("--rule, --skip-rule: %w", err))
	}
	var err error
	f.failing, err = parseFailOn(f.failOn, rules.Names())
	f.failing.Default = !f.failOnFlag.Changed
	errs = append(errs, err)
	f.suppressed, err = loadSuppressions(f.suppressions, rules)
	return errors.Join(append(errs, err)...)
}

// counting are those of a run, with none counted yet.
func (f *findingFlags) counting() *report.FailOn {
	failing := f.failing
	return &failing
}

// verdictOn is what the exit code is made of.
func (f *findingFlags) verdictOn(d finding.Report) error {
	switch {
	case len(d.Problems) > 0:
		return errTrouble
	case d.FailOn.Met():
		return errNo
	}
	return nil
}
