package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/report"
)

// The values of --fail-on beside severities and the names of rules.
const (
	failOnRisky = "risky"
	failOnNever = "never"
)

// failOn are the risks that make the exit code 1: a rank of severity and all that
// are worse, and rules by name.
type failOn struct {
	// rank is -1 for no severity.
	rank  int
	rules []string
	// unenforced: what a policy forbids is like other risks.
	unenforced bool
}

// failOnValues are what --fail-on takes.
func failOnValues() []string {
	values := []string{failOnRisky, string(report.SeverityError), string(report.SeverityWarning), string(report.SeverityNote), failOnNever}
	for _, r := range risk.Rules() {
		values = append(values, r.Name)
	}
	return values
}

// addFailOn is for the commands whose answer may have risks.
func addFailOn(cmd *cobra.Command, values *[]string) {
	cmd.Flags().StringSliceVar(values, "fail-on", nil, "risks that make the exit code 1: risky (errors and warnings), error, warning, note, never, or the `name` of a rule (repeatable)")
	mustComplete(cmd, "fail-on", failOnValues())
}

func parseRisks(values []string) (failOn, error) {
	f := failOn{rank: -1}
	for _, v := range values {
		severity := report.Severity(v)
		if v == failOnRisky {
			severity = report.SeverityWarning
		}
		switch {
		case v == failOnNever:
			f.unenforced = true
		case severity.Rank() >= 0:
			f.rank = max(f.rank, severity.Rank())
		case risk.Is(v):
			f.rules = append(f.rules, v)
		default:
			return f, fmt.Errorf("--fail-on %q: use one of %s", v, strings.Join(failOnValues(), ", "))
		}
	}
	return f, nil
}

// meets reports whether one of the risks is not to be: what a policy forbids, unless
// its rule says that it is less than an error, or all risks are let pass.
func (f failOn) meets(risks []report.Risk) bool {
	return slices.ContainsFunc(risks, func(r report.Risk) bool {
		return r.Severity.Rank() <= f.rank || slices.Contains(f.rules, r.Rule) ||
			r.Rule == risk.ForbiddenOwner && r.Severity == report.SeverityError && !f.unenforced
	})
}

// riskVerdict is no where a risk was met that is not to be.
func (d *display) riskVerdict() error {
	if d.met {
		return errRisky
	}
	return nil
}
