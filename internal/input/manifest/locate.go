package manifest

import (
	"bytes"
	"strconv"
	"sync"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/input/plainyaml"
)

// tree is a document with the line of each node.
type tree struct {
	root  *yaml.Node
	first int // line of the input that line 1 of the text stands on
	last  int // lines of the text

	mu sync.Mutex
	// fields is what long maps were found by.
	fields map[*yaml.Node]map[string]int
}

// long is how many keys a map has that is gone through once for all look-ups.
const long = 64

func parseTree(raw []byte, format Format, first int) *tree {
	t := &tree{first: first, last: 1}
	if n := len(raw); n > 0 {
		t.last += bytes.Count(raw[:n-1], newline)
	}
	if format == JSON {
		t.root = parseJSONTree(raw)
		return t
	}
	if asJSON, lines, ok := plainyaml.Located(raw); ok {
		t.root = parseLocatedTree(asJSON, lines)
		return t
	}
	var document yaml.Node
	if err := yaml.Unmarshal(raw, &document); err == nil && len(document.Content) > 0 {
		t.root = document.Content[0]
	}
	return t
}

// line is the line of the input for a line of the text.
func (t *tree) line(n int) int { return t.first - 1 + min(max(n, 1), t.last) }

// Locate finds the line of the input on which a field of the document stands:
// the line of the key of a map field, of the first line of a list item. The items
// of lists are named by their positions: which item a key means is the merge
// schema's to say. When the field is not there, the line is that of its nearest
// ancestor, and ok is false. Of a document that was built from another, a field that
// is not as it is there has no line.
func Locate(doc Document, path fieldpath.Path) (line int, ok bool) {
	line = doc.Source.Line
	if doc.derived == nil {
		return line, false
	}
	t := doc.derived.tree.get()
	if t.root == nil {
		return line, false
	}
	node, ok := t.root, true
	for _, element := range path {
		next, at := t.step(node, element)
		if next == nil {
			return line, false
		}
		node = next
		if ok = at > 0; ok {
			line = t.line(at)
		}
	}
	return line, ok
}

// TextLine is the line of the input for a line of Raw, both counted from 1; 0 for a
// document that was built, whose text is in no input.
func TextLine(doc Document, n int) int {
	if doc.derived != nil && doc.derived.built {
		return 0
	}
	content := 1
	for text := range bytes.Lines(doc.Raw) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] != '#' {
			break
		}
		content++
	}
	return doc.Source.Line + n - content
}

func (t *tree) step(node *yaml.Node, element fieldpath.PathElement) (*yaml.Node, int) {
	node = anchored(node)
	switch {
	case element.FieldName != nil && node.Kind == yaml.MappingNode:
		return t.field(node, *element.FieldName)
	case node.Kind != yaml.SequenceNode:
		return nil, 0
	case element.Index != nil:
		if i := *element.Index; i >= 0 && i < len(node.Content) {
			return node.Content[i], node.Content[i].Line
		}
	}
	return nil, 0
}

// anchored is what an alias stands for, or the node itself.
func anchored(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode && node.Alias != nil {
		node = node.Alias
	}
	return node
}

// field is the function field, which looks through a long map once.
func (t *tree) field(node *yaml.Node, name string) (*yaml.Node, int) {
	if len(node.Content) < 2*long {
		return field(node, name, 0)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	places := t.fields[node]
	if places == nil {
		places = map[string]int{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			places[keyName(node.Content[i])] = i
		}
		if t.fields == nil {
			t.fields = map[*yaml.Node]map[string]int{}
		}
		t.fields[node] = places
	}
	i, ok := places[name]
	if !ok {
		return merged(node, name, 0)
	}
	return node.Content[i+1], node.Content[i].Line
}

// maxMerges bounds how far merge keys are followed: they can be nested in a
// circle.
const maxMerges = 16

// field gives the value of the last key of that name, as the server reads
// repeated keys; merged maps come after those written out.
func field(node *yaml.Node, name string, merges int) (*yaml.Node, int) {
	node = anchored(node)
	if node.Kind != yaml.MappingNode || merges > maxMerges {
		return nil, 0
	}
	for i := len(node.Content) - 2; i >= 0; i -= 2 {
		if keyName(node.Content[i]) == name {
			return node.Content[i+1], node.Content[i].Line
		}
	}
	return merged(node, name, merges)
}

// merged gives the value of a key of the maps that are merged into a map.
func merged(node *yaml.Node, name string, merges int) (*yaml.Node, int) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Tag != "!!merge" {
			continue
		}
		maps := []*yaml.Node{node.Content[i+1]}
		if maps[0].Kind == yaml.SequenceNode {
			maps = maps[0].Content
		}
		for _, m := range maps {
			if found, line := field(m, name, merges+1); found != nil {
				return found, line
			}
		}
	}
	return nil, 0
}

func keyName(key *yaml.Node) string {
	if key.Kind != yaml.ScalarNode || key.Style != 0 {
		return key.Value
	}
	switch v := scalar(key).(type) {
	case bool:
		return strconv.FormatBool(v)
	default:
		return key.Value
	}
}

// scalar reads a scalar as the server does.
func scalar(node *yaml.Node) any {
	if node.Style != 0 {
		return node.Value
	}
	var v any
	if sigsyaml.Unmarshal([]byte(node.Value), &v) != nil {
		return node.Value
	}
	switch v.(type) {
	case map[string]any, []any:
		return node.Value
	}
	return v
}
