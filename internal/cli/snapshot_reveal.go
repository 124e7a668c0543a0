package cli

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
	"github.com/ssactl/ssactl/internal/plan/compare"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/server/api"
)

// digests are what live Secrets of a snapshot have for values, while they are read.
type digests struct {
	// sealer knows the values of the manifests; nil without a key.
	sealer *redact.Sealer
	asked  bool
	// wanted are the manifests with values of Secrets.
	wanted map[live.Key]map[string]any
	// left are the digests of live objects without a value.
	left map[live.Key]redact.Digests
}

// standIn says what stands for live values that cannot be compared.
type standIn int

const (
	// theManifest is what is to be written.
	theManifest standIn = iota
	// thePatch is what is written where manifests only name the objects.
	thePatch
	// nothing: nothing is written, or it is compared in another way.
	nothing
)

// reveal returns a live object with the values of the manifests instead of their
// digests. What is left are values that no manifest has, and without the key those that
// are taken for the manifests'.
func (c *cluster) reveal(d manifest.Document, in *inputFlags) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(c.snapshots) == 0 || !redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	c.knowValues(in)
	key := c.scope.key(d.Identity)
	revealed, left := c.digests.sealer.Reveal(object, c.standsIn(key, d, in))
	if left.Left() {
		c.digests.left[key] = left
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
func (c *cluster) standsIn(key live.Key, d manifest.Document, in *inputFlags) map[string]any {
	switch {
	case in.standIn == theManifest:
		return c.digests.wanted[key]
	case in.standIn == thePatch && redact.IsSecret(d.APIVersion, d.Kind):
		return in.patch
	}
	return nil
}

// knowValues shows the values of all that is to be written to the sealer, once.
func (c *cluster) knowValues(in *inputFlags) {
	if c.digests.asked {
		return
	}
	c.digests = digests{asked: true, left: map[live.Key]redact.Digests{}, wanted: map[live.Key]map[string]any{}}
	var err error
	if c.digests.sealer, err = c.app.sealerOf(in.snapshotKey); err != nil {
		c.problems = append(c.problems, report.Problem{Message: err.Error()})
	}
	if in.patch != nil {
		secret := maps.Clone(in.patch)
		secret["apiVersion"], secret["kind"] = "v1", "Secret"
		c.digests.sealer.Know(secret)
	}
	for _, d := range slices.Concat(append([][]manifest.Document{c.manifests}, c.extra...)...) {
		if !redact.IsSecret(d.APIVersion, d.Kind) && !redact.Mentions(d.Raw) {
			continue
		}
		object, err := jsontree.Decode(d.JSON())
		if err != nil {
			continue
		}
		c.digests.sealer.Know(object)
		if key := c.scope.key(d.Identity); c.digests.wanted[key] == nil {
			c.digests.wanted[key] = object
		}
	}
}

// compareDigests has the two sides of a comparison, and each of them and the manifest,
// differ only in values that are known to differ.
func (c *cluster) compareDigests(q *compare.Request, key live.Key) {
	if !c.digests.left[key].Left() {
		return
	}
	s := c.digests.sealer
	s.Know(q.Before.Object)
	s.Know(q.After.Object)
	before, after := q.Before.Object, q.After.Object
	if before != nil && after != nil {
		q.Before.Object, _ = s.Reveal(before, after)
		q.After.Object, _ = s.Reveal(after, q.Before.Object)
	}
	q.Before.Applied, _ = s.Reveal(q.Before.Object, c.digests.wanted[key])
	q.After.Applied, _ = s.Reveal(q.After.Object, c.digests.wanted[key])
}

// errDigests is that of a command that would write live values of Secrets.
var errDigests = errors.New("the live Secrets are of a snapshot, which has digests instead of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields")

// refuseDigests is an error where live Secrets have digests that no manifest's value
// replaces.
func (c *cluster) refuseDigests() error {
	if len(c.digests.left) > 0 {
		return errDigests
	}
	return nil
}

// digestCaveats say what the digests in a live object leave open.
func (c *cluster) digestCaveats(key live.Key) []report.Caveat {
	left := c.digests.left[key]
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
