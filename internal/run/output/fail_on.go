package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

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
