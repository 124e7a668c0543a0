package cli

import (
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply makes the write of a manifest as an apply sends it: always as YAML, which
// JSON is too.
func (c *cluster) apply(p pair) engine.Write {
	w := c.undecoded(p)
	w.Verb, w.MediaType = api.Apply, ""
	w.Body = manifest.AsApplied(p.document.Format, p.document.Raw)
	return w
}
