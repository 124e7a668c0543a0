package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/shell"
)

// answerFlags say how the answer of a command is shown.
type answerFlags struct {
	// formats are those of -o, the default first; given are the values of -o.
	formats      []string
	given        []string
	color        string
	showSecrets  bool
	quiet        bool
	verbose      bool
	commentBytes int
	// repeated are the flags that a suggested command repeats; files is true
	// where the files that commands name are written.
	repeated []shell.Flag
	// selected are the operands that select objects.
	selected []string
	// inputs are those that name what was read.
	inputs []shell.Flag
	files  bool
	// built: these say what builds the manifests.
	built bool
	// outputs and paint are what check made of the flags.
	outputs []output
	paint   iostreams.Color
}

// addOf adds them for other formats.
func (f *answerFlags) addOf(cmd *cobra.Command, formats ...string) {
	f.formats = formats
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.given, "output", "o", nil, "output `format`, or format=FILE to write it there (repeatable): "+strings.Join(formats, ", "))
	flags.StringVar(&f.color, "color", "auto", "`when` to use color: auto, always, never")
	if slices.Contains(formats, "markdown") {
		flags.IntVar(&f.commentBytes, "max-bytes", render.DefaultMaxBytes, "most characters of the markdown format; 0 for no limit")
	}
	flags.BoolVar(&f.showSecrets, "show-secrets", false, "do not mask the values of Secrets")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print verdicts only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print everything, nothing folded")
	mustComplete(cmd, "output", formats)
	mustComplete(cmd, "color", []string{"auto", "always", "never"})
}

// check finds wrong flags before anything is read, and outputs that would
// replace an input, or a file that is to be kept.
func (f *answerFlags) check(in *inputFlags, kept ...string) (err error) {
	given := f.given
	if len(given) == 0 {
		given = f.formats[:1]
	}
	if f.outputs, err = parseOutputs(given, f.formats); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if f.paint, err = iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	if n := f.commentBytes; n < 0 || n > 0 && n < render.MinMaxBytes {
		return fmt.Errorf("--max-bytes %d: no comment fits; use at least %d", n, render.MinMaxBytes)
	}
	return refuseInputs(f.outputs, in, kept...)
}

// asks reports whether one of the formats is asked for.
func (f *answerFlags) asks(formats ...string) bool {
	return slices.ContainsFunc(f.outputs, func(o output) bool { return slices.Contains(formats, o.format.Name) })
}

// options are those for standard output. Without a time of the run, it is now.
func (f *answerFlags) options(a *app, now time.Time, liveFiles []string) render.Options {
	if now.IsZero() {
		now = timeNow()
	}
	options := render.Options{
		Width: a.streams.Width(), Fit: a.streams.Fits(), Color: a.streams.ColorEnabled(f.paint),
		Quiet: f.quiet, Verbose: f.verbose, MaxBytes: f.commentBytes, Repeated: f.repeated, Sender: a.sender, Names: f.selected, Inputs: f.inputs, Built: f.built, Files: f.files, Now: now, Inferred: a.inferred, Client: a.client,
	}
	if len(liveFiles) == 1 {
		options.LiveFile = liveFiles[0]
	}
	return options
}

// remarks are the options for output on standard error.
func (f *answerFlags) remarks(a *app, now time.Time, liveFiles []string) render.Options {
	options := f.options(a, now, liveFiles)
	options.Color = options.Color && (f.paint == iostreams.ColorAlways || a.streams.ErrIsTerminal)
	return options
}

// answer shows a command's answer in each format that is asked for, and says on
// standard error what the one on standard output leaves out.
func (f *answerFlags) answer(a *app, now time.Time, liveFiles []string, answer render.Answer) error {
	if !f.complete(answer) {
		remarks := f.remarks(a, now, liveFiles)
		if err := answer.Remarks(a.commentary(remarks), remarks); err != nil {
			return err
		}
	}
	return f.print(a, now, liveFiles, answer.Write)
}

// complete reports whether standard output shows all there is, or is not used at
// all: then the files do.
func (f *answerFlags) complete(answer render.Answer) bool {
	for _, o := range f.outputs {
		if o.file == "" {
			return answer.Complete(o.format.Name)
		}
	}
	return true
}

// print writes each output. One is complete, or is not written at all.
func (f *answerFlags) print(a *app, now time.Time, liveFiles []string, show func(w io.Writer, format string, options render.Options) error) error {
	var sheets []*sheet
	masks := map[string]bool{}
	for _, o := range a.withStepSummary(f.outputs) {
		s := a.sheet(o, f.options(a, now, liveFiles))
		defer s.place.discard()
		var text bytes.Buffer
		s.render(func() error { return show(&text, o.format.Name, s.options) })
		s.do(func() error {
			_, err := s.text.Write(text.Bytes())
			return err
		})
		s.finish()
		sheets = append(sheets, s)
		if slices.Contains(objectFormats, o.format.Name) && !a.secrets.Shows() {
			redact.Masks(masks, text.String())
		}
	}
	a.notice(maskedNote(masks))
	return sheetErrors(sheets)
}
