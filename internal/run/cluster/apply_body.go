package cluster

import (
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server/api"
)

// Apply makes the write of a manifest as an apply sends it: always as YAML, which
// JSON is too.
func (c *Cluster) Apply(p Pair) engine.Write {
	w := c.undecoded(p)
	w.Verb, w.MediaType = api.Apply, ""
	w.Body = manifest.AsApplied(p.Document.Format, p.Document.Raw)
	return w
}
