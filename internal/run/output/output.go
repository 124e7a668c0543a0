package output

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine/ignore"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
)

// WriteFlags say how the report of a write is shown.
type WriteFlags struct {
	AnswerFlags
	ignoreFields      []string
	showManagedFields bool
	showServerFields  bool
	failOn            []string
	// Owners is a flag of diff.
	Owners bool
	// filter and risks are what check made of the flags.
	filter ignore.Filter
	risks  report.FailOn
}

// Add adds the flags of the reports of writes.
func (f *WriteFlags) Add(cmd *cobra.Command) {
	var names []string
	for _, format := range render.Formats() {
		names = append(names, format.Name)
	}
	f.AnswerFlags.AddOf(cmd, names...)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.ignoreFields, "ignore-field", nil, "leave differences in the field with this `path` out, such as .spec.replicas or .spec.containers[*].image (repeatable)")
	flags.BoolVar(&f.showManagedFields, "show-managed-fields", false, "keep managedFields in objects and diffs")
	flags.BoolVar(&f.showServerFields, "show-server-fields", false, "keep resourceVersion, uid, generation and creationTimestamp in diffs")
	AddFailOn(cmd, &f.failOn, "risks", risk.Rules().Names())
}

// Check finds wrong flags before anything is read, as that of answerFlags does.
func (f *WriteFlags) Check(in *input.Flags, kept ...string) (err error) {
	if err := f.AnswerFlags.Check(in, kept...); err != nil {
		return err
	}
	if f.filter, err = ignore.Parse(f.ignoreFields); err != nil {
		return fmt.Errorf("--ignore-field: %w", err)
	}
	f.risks, err = ParseFailOn(f.failOn, risk.Rules().Names())
	return err
}

// Options are those of answerFlags, with those of a report.
func (f *WriteFlags) Options(a *app.App, now time.Time, liveFiles []string) render.Options {
	options := f.AnswerFlags.Options(a, now, liveFiles)
	options.ShowManagedFields, options.ShowServerFields = f.showManagedFields, f.showServerFields
	options.Ignore, options.FormatsOf = f.filter, f.Owners
	return options
}
