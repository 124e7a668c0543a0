package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine/ignore"
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
)

// outputFlags say how the report of a write is shown.
type outputFlags struct {
	answerFlags
	ignoreFields      []string
	showManagedFields bool
	showServerFields  bool
	failOn            []string
	// owners is a flag of diff.
	owners bool
	// filter and risks are what check made of the flags.
	filter ignore.Filter
	risks  report.FailOn
}

func (f *outputFlags) add(cmd *cobra.Command) {
	var names []string
	for _, format := range render.Formats() {
		names = append(names, format.Name)
	}
	f.answerFlags.addOf(cmd, names...)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.ignoreFields, "ignore-field", nil, "leave differences in the field with this `path` out, such as .spec.replicas or .spec.containers[*].image (repeatable)")
	flags.BoolVar(&f.showManagedFields, "show-managed-fields", false, "keep managedFields in objects and diffs")
	flags.BoolVar(&f.showServerFields, "show-server-fields", false, "keep resourceVersion, uid, generation and creationTimestamp in diffs")
	addFailOn(cmd, &f.failOn, "risks", risk.Rules().Names())
}

// check finds wrong flags before anything is read, as that of answerFlags does.
func (f *outputFlags) check(in *inputFlags, kept ...string) (err error) {
	if err := f.answerFlags.check(in, kept...); err != nil {
		return err
	}
	if f.filter, err = ignore.Parse(f.ignoreFields); err != nil {
		return fmt.Errorf("--ignore-field: %w", err)
	}
	f.risks, err = parseFailOn(f.failOn, risk.Rules().Names())
	return err
}

// options are those of answerFlags, with those of a report.
func (f *outputFlags) options(a *app, now time.Time, liveFiles []string) render.Options {
	options := f.answerFlags.options(a, now, liveFiles)
	options.ShowManagedFields, options.ShowServerFields = f.showManagedFields, f.showServerFields
	options.Ignore, options.Owners = f.filter, f.owners
	return options
}

// unanswered is the error of a run that has no answer. What could not be read is
// reported with it, as that may be why.
func unanswered(c *cluster, err error) error {
	return errors.Join(c.app.tellProblems(c.problems, render.Options{}), err)
}
