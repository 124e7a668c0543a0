package cli

import (
	"encoding/json"
	"regexp"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/server/api"
)

// apply makes the write of a manifest as an apply sends it: always as YAML, which
// JSON is too.
func (c *cluster) apply(p pair) engine.Write {
	w := c.write(p)
	w.Verb, w.MediaType = api.Apply, ""
	w.Body = applyBody(p.document)
	return w
}

// applyBody is a manifest as an apply sends it: its own bytes, since how the
// server reads them as YAML is part of its answer. Only JSON with escapes that
// YAML 1.1 does not have is written anew, as kubectl does with every manifest:
// as it is, the server would refuse it.
func applyBody(d manifest.Document) []byte {
	if d.Format != manifest.JSON || !jsonEscape.Match(d.Raw) {
		return d.Raw
	}
	tree, err := jsontree.Decode(d.Raw)
	if err != nil {
		return d.Raw
	}
	body, err := json.Marshal(tree)
	if err != nil {
		return d.Raw
	}
	return body
}

// jsonEscape finds what may be such an escape: a solidus, or the first half of
// a surrogate pair.
var jsonEscape = regexp.MustCompile(`\\/|\\u[dD][89abAB]`)
