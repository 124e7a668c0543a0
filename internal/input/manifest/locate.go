package manifest

import (
	"bytes"
	"slices"
	"strconv"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document"
)

// tree is a document with the line of each node.
type tree struct {
	root  *document.Node
	first int // line of the input that line 1 of the text stands on
	last  int // lines of the text

	mu sync.Mutex
	// fields is what long maps were found by.
	fields map[*document.Node]map[string]int
}

// long is how many keys a map has that is gone through once for all look-ups.
const long = 64

func parseTree(raw []byte, format Format, first int) *tree {
	t := &tree{first: first, last: 1}
	if n := len(raw); n > 0 {
		t.last += bytes.Count(raw[:n-1], newline)
	}
	if format == JSON {
		t.root = document.JSON(raw)
	} else if t.root = document.Located(raw); t.root == nil {
		// What cannot be read has no lines.
		t.root, _ = document.YAML(raw)
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

func (t *tree) step(node *document.Node, element fieldpath.PathElement) (*document.Node, int) {
	node = node.Resolved()
	switch {
	case element.FieldName != nil && node.Kind == document.Mapping:
		return t.field(node, *element.FieldName)
	case node.Kind != document.Sequence:
		return nil, 0
	case element.Index != nil:
		if i := *element.Index; i >= 0 && i < len(node.Entries) {
			return node.Entries[i].Value, node.Entries[i].Line
		}
	}
	return nil, 0
}

// field is the function field, which looks through a long map once.
func (t *tree) field(node *document.Node, name string) (*document.Node, int) {
	if len(node.Entries) < long {
		return field(node, name, 0)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	places := t.fields[node]
	if places == nil {
		places = map[string]int{}
		for i, e := range node.Entries {
			places[keyName(e)] = i
		}
		if t.fields == nil {
			t.fields = map[*document.Node]map[string]int{}
		}
		t.fields[node] = places
	}
	i, ok := places[name]
	if !ok {
		return merged(node, name, 0)
	}
	return node.Entries[i].Value, node.Entries[i].Line
}

// maxMerges bounds how far merge keys are followed: they can be nested in a
// circle.
const maxMerges = 16

// field gives the value of the last key of that name, as the server reads
// repeated keys; merged maps come after those written out.
func field(node *document.Node, name string, merges int) (*document.Node, int) {
	node = node.Resolved()
	if node.Kind != document.Mapping || merges > maxMerges {
		return nil, 0
	}
	for _, e := range slices.Backward(node.Entries) {
		if keyName(e) == name {
			return e.Value, e.Line
		}
	}
	return merged(node, name, merges)
}

// merged gives the value of a key of the maps that are merged into a map.
func merged(node *document.Node, name string, merges int) (*document.Node, int) {
	for _, e := range node.Entries {
		if !e.Merge {
			continue
		}
		maps := []document.Entry{e}
		if e.Value.Kind == document.Sequence {
			maps = e.Value.Entries
		}
		for _, m := range maps {
			if found, line := field(m.Value, name, merges+1); found != nil {
				return found, line
			}
		}
	}
	return nil, 0
}

// keyName is a key as the server reads it.
func keyName(e document.Entry) string {
	if e.PlainKey {
		if v, ok := scalar(e.Key).(bool); ok {
			return strconv.FormatBool(v)
		}
	}
	return e.Key
}

// scalar reads a plain scalar as the server does.
func scalar(text string) any {
	var v any
	if yaml.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	switch v.(type) {
	case map[string]any, []any:
		return text
	}
	return v
}
