package cli

import (
	"fmt"
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
	return parseOutputs(given, render.Lookup)
}

// parseOutputs reads -o values with the formats that lookup knows.
func parseOutputs(given []string, lookup func(string) (render.Format, error)) ([]output, error) {
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
		format, err := lookup(name)
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

// detail is what of the results of so many objects the outputs show.
func (f *outputFlags) detail(outputs []output, objects int) engine.Detail {
	if len(f.ignoreFields) > 0 {
		return engine.DetailAll
	}
	for _, o := range outputs {
		switch o.format.Name {
		case "name", "yaml", "json", "diff":
		case "text":
			// Few objects are told in full, and so is everything with -v.
			if objects <= render.ManyObjects || f.verbose {
				return engine.DetailAll
			}
		default:
			return engine.DetailAll
		}
	}
	return engine.DetailOutcome
}

func placeName(file string) string {
	if file == "" {
		return "standard output"
	}
	return file
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
