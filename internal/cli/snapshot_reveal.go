package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
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
	// left are the digests that stay in live objects.
	left map[live.Key]redact.Digests
}

// reveal gives a live object with the values of the manifests in the place of their
// digests. What is left are values that no manifest has.
func (c *cluster) reveal(d manifest.Document, file string) manifest.Document {
	if d.Deferred() || !redact.IsSecret(d.APIVersion, d.Kind) && len(c.snapshots) == 0 || !redact.MentionsDigest(d.JSON()) {
		return d
	}
	object, err := jsontree.Decode(d.JSON())
	if err != nil {
		return d
	}
	c.knowValues(file)
	revealed, left := c.digests.sealer.Reveal(object)
	if left.Known+left.Strange > 0 {
		c.digests.left[c.scope.key(d.Identity)] = left
	}
	// What was decoded from JSON can be written as JSON.
	text, err := json.Marshal(revealed)
	if err != nil {
		return d
	}
	return d.Replaced(text)
}

// knowValues shows the values of all manifests to the sealer, once.
func (c *cluster) knowValues(file string) {
	if c.digests.asked {
		return
	}
	c.digests.asked, c.digests.left = true, map[live.Key]redact.Digests{}
	var err error
	if c.digests.sealer, err = c.app.sealerOf(file); err != nil {
		c.problems = append(c.problems, report.Problem{Message: err.Error()})
	}
	if c.digests.sealer == nil {
		return
	}
	for _, d := range slices.Concat(append(c.extra, c.manifests)...) {
		if redact.IsSecret(d.APIVersion, d.Kind) || redact.Mentions(d.Raw) {
			if object, err := jsontree.Decode(d.JSON()); err == nil {
				c.digests.sealer.Object(object)
			}
		}
	}
}

// errDigests is that of a command that would write live values of Secrets.
var errDigests = errors.New("the live Secrets are of a snapshot, which has digests in the place of values: --share-secrets would write them into manifests; fetch the Secrets with kubectl get -o yaml --show-managed-fields")

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
	left, ok := c.digests.left[key]
	if !ok {
		return nil
	}
	message := fmt.Sprintf("The snapshot has digests for %s of the live object that no manifest has: they differ, and rules that look into such values (their size, policies) were not simulated.", words.Count(left.Known, "value"))
	if left.Strange > 0 {
		message = fmt.Sprintf("The snapshot has digests for %s of the live object, and their key is not at hand (--snapshot-key): each value of the manifest counts as another one.", words.Count(left.Strange, "value"))
	}
	return []report.Caveat{{Kind: api.Input, Rule: report.RuleDigests, Message: message}}
}
