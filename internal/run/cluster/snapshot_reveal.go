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

// digests are what live Secrets of a snapshot have for values, while they are read.
type digests struct {
	// Sealer knows the values of the manifests; nil without a key.
	Sealer *redact.Sealer
	asked  bool
	// Wanted are the manifests with values of Secrets.
	Wanted map[live.Key]map[string]any
	// Left are the digests of live objects without a value.
	Left map[live.Key]redact.Digests
}

// Reveal returns a live object with the values of the manifests instead of their
// digests. What is left are values that no manifest has, and without the key those that
// are taken for the manifests'.
func (c *Cluster) Reveal(d manifest.Document, in *input.InputFlags) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(c.Snapshots) == 0 || !redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	c.knowValues(in)
	key := c.Scope.Key(d.Identity)
	revealed, left := c.Digests.Sealer.Reveal(object, c.standsIn(key, d, in))
	if left.Left() {
		c.Digests.Left[key] = left
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(revealed)
	if err != nil {
		return d
	}
	return d.Replaced(text)
}

// standsIn is what is to be written to a live object; nil where that says nothing of its
// values.
func (c *Cluster) standsIn(key live.Key, d manifest.Document, in *input.InputFlags) map[string]any {
	switch {
	case in.StandIn == input.TheManifest:
		return c.Digests.Wanted[key]
	case in.StandIn == input.ThePatch && redact.IsSecret(d.APIVersion, d.Kind):
		return in.Patch
	}
	return nil
}

// knowValues shows the values of all that is to be written to the sealer, once.
func (c *Cluster) knowValues(in *input.InputFlags) {
	if c.Digests.asked {
		return
	}
	c.Digests = digests{asked: true, Left: map[live.Key]redact.Digests{}, Wanted: map[live.Key]map[string]any{}}
	var err error
	if c.Digests.Sealer, err = sealerOf(c.App, in.SnapshotKey); err != nil {
		c.Problems = append(c.Problems, report.Problem{Message: err.Error()})
	}
	if in.Patch != nil {
		secret := maps.Clone(in.Patch)
		secret["apiVersion"], secret["kind"] = "v1", "Secret"
		c.Digests.Sealer.Know(secret)
	}
	for _, d := range slices.Concat(append([][]manifest.Document{c.Manifests}, c.Extra...)...) {
		if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
			continue
		}
		object, err := jsontree.Decode(d.JSON())
		if err != nil {
			continue
		}
		c.Digests.Sealer.Know(object)
		if key := c.Scope.Key(d.Identity); c.Digests.Wanted[key] == nil {
			c.Digests.Wanted[key] = object
		}
	}
}

// errDigests is that of a command that would write live values of Secrets.
var errDigests = errors.New("the live Secrets are of a snapshot, which has digests instead of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields")

// RefuseDigests is an error where live Secrets have digests that no manifest's value
// replaces.
func (c *Cluster) RefuseDigests() error {
	if len(c.Digests.Left) > 0 {
		return errDigests
	}
	return nil
}

// digestCaveats say what the digests in a live object leave open.
func (c *Cluster) digestCaveats(key live.Key) []report.Caveat {
	left := c.Digests.Left[key]
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
