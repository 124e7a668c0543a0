package output

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/page"
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
	verbose      bool
	commentBytes int
	// Repeated are the flags that a suggested command repeats; files is true
	// where the files that commands name are written.
	Repeated []shell.Flag
	// Selected are the operands that select objects.
	Selected []string
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
	flags.StringArrayVarP(&f.Given, "output", "o", nil, "output `format`, or format=FILE to write it there (repeatable): "+strings.Join(formats, ", "))
	flags.StringVar(&f.color, "color", "auto", "`when` to use color: auto, always, never")
	if slices.Contains(formats, "markdown") {
		flags.IntVar(&f.commentBytes, "max-bytes", render.DefaultMaxBytes, "most characters of the markdown format; 0 for no limit")
	}
	flags.BoolVar(&f.ShowSecrets, "show-secrets", false, "do not mask the values of Secrets")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "print verdicts only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print everything, nothing folded")
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
	if n := f.commentBytes; n < 0 || n > 0 && n < render.MinMaxBytes {
		return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", n, render.MinMaxBytes)
	}
	return refuseInputs(f.Outputs, in, kept...)
}

// Asks reports whether one of the formats is asked for.
func (f *AnswerFlags) Asks(formats ...string) bool {
	return slices.ContainsFunc(f.Outputs, func(o Output) bool { return slices.Contains(formats, o.Format.Name) })
}

// Options are those for standard output. Without a time of the run, it is now.
func (f *AnswerFlags) Options(a *app.App, now time.Time, liveFiles []string) render.Options {
	if now.IsZero() {
		now = input.TimeNow()
	}
	options := render.Options{
		Width: a.Streams.Width(), Fit: a.Streams.Fits(), Color: a.Streams.ColorEnabled(f.Paint),
		Quiet: f.Quiet, Verbose: f.verbose, MaxBytes: f.commentBytes, Files: f.Files, Now: now,
		Call: page.Call{Repeated: f.Repeated, Sender: a.Sender, Names: f.Selected, Inputs: f.Inputs, Built: f.Built, Inferred: a.Inferred, Client: a.Client},
	}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	return options
}

// Remarks are the options for output on standard error.
func (f *AnswerFlags) Remarks(a *app.App, now time.Time, liveFiles []string) render.Options {
	options := f.Options(a, now, liveFiles)
	options.Color = options.Color && (f.Paint == iostreams.ColorAlways || a.Streams.ErrIsTerminal)
	return options
}

// Answer shows a command's answer in each format that is asked for, and says on
// standard error what the one on standard output leaves out.
func (f *AnswerFlags) Answer(a *app.App, now time.Time, liveFiles []string, answer render.Answer) error {
	if !f.complete(answer) {
		remarks := f.Remarks(a, now, liveFiles)
		if err := answer.Remarks(a.Commentary(remarks), remarks); err != nil {
			return err
		}
	}
	return f.Print(a, now, liveFiles, answer.Write)
}

// complete reports whether standard output shows all there is, or is not used at
// all: then the files do.
func (f *AnswerFlags) complete(answer render.Answer) bool {
	for _, o := range f.Outputs {
		if o.file == "" {
			return answer.Complete(o.Format.Name)
		}
	}
	return true
}

// Print writes each output. One is complete, or is not written at all.
func (f *AnswerFlags) Print(a *app.App, now time.Time, liveFiles []string, show func(w io.Writer, format string, options render.Options) error) error {
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
