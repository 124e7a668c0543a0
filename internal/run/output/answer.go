// Package output has the flags of how answers are shown, and puts them in their places.
//
//	display.go  results of writes, shown while they come
//	answer.go   one document
//	sheet.go    an output that is being written; complete, or not touched
//	commit.go   files that get their results (--write)
package output

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/ownership/impact"
	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/ignore"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/shell"
)

// AnswerFlags say how the answer of a command is shown.
type AnswerFlags struct {
	// formats are those of -o, the default first; given are the values of -o.
	formats      []string
	Given        []string
	color        string
	ShowSecrets  bool
	Quiet        bool
	verbose      verbosity
	commentBytes int
	// Repeated are the flags that a suggested command repeats; files is true
	// where the files that commands name are written.
	Repeated []shell.Flag
	// Selected are the operands that select objects.
	Selected []string
	// Unwritten: the manifests are in no file; see fixes.Call.
	Unwritten bool
	// Inputs are those that name what was read.
	Inputs []shell.Flag
	Files  bool
	// Built: these say what builds the manifests.
	Built bool
	// Outputs and paint are what check made of the flags.
	Outputs []Output
	Paint   iostreams.Color
}

// AddOf adds them for other formats.
func (f *AnswerFlags) AddOf(cmd *cobra.Command, formats ...string) {
	f.formats = formats
	flags := cmd.Flags()
	flags.StringArrayVarP(
		&f.Given,
		"output",
		"o",
		nil,
		"output `format`, or format=FILE to write it there (repeatable): "+strings.Join(formats, ", "),
	)
	flags.StringVar(&f.color, "color", "auto", "`when` to use color: auto, always, never")
	if slices.Contains(formats, "markdown") {
		flags.IntVar(
			&f.commentBytes,
			"max-bytes",
			show.DefaultMaxBytes,
			"most characters of the markdown format; 0 for no limit",
		)
	}
	flags.BoolVar(&f.ShowSecrets, "show-secrets", false, "do not mask the values of Secrets")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print verdicts only")
	flags.VarP(&f.verbose, "verbose", "v", "print everything, nothing folded")
	flags.Lookup("verbose").NoOptDefVal = "true"
	input.MustComplete(cmd, "output", formats)
	input.MustComplete(cmd, "color", []string{"auto", "always", "never"})
}

// Check finds wrong flags before anything is read, and outputs that would
// replace an input, or a file that is to be kept.
func (f *AnswerFlags) Check(in *input.Flags, kept ...string) (err error) {
	given := f.Given
	if len(given) == 0 {
		given = f.formats[:1]
	}
	if f.Outputs, err = parseOutputs(given, f.formats); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if f.Paint, err = iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	if n := f.commentBytes; n < 0 || n > 0 && n < show.MinMaxBytes {
		return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", n, show.MinMaxBytes)
	}
	return refuseInputs(f.Outputs, in, kept...)
}

// Asks reports whether one of the formats is asked for.
func (f *AnswerFlags) Asks(formats ...string) bool {
	return slices.ContainsFunc(f.Outputs, func(o Output) bool { return slices.Contains(formats, o.Format.Name) })
}

// Options are those for standard output. Without a time of the run, it is now.
func (f *AnswerFlags) Options(a *app.App, now time.Time, liveFiles []string) show.Options {
	if now.IsZero() {
		now = input.TimeNow()
	}
	options := show.Options{
		Width: a.Streams.Width(), Fit: a.Streams.Fits(), Color: a.Streams.ColorEnabled(f.Paint),
		Quiet: f.Quiet, Verbose: f.verbose > 0, Whole: f.verbose > 1, MaxBytes: f.commentBytes, Files: f.Files, Now: now,
		Call: fixes.Call{Repeated: slices.Concat(f.Repeated, a.Words()), Settings: maskedSettings(a),
			Sender: a.Sender, Names: f.Selected, Inputs: f.Inputs, Built: f.Built, Inferred: a.Inferred,
			Unwritten: f.Unwritten,
			Client:    a.Client},
	}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	return options
}

// maskedSettings are the settings that rule the answers, as they may be shown.
func maskedSettings(a *app.App) []report.Setting {
	out := slices.Clone(a.Settings)
	for i := range out {
		out[i].Message = a.Secrets.Text(out[i].Message)
	}
	return out
}

// Remarks are the options for output on standard error.
func (f *AnswerFlags) Remarks(a *app.App, now time.Time, liveFiles []string) show.Options {
	options := f.Options(a, now, liveFiles)
	options.Color = options.Color && (f.Paint == iostreams.ColorAlways || a.Streams.ErrIsTerminal)
	return options
}

// Answer shows a command's answer in each format that is asked for, and says on
// standard error what the one on standard output leaves out.
func (f *AnswerFlags) Answer(a *app.App, now time.Time, liveFiles []string, answer show.Answer) error {
	if o, shown := onStandardOutput(f.Outputs); shown && !answer.Complete(o.Format.Name) {
		remarks := f.Remarks(a, now, liveFiles)
		if err := answer.Remarks(a.Commentary(remarks), remarks); err != nil {
			return err
		}
	}
	return f.Print(a, now, liveFiles, answer.Write)
}

