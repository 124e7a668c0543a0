package render

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/handover"
	"github.com/ssactl/ssactl/internal/migrate"
	"github.com/ssactl/ssactl/internal/reset"
)

// Plans of an interrupted run say how far it came, in text and in scripts, and
// one object of many is shown as one of many.
func TestInterruptedPlans(t *testing.T) {
	one := engine.Interruption{Answered: 1, Total: 3}
	migrations := migrate.NewDocument("v1.36.3", []migrate.Migration{migrating()}, nil)
	migrations.Interrupted = &one
	clearings := reset.NewDocument("v1.36.3", []reset.Clearing{clearing()}, nil)
	clearings.Interrupted = &one
	none := handover.NewDocument("v1.36.3", nil, 0, nil)
	none.Interrupted = &engine.Interruption{Total: 3}
	cases := []struct {
		name   string
		render func(io.Writer) error
		want   string
	}{
		{"migrate text", func(w io.Writer) error { return MigrateText(w, migrations, Options{Quiet: true}) }, "1 object: 1 to migrate\n"},
		{"migrate text", func(w io.Writer) error { return MigrateText(w, migrations, Options{}) }, "\ninterrupted after 1 of 3 objects\n"},
		{"migrate kubectl", func(w io.Writer) error { return MigrateKubectl(w, migrations) }, "\n# interrupted after 1 of 3 objects\n"},
		{"migrate json-patch", func(w io.Writer) error { return MigratePatch(w, migrations) }, "[\n  {\n    \"target\": "},
		{"clear text", func(w io.Writer) error { return ClearText(w, clearings, Options{}) }, "\ninterrupted after 1 of 3 objects\n"},
		{"clear kubectl", func(w io.Writer) error { return ClearCommands(w, clearings, Options{}) }, "\n# interrupted after 1 of 3 objects\n"},
		{"clear json-patch", func(w io.Writer) error { return ClearPatch(w, clearings, Options{}) }, "[\n  {\n    \"target\": "},
		{"transfer text", func(w io.Writer) error { return TransferText(w, none, Options{}) }, "0 plans\ninterrupted after 0 of 3 objects\n"},
		{"transfer kubectl", func(w io.Writer) error { return TransferCommands(w, none, Options{}) }, "# interrupted after 0 of 3 objects\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := c.render(&got); err != nil || !strings.Contains(got.String(), c.want) {
				t.Errorf("%v, no %q in\n%s", err, c.want, got.String())
			}
		})
	}
}
