package cli

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/plan/migrate"
	"github.com/ssactl/ssactl/internal/render"
)

var migrateFormats = []string{"text", "yaml", "json", "json-patch", "kubectl", "report"}

// migrateUsage says what the formats of migrate are.
const migrateUsage = "output `format`, or format=FILE to write it there (repeatable): text, yaml and json (the migrated objects), json-patch, kubectl (a script), report (everything, as one JSON document)"

// printMigrations shows the plans; formats that show objects or patches only
// have the rest as commentary on standard error.
func (o *migrateOptions) printMigrations(a *app, d migrate.Document, now time.Time) error {
	remarks := o.remarks(a, now, nil)
	if err := render.Problems(a.commentary(remarks), d.Problems, remarks); err != nil {
		return err
	}
	if !o.tells("text", "report") {
		if err := render.MigrateRemarks(a.commentary(remarks), d, remarks); err != nil {
			return err
		}
	}
	if o.patches() {
		if err := render.MigrateWithoutPatch(a.commentary(remarks), d, remarks); err != nil {
			return err
		}
	}
	return o.print(a, now, nil, func(w io.Writer, format string, options render.Options) error {
		if err := showMigrations(w, format, d, options); err != nil {
			return fmt.Errorf("render %s: %w", format, err)
		}
		return nil
	})
}

// withoutMasks leaves out of what is shown the patches that would write masks.
func withoutMasks(shown, given migrate.Document) migrate.Document {
	shown.Objects = slices.Clone(shown.Objects)
	for i := range shown.Objects {
		if m := &shown.Objects[i]; !reflect.DeepEqual(m.Patch, given.Objects[i].Patch) {
			m.Patch, m.NoPatch = nil, "the patch would have masked values; --show-secrets keeps them"
		}
	}
	return shown
}

// patches tells whether an output is made of patches.
func (o *migrateOptions) patches() bool { return o.asks("json-patch", "kubectl") }

// withholds tells whether a patch was asked for that is not given.
func (o *migrateOptions) withholds(d migrate.Document) bool {
	return o.patches() && slices.ContainsFunc(d.Objects, func(m migrate.Migration) bool { return m.NoPatch != "" })
}

func showMigrations(w io.Writer, format string, d migrate.Document, options render.Options) error {
	switch format {
	case "yaml", "json":
		return render.MigrateObjects(w, d, format)
	case "json-patch":
		return render.MigratePatch(w, d)
	case "kubectl":
		return render.MigrateKubectl(w, d)
	case "report":
		return render.MigrateReport(w, d, options)
	}
	return render.MigrateText(w, d, options)
}

// migrationPlan puts the migrated objects into the files that they came from.
func (c *cluster) migrationPlan(subjects []toMigrate, objects []migrate.Migration) *writeback.Plan {
	plan := &writeback.Plan{Read: c.read}
	for i, m := range objects {
		if m.Verdict == migrate.Migrates {
			plan.Replace(placeOf(subjects[i].live), m.Object)
		}
	}
	return plan
}

// decodeManifest reads a manifest as the server reads its JSON.
func decodeManifest(d *manifest.Document) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(d.JSON(), &object); err != nil {
		return nil, fmt.Errorf("decode %s: %w", d.Source, err)
	}
	return object, nil
}
