package clear

import (
	"io"
	"strings"

	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
	"github.com/ssactl/ssactl/internal/report"
)

// formatsOf is the answer of clear. The objects that the server would store are
// those of objects.
func formatsOf(d Document, objects report.Report) render.Answer {
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"yaml":       stored("yaml", objects),
			"json":       stored("json", objects),
			"json-patch": func(w io.Writer, _ render.Options) error { return render.EncodeTo(w, clearPatches(d)) },
			"kubectl":    func(w io.Writer, _ render.Options) error { return clearCommands(w, d) },
		},
	}
}

// stored shows objects as the server would store them, entries included.
func stored(format string, objects report.Report) func(io.Writer, render.Options) error {
	return func(w io.Writer, o render.Options) error {
		o.ShowManagedFields = true
		f, err := render.Lookup(format)
		if err != nil {
			return err
		}
		return f.Render(w, objects, o)
	}
}

// clearPatches is the JSON patch of a single object, and of several a list of
// those that have one, with their targets.
func clearPatches(d Document) any {
	type entry struct {
		Target report.Target `json:"target"`
		Patch  []Operation   `json:"patch"`
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
		return []Operation{}
	}
	return entries[0].Patch
}

// clearCommands writes the kubectl command of each object that has something
// to clear, a line each.
func clearCommands(w io.Writer, d Document) error {
	var out strings.Builder
	for _, c := range d.Objects {
		if c.Outcome.Refused() {
			continue
		}
		if err := c.Command.Err(); err != nil {
			return render.NoCommand(c.Target, c.Source, err)
		}
		if !c.Command.None() {
			out.WriteString(c.Command.String() + "\n")
		}
	}
	out.WriteString(render.ScriptEnd(d.Interrupted))
	_, err := io.WriteString(w, out.String())
	return err
}
