package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Digests are what live Secrets of a snapshot have for values, while they are read.
type Digests struct {
	// Sealer knows the values of the manifests; nil without a key.
	Sealer *redact.Sealer
	// Wanted are the manifests with values of Secrets.
	Wanted map[live.Key]map[string]any
	// Left are the digests of live objects without a value.
	Left map[live.Key]redact.Digests
}

// Reveal returns a live object with the values of the manifests instead of their
// digests. What is left are values that no manifest has, and without the key those that
// are taken for the manifests'.
func (c *Cluster) Reveal(d manifest.Document, in *input.Flags) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(c.Snapshots) == 0 || !redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	if c.Left == nil {
		c.knowValues(in)
	}
	key := c.Key(d.Identity)
	// What stands in for the values is what is to be written to the object, if anything.
	var standsIn map[string]any
	switch {
	case in.StandIn == input.TheManifest:
		standsIn = c.Wanted[key]
	case in.StandIn == input.ThePatch && redact.IsSecret(d.APIVersion, d.Kind):
		standsIn = in.Patch
	}
	revealed, left := c.Sealer.Reveal(object, standsIn)
	if left.Left() {
		c.Left[key] = left
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(revealed)
	if err != nil {
		return d
	}
	return d.Replaced(text)
}

// knowValues shows the values of all that is to be written to the sealer.
func (c *Cluster) knowValues(in *input.Flags) {
	c.Digests = Digests{Left: map[live.Key]redact.Digests{}, Wanted: map[live.Key]map[string]any{}}
	var err error
	if c.Sealer, err = sealerOf(c.App, in.SnapshotKey); err != nil {
		c.Problems = append(c.Problems, report.Problem{Message: err.Error()})
	}
	if in.Patch != nil {
		secret := maps.Clone(in.Patch)
		secret["apiVersion"], secret["kind"] = "v1", "Secret"
		c.Sealer.Know(secret)
	}
	for _, d := range slices.Concat(append([][]manifest.Document{c.Manifests}, c.Extra...)...) {
		if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
			continue
		}
		object, err := jsontree.Decode(d.JSON())
		if err != nil {
			continue
		}
		c.Sealer.Know(object)
		if key := c.Key(d.Identity); c.Wanted[key] == nil {
			c.Wanted[key] = object
		}
	}
}

// RefuseDigests is an error where live Secrets have digests that no manifest's value
// replaces.
func (d *Digests) RefuseDigests() error {
	if len(d.Left) > 0 {
		return errors.New("the live Secrets are of a snapshot, which has digests instead of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields")
	}
	return nil
}

// caveats say what the digests in a live object leave open.
func (d *Digests) caveats(key live.Key) []report.Caveat {
	left := d.Left[key]
	var out []report.Caveat
	for _, at := range left.Assumed {
		out = append(out, report.Caveat{Kind: api.Input, Rule: report.RuleDigests, Field: fieldpath.MakePathOrDie(at...).String(), Message: strangeDigests})
	}
	if n := left.Known + left.Strange; n > 0 {
		out = append(out, report.Caveat{Kind: api.Input, Message: fmt.Sprintf(
			"The snapshot has digests for %s of the live object that no manifest has: rules that look into such values (their size, policies) were not simulated.", words.Count(n, "value"))})
	}
	return out
}

// strangeDigests is said once of all values of a run.
const strangeDigests = "The snapshot has digests for values of Secrets, and their key is not given: whether these values change is not known, and they are taken as unchanged."
