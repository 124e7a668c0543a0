package manifest

import (
	"encoding/json"
	"regexp"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// AsApplied is the text of a document as an apply sends it: its own bytes, since how
// the server reads them as YAML is part of its answer. Only JSON with escapes that
// YAML 1.1 does not have is written anew, as kubectl does with every manifest: as it
// is, the server would refuse it.
func AsApplied(format Format, text []byte) []byte {
	if format != JSON || !jsonEscape.Match(text) {
		return text
	}
	tree, err := jsontree.Decode(text)
	if err != nil {
		return text
	}
	body, err := json.Marshal(tree)
	if err != nil {
		return text
	}
	return body
}

// jsonEscape finds what may be such an escape: a solidus, or the first half of
// a surrogate pair.
var jsonEscape = regexp.MustCompile(`\\/|\\u[dD][89abAB]`)
