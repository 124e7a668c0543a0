package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/render/view"
)

// findingFlags are those of commands that find faults: which of them count.
type findingFlags struct {
	failOn       string
	rules        findings.Selection
	suppressions []string
	// severity and suppressed are what check made of the flags; no severity means
	// that no finding makes the run fail.
	severity   findings.Severity
	suppressed []findings.Suppression
}

func (f *findingFlags) add(cmd *cobra.Command, rules findings.Rules, text func(rule string) view.RuleText) {
	flags := cmd.Flags()
	flags.StringVar(&f.failOn, "fail-on", string(findings.Warning), "least `severity` that makes the exit code 1: error, warning, note, or never")
	flags.StringArrayVar(&f.rules.Only, "rule", nil, "only the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.rules.Skip, "skip-rule", nil, "leave out the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(&f.suppressions, "suppressions", nil, "YAML `file` with findings to leave out (repeatable)")
	mustComplete(cmd, "fail-on", []string{"error", "warning", "note", "never"})
	var names []string
	for _, r := range rules {
		names = append(names, r.Name+"\t"+text(r.Name).Title)
	}
	mustComplete(cmd, "rule", names)
	mustComplete(cmd, "skip-rule", names)
}

// check finds wrong flags before anything else is read.
func (f *findingFlags) check(rules findings.Rules) error {
	var errs []error
	if err := rules.Check(f.rules); err != nil {
		errs = append(errs, fmt.Errorf("--rule, --skip-rule: %w", err))
	}
	var err error
	f.severity, err = parseFailOn(f.failOn)
	errs = append(errs, err)
	f.suppressed, err = loadSuppressions(f.suppressions, rules)
	return errors.Join(append(errs, err)...)
}

// verdictOn is what the exit code is made of.
func (f *findingFlags) verdictOn(d findings.Report) error {
	switch {
	case len(d.Problems) > 0:
		return errTrouble
	case f.severity != "" && d.Has(f.severity):
		return errNo
	}
	return nil
}

// parseFailOn is empty for never.
func parseFailOn(text string) (findings.Severity, error) {
	for _, s := range findings.Severities() {
		if text == string(s) {
			return s, nil
		}
	}
	switch text {
	case failOnRisky:
		return findings.Warning, nil
	case failOnNever:
		return "", nil
	}
	return "", fmt.Errorf("--fail-on %q: use error, warning, note, or never", text)
}
