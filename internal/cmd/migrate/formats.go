package migrate

import (
	"io"

	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/page"
)

// formatsOf is the answer of migrate.
func formatsOf(d migration.Document) render.Answer {
	return render.Answer{
		Report: d,
		View:   func(o page.Options) model.Document { return layOut(d, o) },
		Own: map[string]func(io.Writer, render.Options) error{
			"yaml":       func(w io.Writer, _ render.Options) error { return migrated(w, d, objects.YAML) },
			"json":       func(w io.Writer, _ render.Options) error { return migrated(w, d, listJSON) },
			"json-patch": func(w io.Writer, _ render.Options) error { return migratePatches(w, d) },
			"kubectl":    func(w io.Writer, _ render.Options) error { return migrateCommands(w, d) },
		},
	}
}

// migrated writes the objects as they are after the migration, with their
// managedFields: one as it is, several as a v1 List. Those that are blocked are
// left out.
func migrated(w io.Writer, d migration.Document, encode func(any) (string, error)) error {
	var items []any
	for _, m := range d.Objects {
		if m.Verdict == migration.Migrates || m.Verdict == migration.NothingToDo {
			items = append(items, m.Object)
		}
	}
	if len(items) == 0 {
		return nil
	}
	v := items[0]
	if len(items) > 1 {
		v = map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
	}
	s, err := encode(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, s)
	return err
}

// listJSON is an object as kubectl prints it.
func listJSON(v any) (string, error) {
	s, err := objects.JSON(v, "    ")
	return s + "\n", err
}
