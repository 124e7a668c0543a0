package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/engine/ignore"
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
	failOn            []string
	quiet             bool
	verbose           bool
	// owners is a flag of diff.
	owners bool
	// fallback is the format where none is given; empty means text.
	fallback string
	// repeated are the flags that a suggested command repeats.
	repeated []string
	// built: these say what builds the manifests.
	built bool
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
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "risks that make the exit code 1: risky (errors and warnings), error, warning, note, never, or the `name` of a rule (repeatable)")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print verdicts only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print everything, nothing folded")
	mustComplete(cmd, "output", names)
	mustComplete(cmd, "fail-on", failOnValues())
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
	if _, err := parseRisks(f.failOn); err != nil {
		return err
	}
	return checkMaxBytes(f.maxBytes)
}

// checkMaxBytes refuses a limit that not even the counts keep to.
func checkMaxBytes(n int) error {
	if n < 0 || n > 0 && n < render.MinMaxBytes {
		return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", n, render.MinMaxBytes)
	}
	return nil
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
	options := a.screen(color, now, liveFiles)
	options.ShowManagedFields, options.ShowServerFields = f.showManagedFields, f.showServerFields
	options.Quiet, options.Verbose = f.quiet, f.verbose
	options.Ignore, options.Owners, options.MaxBytes = filter, f.owners, f.maxBytes
	options.Repeated, options.Built = f.repeated, f.built
	return options, nil
}

// screen are the options for standard output that no flag for a format gives.
// Without a time of the run, it is now.
func (a *app) screen(color iostreams.Color, now time.Time, liveFiles []string) render.Options {
	if now.IsZero() {
		now = time.Now()
	}
	options := render.Options{Width: a.streams.Width(), Fit: a.streams.Fits(), Color: a.streams.ColorEnabled(color), Now: now}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	return options
}

// unanswered is the error of a run that has no answer. What could not be read is
// told with it, as that may be why.
func (a *app) unanswered(c *cluster, err error) error {
	return errors.Join(render.Problems(a.streams.Err, c.problems, render.Options{}), err)
}
