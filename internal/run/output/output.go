package output

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/engine"
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

// Output is one -o: a format, and the file that it goes to; none for standard
// output.
type Output struct {
	Format render.Format
	file   string
	// added: the file has more than this, which is added to it.
	added bool
}

// parseOutputs reads -o values, of a command that has some formats. No two may go
// to the same place.
func parseOutputs(given, formats []string) ([]Output, error) {
	var outputs []Output
	taken := map[string]string{}
	for _, text := range given {
		name, file, hasFile := strings.Cut(text, "=")
		if hasFile && file == "" {
			return nil, fmt.Errorf("%q names no file after the equals sign", text)
		}
		if file == "-" {
			file = ""
		}
		if !slices.Contains(formats, name) {
			return nil, input.UnknownFormat(name, formats)
		}
		if before, ok := taken[file]; ok {
			return nil, fmt.Errorf("%s and %s both go to %s: write one as %s=FILE", before, name, placeName(file), name)
		}
		taken[file] = name
		outputs = append(outputs, Output{Format: formatOf(name), file: file})
	}
	return outputs, nil
}

// formatOf is a format by its name, which is all that is known of those that show
// no report.
func formatOf(name string) render.Format {
	if format, err := render.Lookup(name); err == nil {
		return format
	}
	return render.Format{Name: name}
}

func placeName(file string) string {
	if file == "" {
		return "standard output"
	}
	return file
}

// stepSummaryBytes is the most that a step of a GitHub workflow may write into
// its summary.
const stepSummaryBytes = 1 << 20

// withStepSummary adds the Markdown to the summary of a GitHub workflow's step,
// where there is one and the github format is asked for.
func withStepSummary(a *app.App, outputs []Output) []Output {
	file := a.Streams.Getenv("GITHUB_STEP_SUMMARY")
	if file == "" || !slices.ContainsFunc(outputs, func(o Output) bool { return o.Format.Name == "github" }) {
		return outputs
	}
	return append(slices.Clone(outputs), Output{Format: formatOf("markdown"), file: file, added: true})
}

// Detail is what of the results of so many objects the outputs show.
func (f *WriteFlags) Detail(objects int) engine.Detail {
	if len(f.ignoreFields) > 0 {
		return engine.DetailAll
	}
	for _, o := range f.Outputs {
		switch o.Format.Name {
		case "name", "yaml", "json", "diff":
		case "text":
			// One object is shown in full, and so is everything with -v.
			if objects == 1 || f.verbose {
				return engine.DetailAll
			}
		default:
			return engine.DetailAll
		}
	}
	return engine.DetailOutcome
}

// tellsRefusals reports whether standard output says what is refused, or is
// not used at all: then the files do.
func tellsRefusals(outputs []Output) bool {
	for _, o := range outputs {
		if o.file == "" {
			return o.Format.Refusals
		}
	}
	return true
}
