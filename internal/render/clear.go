package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/view"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// Clear is the answer of clear. The objects that the server would store are
// those of objects.
func Clear(d clear.Document, objects report.Report) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Clear(d, o) },
		Own: map[string]func(io.Writer, Options) error{
			"yaml":       stored("yaml", objects),
			"json":       stored("json", objects),
			"json-patch": func(w io.Writer, _ Options) error { return encodeTo(w, clearPatches(d)) },
			"kubectl":    func(w io.Writer, _ Options) error { return clearCommands(w, d) },
		},
	}
}

// stored shows objects as the server would store them, entries included.
func stored(format string, objects report.Report) func(io.Writer, Options) error {
	return func(w io.Writer, o Options) error {
		o.ShowManagedFields = true
		f, err := Lookup(format)
		if err != nil {
			return err
		}
		return f.Render(w, objects, o)
	}
}

// clearPatches is the JSON patch of a single object, and of several a list of
// those that have one, with their targets.
func clearPatches(d clear.Document) any {
	type entry struct {
		Target report.Target     `json:"target"`
		Patch  []clear.Operation `json:"patch"`
	}
	entries := []entry{}
	for _, c := range d.Objects {
		if c.Patch != nil && !c.Outcome.Refused() {
			entries = append(entries, entry{c.Target, c.Patch})
		}
	}
	switch {
	case len(d.Objects) != 1 || d.Interrupted != nil:
		return entries
	case len(entries) == 0:
		return []clear.Operation{}
	}
	return entries[0].Patch
}

// noCommand is the error of a script that would lack an object.
func noCommand(t report.Target, at report.Source, err error) error {
	return fmt.Errorf("%s of %s: no command line can name it: %w", words.Place(&at), words.Object(t), err)
}

// clearCommands writes the kubectl command of each object that has something
// to clear, a line each.
func clearCommands(w io.Writer, d clear.Document) error {
	var out strings.Builder
	for _, c := range d.Objects {
		if c.Outcome.Refused() {
			continue
		}
		if err := c.Command.Err(); err != nil {
			return noCommand(c.Target, c.Source, err)
		}
		if !c.Command.None() {
			out.WriteString(c.Command.String() + "\n")
		}
	}
	out.WriteString(scriptEnd(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}
