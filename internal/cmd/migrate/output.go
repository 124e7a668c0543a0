package migrate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/render"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/run/cluster"
	"github.com/ssactl/ssactl/internal/run/output"
)

var migrateFormats = render.AnswerFormats(append([]string{"yaml", "json", "json-patch", "kubectl"}, render.FindingFormats()...)...)

// migrateUsage says what the formats of migrate are.
const migrateUsage = "output `format`, or format=FILE to write it there (repeatable): text, markdown, html, yaml and json (the migrated objects), json-patch, kubectl (a script), github, sarif, junit, report (everything, as one JSON document)"

// withoutMasks leaves out of what is shown the patches that would write masks.
func withoutMasks(shown, given migration.Document) migration.Document {
	shown.Objects = slices.Clone(shown.Objects)
	for i := range shown.Objects {
		if m := &shown.Objects[i]; !reflect.DeepEqual(m.Patch, given.Objects[i].Patch) {
			m.Patch, m.NoPatch = nil, "the patch would have masked values; --show-secrets keeps them"
		}
	}
	return shown
}

// patches reports whether an output is made of patches.
func (o *migrateOptions) patches() bool { return o.Asks("json-patch", "kubectl") }

// withholds gives the patches that were asked for and are not given.
func (o *migrateOptions) withholds(d migration.Document) error {
	var errs []error
	for _, m := range d.Objects {
		if m.NoPatch != "" && o.patches() {
			errs = append(errs, fmt.Errorf("%s: no patch: %s", words.Object(m.Target)+words.Where(m.Target), m.NoPatch))
		}
	}
	return errors.Join(errs...)
}

// migrationPlan puts the migrated objects into the files that they came from.
func migrationPlan(c *cluster.Cluster, subjects []toMigrate, objects []migration.Migration) *writeback.Plan {
	plan := &writeback.Plan{Read: c.Read}
	for i, m := range objects {
		if m.Verdict == migration.Migrates {
			plan.Replace(output.PlaceOf(subjects[i].live), m.Object)
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
