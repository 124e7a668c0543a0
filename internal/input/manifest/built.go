package manifest

import (
	"encoding/json"

	"github.com/ssactl/ssactl/internal/document"
)

// At is the document where it really comes from: as one that was made of
// something else, which has no text of its own to edit, and none of whose fields
// has a line.
func (d Document) At(src Source) Document {
	d.Source, d.Span, d.Item = src, Span{}, 0
	return d.placed(func() *tree { return &tree{} })
}

// From is the document as one that was built from another: it stands where that
// one does, and of its fields those are located that have the same value there.
func (d Document) From(origin Document) Document {
	d.Source, d.Span, d.Item = origin.Source, Span{}, 0
	return d.placed(func() *tree {
		from := origin.derived.tree.get()
		var built any
		if from.root == nil || json.Unmarshal(d.JSON(), &built) != nil {
			return &tree{}
		}
		root, _ := same(built, from.root)
		return &tree{root: root, first: from.first, last: from.last}
	})
}

// placed is the document with other places of its fields.
func (d Document) placed(parse func() *tree) Document {
	derived := *d.derived
	derived.tree, derived.built = &lines{parse: parse}, true
	d.derived = &derived
	return d
}

// same is what of a node a value still has, in the order of the value; nil for
// nothing. Of a map or list that has changed, what is in it is located, but not
// the whole.
func same(value any, node *document.Node) (kept *document.Node, whole bool) {
	node = node.Resolved()
	switch v := value.(type) {
	case map[string]any:
		return sameFields(v, node)
	case []any:
		return sameItems(v, node)
	}
	if node.Kind == document.Scalar && sameScalar(value, node) {
		return node, true
	}
	return nil, false
}

func sameFields(object map[string]any, node *document.Node) (*document.Node, bool) {
	if node.Kind != document.Mapping {
		return nil, false
	}
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
	if node.Kind != document.Sequence {
		return nil, false
	}
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
	if nameOf(item) == "" {
		if i < len(node.Entries) {
			return &node.Entries[i]
		}
		return nil
	}
	for i, e := range node.Entries {
		if name, _ := field(e.Value, "name", 0); name != nil && name.Value == nameOf(item) {
			return &node.Entries[i]
		}
	}
	return nil
}

func nameOf(item any) string {
	object, _ := item.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

func sameScalar(value any, node *document.Node) bool {
	a, errA := json.Marshal(value)
	is := any(node.Value)
	if node.Plain {
		is = scalar(node.Value)
	}
	b, errB := json.Marshal(is)
	return errA == nil && errB == nil && string(a) == string(b)
}
