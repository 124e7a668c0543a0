package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/iostreams"
	"github.com/ssactl/ssactl/internal/redact"
	"github.com/ssactl/ssactl/internal/render"
)

// outputFlags say how a report is shown.
type outputFlags struct {
	format            string
	color             string
	showManagedFields bool
	showServerFields  bool
	showSecrets       bool
	quiet             bool
	verbose           bool
}

func (f *outputFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	var names []string
	for _, format := range render.Formats() {
		names = append(names, format.Name)
	}
	flags.StringVarP(&f.format, "output", "o", "text", "output `format`: "+strings.Join(names, ", "))
	flags.StringVar(&f.color, "color", "auto", "use colour: auto, always, never")
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
	if _, err := render.Lookup(f.format); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if _, err := iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	return nil
}

// print shows a report, with the values of Secrets masked unless they are
// asked for.
func (a *app) print(report engine.Report, f *outputFlags, now time.Time, liveFiles []string) error {
	format, err := render.Lookup(f.format)
	if err != nil {
		return err
	}
	color, err := iostreams.ParseColor(f.color)
	if err != nil {
		return err
	}
	if !f.showSecrets {
		report = redact.Report(report)
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
		Now:               now,
	}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	if format.Name != "text" && format.Name != "report" {
		// The answer on standard output is objects; why some are missing is
		// commentary.
		if err := render.Refusals(a.streams.Err, report, options); err != nil {
			return err
		}
	}
	return format.Render(a.streams.Out, report, options)
}

// notice tells remarks on the input on standard error.
func (a *app) notice(texts []string) {
	for _, text := range texts {
		fmt.Fprintf(a.streams.Err, "note: %s\n", text)
	}
}
