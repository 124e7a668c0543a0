package manifest

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"
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
func same(value any, node *yaml.Node) (kept *yaml.Node, whole bool) {
	node = anchored(node)
	switch v := value.(type) {
	case map[string]any:
		return sameFields(v, node)
	case []any:
		return sameItems(v, node)
	}
	if node.Kind == yaml.ScalarNode && sameScalar(value, node) {
		return node, true
	}
	return nil, false
}

func sameFields(object map[string]any, node *yaml.Node) (*yaml.Node, bool) {
	if node.Kind != yaml.MappingNode {
		return nil, false
	}
	out, whole := &yaml.Node{Kind: yaml.MappingNode}, true
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
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: name, Line: line}, kept)
		}
	}
	return out, whole
}

// sameItems is a list with the nodes of the items that are still there, in their
// new places: those of the same name, else those in the same place.
func sameItems(items []any, node *yaml.Node) (*yaml.Node, bool) {
	if node.Kind != yaml.SequenceNode {
		return nil, false
	}
	out, whole := &yaml.Node{Kind: yaml.SequenceNode}, len(items) == len(node.Content)
	for i, item := range items {
		placed := yaml.Node{Kind: yaml.ScalarNode}
		if from := formerItem(i, item, node); from != nil {
			kept, all := same(item, from)
			if kept != nil {
				placed = *kept
			}
			if placed.Line = 0; all {
				placed.Line = from.Line
			}
		}
		whole = whole && placed.Line > 0
		out.Content = append(out.Content, &placed)
	}
	return out, whole
}

// formerItem is what an item of a list was before.
func formerItem(i int, item any, node *yaml.Node) *yaml.Node {
	if nameOf(item) == "" {
		if i < len(node.Content) {
			return node.Content[i]
		}
		return nil
	}
	for _, n := range node.Content {
		if name, _ := field(n, "name", 0); name != nil && name.Value == nameOf(item) {
			return n
		}
	}
	return nil
}

func nameOf(item any) string {
	object, _ := item.(map[string]any)
	name, _ := object["name"].(string)
	return name
}

func sameScalar(value any, node *yaml.Node) bool {
	a, errA := json.Marshal(value)
	b, errB := json.Marshal(scalar(node))
	return errA == nil && errB == nil && string(a) == string(b)
}
