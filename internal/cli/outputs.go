package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/render"
)

// output is one -o: a format, and the file that it goes to; none for standard
// output.
type output struct {
	format render.Format
	file   string
}

// parse reads the -o flags. No two may go to the same place.
func (f *outputFlags) parse() ([]output, error) {
	given := f.outputs
	if len(given) == 0 {
		given = []string{"text"}
		if f.fallback != "" {
			given = []string{f.fallback}
		}
	}
	var outputs []output
	taken := map[string]string{}
	for _, text := range given {
		name, file, hasFile := strings.Cut(text, "=")
		if hasFile && file == "" {
			return nil, fmt.Errorf("%q names no file after the equals sign", text)
		}
		if file == "-" {
			file = ""
		}
		format, err := render.Lookup(name)
		if err != nil {
			return nil, err
		}
		if before, ok := taken[file]; ok {
			return nil, fmt.Errorf("%s and %s both go to %s: write one as %s=FILE", before, name, placeName(file), name)
		}
		taken[file] = name
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

func placeName(file string) string {
	if file == "" {
		return "standard output"
	}
	return file
}

// writeOutputs writes standard output first, so that a file that cannot be
// written takes nothing away.
func (a *app) writeOutputs(outputs []output, texts []bytes.Buffer) error {
	var errs []error
	for i, o := range outputs {
		if o.file == "" {
			if _, err := a.streams.Out.Write(texts[i].Bytes()); err != nil {
				errs = append(errs, err)
			}
		}
	}
	for i, o := range outputs {
		if o.file != "" {
			if err := os.WriteFile(o.file, texts[i].Bytes(), 0o644); err != nil {
				errs = append(errs, fmt.Errorf("write %s: %w", o.format.Name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// stepSummaryBytes is the most that a step of a GitHub workflow may write into
// its summary.
const stepSummaryBytes = 1 << 20

// stepSummary adds the Markdown to the summary of a GitHub workflow's step,
// where there is one and the github format is asked for.
func (a *app) stepSummary(outputs []output, report engine.Report, options render.Options) error {
	file := a.streams.Getenv("GITHUB_STEP_SUMMARY")
	if file == "" || !asksFor(outputs, "github") {
		return nil
	}
	options.MaxBytes = stepSummaryBytes
	var text bytes.Buffer
	if err := render.Markdown(&text, report, options); err != nil {
		return fmt.Errorf("render the step summary: %w", err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the step summary: %w", err)
	}
	_, err = f.Write(text.Bytes())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the step summary: %w", err)
	}
	return nil
}

func asksFor(outputs []output, name string) bool {
	for _, o := range outputs {
		if o.format.Name == name {
			return true
		}
	}
	return false
}
