package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/cli/iostreams"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/safetext"
)

// answerFlags say how an answer that is no report is shown.
type answerFlags struct {
	// formats are those of -o, of which the first is the default; given are the
	// values of -o, and outputs what they say.
	formats      []string
	given        []string
	outputs      []output
	color        string
	showSecrets  bool
	quiet        bool
	verbose      bool
	commentBytes int
	// repeated are the flags that a suggested command repeats; files is true
	// where the files that commands name are written.
	repeated []string
	files    bool
	// built: these say what builds the manifests.
	built bool
}

// addOf adds them for other formats.
func (f *answerFlags) addOf(cmd *cobra.Command, formats ...string) {
	f.formats = formats
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.given, "output", "o", nil, "output `format`, or format=FILE to write it there (repeatable): "+strings.Join(formats, ", "))
	flags.StringVar(&f.color, "color", "auto", "use colour: auto, always, never")
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
// replace an input.
func (f *answerFlags) check(in *inputFlags) error {
	given := f.given
	if len(given) == 0 {
		given = f.formats[:1]
	}
	outputs, err := parseOutputs(given, oneOf(f.formats))
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	f.outputs = outputs
	if _, err := iostreams.ParseColor(f.color); err != nil {
		return fmt.Errorf("--color: %w", err)
	}
	if err := checkMaxBytes(f.commentBytes); err != nil {
		return err
	}
	return refuseInputs(outputs, in)
}

// oneOf finds a format among those of a command.
func oneOf(formats []string) func(string) (render.Format, error) {
	return func(name string) (render.Format, error) {
		if !slices.Contains(formats, name) {
			return render.Format{}, fmt.Errorf("unknown output format %q: use one of %s", name, strings.Join(formats, ", "))
		}
		return render.Format{Name: name}, nil
	}
}

// asks tells whether one of the formats is asked for.
func (f *answerFlags) asks(formats ...string) bool {
	return slices.ContainsFunc(f.outputs, func(o output) bool { return slices.Contains(formats, o.format.Name) })
}

// tells tells whether standard output is in one of the formats, or is not used
// at all: then the files tell.
func (f *answerFlags) tells(formats ...string) bool {
	for _, o := range f.outputs {
		if o.file == "" {
			return slices.Contains(formats, o.format.Name)
		}
	}
	return true
}

// options are those for standard output.
func (f *answerFlags) options(a *app, now time.Time, liveFiles []string) render.Options {
	color, _ := iostreams.ParseColor(f.color)
	options := a.screen(color, now, liveFiles)
	options.Quiet, options.Verbose = f.quiet, f.verbose
	options.Repeated, options.Built, options.MaxBytes, options.Files = f.repeated, f.built, f.commentBytes, f.files
	return options
}

// remarks are the options for what is told on standard error.
func (f *answerFlags) remarks(a *app, now time.Time, liveFiles []string) render.Options {
	options := f.options(a, now, liveFiles)
	color, _ := iostreams.ParseColor(f.color)
	options.Color = options.Color && (color == iostreams.ColorAlways || a.streams.ErrIsTerminal)
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
	return f.print(a, now, liveFiles, func(w io.Writer, format string, options render.Options) error {
		return answer.Write(w, format, options)
	})
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
	var errs []error
	for _, o := range f.outputs {
		options := f.options(a, now, liveFiles)
		if o.file != "" {
			options.Color, options.Width, options.Fit = false, 0, false
		}
		var text bytes.Buffer
		err := show(&text, o.format.Name, options)
		if err == nil {
			err = a.put(text.Bytes(), o, options)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// put writes what an output is.
func (a *app) put(text []byte, o output, options render.Options) error {
	reading := render.ReadingOf(o.format.Name, options)
	if o.file == "" {
		return written(a.streams.Out.As(reading), text)
	}
	to, err := createFile(o.file)
	if err != nil {
		return fmt.Errorf("write %s: %w", o.format.Name, err)
	}
	defer to.discard()
	if err := written(safetext.NewWriter(to, reading), text); err != nil {
		return err
	}
	return to.commit()
}

func written(to *safetext.Writer, text []byte) error {
	if _, err := to.Write(text); err != nil {
		return err
	}
	return to.Flush()
}