// onStandardOutput is the output there; false where it is not used at all: then the files
// have all there is.
func onStandardOutput(outputs []Output) (Output, bool) {
	i := slices.IndexFunc(outputs, func(o Output) bool { return o.file == "" })
	if i < 0 {
		return Output{}, false
	}
	return outputs[i], true
}

// Print writes each output. One is complete, or is not written at all.
func (f *AnswerFlags) Print(
	a *app.App,
	now time.Time,
	liveFiles []string,
	show func(w io.Writer, format string, options show.Options) error,
) error {
	var sheets []*sheet
	masks := map[string]bool{}
	for _, o := range withStepSummary(a, f.Outputs) {
		s := openSheet(a, o, f.Options(a, now, liveFiles))
		defer s.place.Discard()
		var text bytes.Buffer
		s.render(func() error { return show(&text, o.Format.Name, s.options) })
		s.do(func() error {
			_, err := s.text.Write(text.Bytes())
			return err
		})
		s.finish()
		sheets = append(sheets, s)
		if slices.Contains(objectFormats, o.Format.Name) && !a.Secrets.Shows() {
			redact.Masks(masks, text.String())
		}
	}
	a.Notice(maskedNote(masks))
	return sheetErrors(sheets)
}

// objectFormats are those of objects, which people give to other programs.
var objectFormats = []string{"yaml", "json"}

// maskedNote says that what is printed has masks; nil where it has none.
func maskedNote(masks map[string]bool) []string {
	switch len(masks) {
	case 0:
		return nil
	case 1:
		return []string{"1 value of a Secret is masked; --show-secrets prints it"}
	}
	return []string{fmt.Sprintf("%d values of Secrets are masked; --show-secrets prints them", len(masks))}
}

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
	for _, format := range show.Formats() {
		names = append(names, format.Name)
	}
	f.AnswerFlags.AddOf(cmd, names...)
	flags := cmd.Flags()
	flags.StringArrayVar(
		&f.ignoreFields,
		"ignore-field",
		nil,
		"leave differences in the field with this `path` out, such as .spec.replicas or .spec.containers[*].image (repeatable)",
	)
	flags.BoolVar(&f.showManagedFields, "show-managed-fields", false, "keep managedFields in objects and diffs")
	flags.BoolVar(
		&f.showServerFields,
		"show-server-fields",
		false,
		"keep resourceVersion, uid, generation and creationTimestamp in diffs",
	)
	flags.Lookup("verbose").Usage = "unfold lists; -vv prints each object in full"
	AddFailOn(cmd, &f.failOn, "risks", riskNames())
}

// riskNames are the rules of what an accepted write does.
func riskNames() []string { return append(risk.Rules().Names(), impact.WriteRules().Names()...) }

// Check finds wrong flags before anything is read, as that of answerFlags does.
func (f *WriteFlags) Check(in *input.Flags, kept ...string) (err error) {
	if err := f.AnswerFlags.Check(in, kept...); err != nil {
		return err
	}
	if f.filter, err = ignore.Parse(f.ignoreFields); err != nil {
		return fmt.Errorf("--ignore-field: %w", err)
	}
	f.risks, err = ParseFailOn(f.failOn, riskNames())
	return err
}

// Options are those of answerFlags, with those of a report.
func (f *WriteFlags) Options(a *app.App, now time.Time, liveFiles []string) show.Options {
	options := f.AnswerFlags.Options(a, now, liveFiles)
	options.ShowManagedFields, options.ShowServerFields = f.showManagedFields, f.showServerFields
	options.Ignore, options.Owners = f.filter, f.Owners
	return options
}

// Filtered is a result without the differences that are to be ignored.
func (f *WriteFlags) Filtered(r report.Result) report.Result { return f.filter.Result(r) }

// CountsRisks reports whether risks of several objects are only counted: the formats have
// objects alone, and --fail-on does not make a risk the reason of the exit code.
func (f *WriteFlags) CountsRisks() bool {
	return f.verbose == 0 && len(f.risks.Values) == 0 &&
		!slices.ContainsFunc(f.Outputs, func(o Output) bool { return o.Format.Refusals })
}

// Output is one -o: a format, and the file that it goes to; none for standard
// output.
type Output struct {
	Format show.Format
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
			return nil, fmt.Errorf(
				"%s and %s both go to %s: write one as %s=FILE", before, name, cmp.Or(file, "standard output"),
				name,
			)
		}
		taken[file] = name
		outputs = append(outputs, Output{Format: formatOf(name), file: file})
	}
	return outputs, nil
}

// formatOf is a format by its name, which is all that is known of those that show
// no report.
func formatOf(name string) show.Format {
	if format, err := show.Lookup(name); err == nil {
		return format
	}
	return show.Format{Name: name}
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
			// One object is shown in full, and so is everything with -vv.
			if objects == 1 || f.verbose > 1 {
				return engine.DetailAll
			}
		default:
			return engine.DetailAll
		}
	}
	return engine.DetailOutcome
}
