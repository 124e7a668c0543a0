package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ignore"
	"github.com/ssactl/ssactl/internal/iostreams"
	"github.com/ssactl/ssactl/internal/redact"
	"github.com/ssactl/ssactl/internal/render"
)

// outputFlags say how a report is shown.
type outputFlags struct {
	outputs           []string
	color             string
	ignoreFields      []string
	maxBytes          int
	showManagedFields bool
	showServerFields  bool
	showSecrets       bool
	quiet             bool
	verbose           bool
	// owners is a flag of diff.
	owners bool
	// fallback is the format where none is given; empty means text.
	fallback string
}

func (f *outputFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	var names []string
	for _, format := range render.Formats() {
		names = append(names, format.Name)
	}
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "output `format`, or format=FILE to write it there (repeatable): "+strings.Join(names, ", "))
	flags.StringVar(&f.color, "color", "auto", "use colour: auto, always, never")
	flags.StringArrayVar(&f.ignoreFields, "ignore-field", nil, "leave differences in the field with this `path` out, such as .spec.replicas or .spec.containers[*].image (repeatable)")
	flags.IntVar(&f.maxBytes, "max-bytes", render.DefaultMaxBytes, "most characters of the markdown format; 0 for no limit")
	flags.BoolVar(&f.showManagedFields, "show-managed-fields", false, "keep managedFields in objects and diffs")
	flags.BoolVar(&f.showServerFields, "show-server-fields", false, "keep resourceVersion, uid, generation and creationTimestamp in diffs")
	flags.BoolVar(&f.showSecrets, "show-secrets", false, "do not mask the values of Secrets")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print verdicts only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print everything, nothing folded")
	mustComplete(cmd, "output", names)
	mustComplete(cmd, "color", []string{"auto", "always", "never"})
}

// check finds wrong flags before anything is read.
func (f *outputFlags) check() error {
	if _, err := f.parse(); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if _, err := iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	if _, err := ignore.Parse(f.ignoreFields); err != nil {
		return fmt.Errorf("--ignore-field: %w", err)
	}
	if f.maxBytes < 0 || f.maxBytes > 0 && f.maxBytes < render.MinMaxBytes {
		return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", f.maxBytes, render.MinMaxBytes)
	}
	return nil
}

// shown is a report as it may be shown: filtered, and with the values of
// Secrets masked unless they are asked for.
func (f *outputFlags) shown(report engine.Report) (engine.Report, error) {
	filter, err := ignore.Parse(f.ignoreFields)
	if err != nil {
		return report, err
	}
	report = filter.Report(report)
	if !f.showSecrets {
		report = redact.Report(report)
	}
	return report, nil
}

func (a *app) renderOptions(f *outputFlags, now time.Time, liveFiles []string) (render.Options, error) {
	color, err := iostreams.ParseColor(f.color)
	if err != nil {
		return render.Options{}, err
	}
	filter, err := ignore.Parse(f.ignoreFields)
	if err != nil {
		return render.Options{}, err
	}
	if now.IsZero() {
		now = time.Now()
	}
	options := render.Options{
		Width:             a.streams.Width(),
		Color:             a.streams.ColorEnabled(color),
		ShowManagedFields: f.showManagedFields,
		ShowServerFields:  f.showServerFields,
		Quiet:             f.quiet,
		Verbose:           f.verbose,
		Ignore:            filter,
		Owners:            f.owners,
		MaxBytes:          f.maxBytes,
		Now:               now,
	}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	return options, nil
}

// print shows a report in each format that is asked for. All are rendered
// before the first is written, so that a file is complete or not touched.
func (a *app) print(report engine.Report, f *outputFlags, now time.Time, liveFiles []string) error {
	outputs, err := f.parse()
	if err != nil {
		return err
	}
	if report, err = f.shown(report); err != nil {
		return err
	}
	options, err := a.renderOptions(f, now, liveFiles)
	if err != nil {
		return err
	}
	if err := render.Problems(a.streams.Err, report.Problems, options); err != nil {
		return err
	}
	texts := make([]bytes.Buffer, len(outputs))
	for i, o := range outputs {
		inFile := options
		if o.file != "" {
			inFile.Color = false
			inFile.Width = 0
		}
		if err := o.format.Render(&texts[i], report, inFile); err != nil {
			return fmt.Errorf("render %s: %w", o.format.Name, err)
		}
	}
	if !tellsRefusals(outputs) {
		// The answer on standard output is objects; why some are missing is
		// commentary.
		if err := render.Refusals(a.streams.Err, report, options); err != nil {
			return err
		}
	}
	return errors.Join(a.writeOutputs(outputs, texts), a.stepSummary(outputs, report, options))
}

// tellsRefusals tells whether standard output says what is refused, or is
// not used at all: then the files do.
func tellsRefusals(outputs []output) bool {
	for _, o := range outputs {
		if o.file == "" {
			return o.format.Refusals
		}
	}
	return true
}

// notice tells remarks on the input on standard error.
func (a *app) notice(texts []string) {
	for _, text := range texts {
		fmt.Fprintf(a.streams.Err, "note: %s\n", text)
	}
}
