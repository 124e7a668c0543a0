package cluster

import (
	"fmt"
	"reflect"

	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// noteRivals says which definitions of --crds the live files have with other schemas:
// answers go by the live ones, which is what the cluster has.
func (c *Cluster) noteRivals(objects given) {
	flagged := map[string]manifest.Document{}
	for _, d := range c.Definitions {
		if IsDefinition(d.Identity) && c.kinds[DefinedBy(d)] {
			flagged[d.Name] = d
		}
	}
	if len(flagged) == 0 {
		return
	}
	for _, d := range objects.defining {
		rival, given := flagged[d.Name]
		if !given || d.Unread() != nil || reflect.DeepEqual(schemasOf(d.Document), schemasOf(rival)) {
			continue
		}
		at, source := report.Source(d.Source), report.Source(rival.Source)
		c.Notices = append(c.Notices, fmt.Sprintf("%s defines %s with other schemas than the live files do (%s): the answers go by the live ones",
			words.Place(&source), d.Name, words.Place(&at)))
	}
}

// schemasOf are the schemas of a definition by version; versions that are not served
// define nothing.
func schemasOf(d manifest.Document) map[string]any {
	out := map[string]any{}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return out
	}
	spec, _ := object["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, _ := version["name"].(string); version["served"] == true {
			out[name] = version["schema"]
		}
	}
	return out
}
