package manifest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document"
)

// lines is where fields are located, parsed when it is first asked for. It may
// belong to a whole List.
type lines struct {
	parse func() *tree
	mu    sync.Mutex
	tree  *tree
}

func (l *lines) get() *tree {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tree == nil {
		l.tree = l.parse()
	}
	return l.tree
}

// Forget drops what was made to locate the fields of the document. It is made
// again when it is asked for.
func (d Document) Forget() {
	if d.derived == nil {
		return
	}
	d.derived.tree.mu.Lock()
	defer d.derived.tree.mu.Unlock()
	d.derived.tree.tree = nil
}

// tree is a document with the line of each node.
type tree struct {
	root  *document.Node // nil where nothing is located
	first int            // line of the input that line 1 of the text stands on
	last  int            // lines of the text
	// fields has, for each long map that was looked into, a map of its keys to their places.
	fields sync.Map
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
		next, at := t.step(node.Resolved(), element)
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
		if !document.IsBlank(text) {
			break
		}
		content++
	}
	return doc.Source.Line + n - content
}

// step gives what a path element names in a node, and its line; nil for nothing.
func (t *tree) step(node *document.Node, element fieldpath.PathElement) (*document.Node, int) {
	switch i := element.Index; {
	case element.FieldName != nil && node.Kind == document.Mapping:
		return t.field(node, *element.FieldName)
	case i != nil && node.Kind == document.Sequence && *i >= 0 && *i < len(node.Entries):
		return node.Entries[*i].Value, node.Entries[*i].Line
	}
	return nil, 0
}

// field is the function field, which looks through a long map once.
func (t *tree) field(node *document.Node, name string) (*document.Node, int) {
	if len(node.Entries) < long {
		return field(node, name, 0)
	}
	known, ok := t.fields.Load(node)
	if !ok {
		places := make(map[string]int, len(node.Entries))
		for i, e := range node.Entries {
			places[keyName(e)] = i
		}
		known, _ = t.fields.LoadOrStore(node, places)
	}
	i, ok := known.(map[string]int)[name]
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

// At is the document where it really comes from: as one that was made of
// something else, which has no text of its own to edit, and none of whose fields
// has a line.
func (d Document) At(src Source) Document {
	return d.builtAt(src, func() *tree { return &tree{} })
}

// From is the document as one that was built from another: it stands where that
// one does, and of its fields those are located that have the same value there.
func (d Document) From(origin Document) Document {
	return d.builtAt(origin.Source, func() *tree {
		from := origin.derived.tree.get()
		var built any
		if from.root == nil || json.Unmarshal(d.JSON(), &built) != nil {
			return &tree{}
		}
		root, _ := same(built, from.root)
		return &tree{root: root, first: from.first, last: from.last}
	})
}

// builtAt is the document at another place, with other places of its fields.
func (d Document) builtAt(src Source, parse func() *tree) Document {
	derived := *d.derived
	derived.tree, derived.built = &lines{parse: parse}, true
	d.Source, d.Span, d.Item, d.derived = src, Span{}, 0, &derived
	return d
}

// same is what of a node a value still has, in the order of the value; nil for
// nothing. Of a map or list that has changed, what is in it is located, but not
// the whole.
func same(value any, node *document.Node) (kept *document.Node, whole bool) {
	node = node.Resolved()
	switch v := value.(type) {
	case map[string]any:
		if node.Kind == document.Mapping {
			return sameFields(v, node)
		}
	case []any:
		if node.Kind == document.Sequence {
			return sameItems(v, node)
		}
	default:
		is := any(node.Value)
		if node.Plain {
			is = scalar(node.Value)
		}
		a, errA := json.Marshal(value)
		b, errB := json.Marshal(is)
		if node.Kind == document.Scalar && errA == nil && errB == nil && bytes.Equal(a, b) {
			return node, true
		}
	}
	return nil, false
}

func sameFields(object map[string]any, node *document.Node) (*document.Node, bool) {
	out, whole := &document.Node{Kind: document.Mapping}, true
	for name, below := range object {
		found, line := field(node, name, 0)
		if found == nil {
			whole = false
			continue
		}
		kept, all := same(below, found)
		if !all {
			whole, line = false, 0
		}
		if kept != nil {
			out.Entries = append(out.Entries, document.Entry{Key: name, Line: line, Value: kept})
		}
	}
	return out, whole
}

// sameItems is a list with the nodes of the items that are still there, in their
// new places: those of the same name, else those in the same place.
func sameItems(items []any, node *document.Node) (*document.Node, bool) {
	out, whole := &document.Node{Kind: document.Sequence}, len(items) == len(node.Entries)
	for i, item := range items {
		placed := document.Entry{Value: &document.Node{}}
		if from := formerItem(i, item, node); from != nil {
			kept, all := same(item, from.Value)
			if kept != nil {
				placed.Value = kept
			}
			if all {
				placed.Line = from.Line
			}
		}
		whole = whole && placed.Line > 0
		out.Entries = append(out.Entries, placed)
	}
	return out, whole
}

// formerItem is what an item of a list was before.
func formerItem(i int, item any, node *document.Node) *document.Entry {
	object, _ := item.(map[string]any)
	if own, _ := object["name"].(string); own != "" {
		i = slices.IndexFunc(node.Entries, func(e document.Entry) bool {
			name, _ := field(e.Value, "name", 0)
			return name != nil && name.Value == own
		})
	}
	if i < 0 || i >= len(node.Entries) {
		return nil
	}
	return &node.Entries[i]
}
