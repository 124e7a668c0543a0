package edit

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"github.com/ssactl/ssactl/internal/document"
)

// action is the beginning of a Go template action as charts have it. Other
// double braces, such as a workflow's {{inputs.name}}, are ordinary text.
var action = regexp.MustCompile(`^\{\{-?\s*([.$"(-]|/\*|(if|else|end|range|with|include|template|define|block|toYaml|tpl|printf|default|required|lookup|quote)\b)`)

func hasActions(text []byte) bool { return bytes.Contains(text, []byte("{{")) }

// hasActionsOutsideQuotes reports whether a text that parses is a template all
// the same. Double braces in quoted and block scalars are not asked: alert
// rules and dashboards are full of them, and they are the manifest's own.
func hasActionsOutsideQuotes(text []byte, root *document.Node) bool {
	scalars := scalarsOf(root, nil)
	for offset := 0; ; offset += 2 {
		next := bytes.Index(text[offset:], []byte("{{"))
		if next < 0 {
			return false
		}
		offset += next
		inside := scalarAt(scalars, offset)
		switch {
		case inside != nil && bytes.IndexByte([]byte(`"'|>`), inside.Lead) >= 0:
		case action.Match(text[offset:min(offset+200, len(text))]):
			return true
		case inside == nil && !inComment(text, offset):
			return true
		}
	}
}

// scalarsOf collects the scalars below a node in the order of the text.
func scalarsOf(n *document.Node, found []*document.Node) []*document.Node {
	if n.Kind == document.Scalar {
		return append(found, n)
	}
	for _, e := range n.Entries {
		found = scalarsOf(e.Value, found)
	}
	return found
}

func scalarAt(scalars []*document.Node, offset int) *document.Node {
	i, exact := slices.BinarySearchFunc(scalars, offset, func(n *document.Node, offset int) int {
		return cmp.Compare(n.Start, offset)
	})
	if !exact {
		i--
	}
	if i < 0 || i >= len(scalars) || offset >= scalars[i].End {
		return nil
	}
	return scalars[i]
}

func inComment(text []byte, offset int) bool {
	line := bytes.LastIndexByte(text[:offset], '\n') + 1
	return bytes.HasPrefix(bytes.TrimLeft(text[line:offset], " \t"), []byte("#")) ||
		bytes.Contains(text[line:offset], []byte(" #"))
}
