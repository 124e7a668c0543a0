package render

import (
	"io"

	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
	"github.com/ssactl/ssactl/internal/render/view"
)

// Migrate is the answer of migrate.
func Migrate(d migrate.Document) Answer {
	return Answer{
		Report: d,
		View:   func(o view.Options) model.Document { return view.Migrate(d, o) },
		Own: map[string]func(io.Writer, Options) error{
			"yaml":       func(w io.Writer, _ Options) error { return migrated(w, d, objects.YAML) },
			"json":       func(w io.Writer, _ Options) error { return migrated(w, d, listJSON) },
			"json-patch": func(w io.Writer, _ Options) error { return migratePatches(w, d) },
			"kubectl":    func(w io.Writer, _ Options) error { return migrateCommands(w, d) },
		},
	}
}

// migrated writes the objects as they are after the migration, with their
// managedFields: one as it is, several as a v1 List. Those that are blocked are
// left out.
func migrated(w io.Writer, d migrate.Document, encode func(any) (string, error)) error {
	var items []any
	for _, m := range d.Objects {
		if m.Verdict == migrate.Migrates || m.Verdict == migrate.NothingToDo {
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
