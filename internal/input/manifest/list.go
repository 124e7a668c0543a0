package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/document"
)

// isList follows kubectl: a kind that ends in List and has items.
func isList(h head) bool {
	return strings.HasSuffix(h.Kind, "List") && h.items != Span{}
}

// typedBy fills in what the items of a typed List leave out, as clients do: a
// ConfigMapList of v1 has ConfigMaps of v1.
func (h head) typedBy(list head) head {
	kind, found := strings.CutSuffix(list.Kind, "List")
	if !found || kind == "" {
		return h
	}
	if h.Kind == "" {
		h.Kind = kind
	}
	if h.APIVersion == "" {
		h.APIVersion = list.APIVersion
	}
	return h
}

// typed writes into an object what typedBy filled into its head.
func typed(was, is head, asJSON []byte) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	if was.APIVersion != is.APIVersion {
		fmt.Fprintf(&b, `"apiVersion":%s,`, quoted(is.APIVersion))
	}
	if was.Kind != is.Kind {
		fmt.Fprintf(&b, `"kind":%s,`, quoted(is.Kind))
	}
	members := bytes.TrimLeft(asJSON[bytes.IndexByte(asJSON, '{')+1:], " \t\r\n")
	if bytes.HasPrefix(members, []byte("}")) && b.Len() > 1 {
		b.Truncate(b.Len() - 1)
	}
	b.Write(members)
	return b.Bytes()
}

func quoted(s string) []byte {
	// Marshal of a string cannot fail.
	b, _ := json.Marshal(s)
	return b
}

// encodedItems gives the items of a YAML List that cannot be cut as bytes,
// from the one after skip on. Their fields are located in the text of the
// List.
func (f *reader) encodedItems(p piece, content int, list head, asJSON []byte, skip int) {
	whole := parseTree(p.raw, YAML, p.line)
	nodes := whole.items()
	items := itemsOf(asJSON[list.items.Start:list.items.End])
	for i, item := range items {
		if i < skip {
			continue
		}
		if f.stopped {
			return
		}
		line, tree := content, &tree{last: whole.last, first: whole.first}
		if i < len(nodes) && len(nodes) == len(items) {
			line, tree.root = whole.line(nodes[i].Line), nodes[i].Value
		}
		f.giveEncoded(list, item, line, tree, i+1)
	}
}

func (f *reader) giveEncoded(list head, item []byte, line int, where *tree, n int) {
	was := readHead(item)
	h := was.typedBy(list)
	if h.Identity != was.Identity && isObject(item) {
		item = typed(was, h, item)
	}
	d := piece{raw: bytes.Clone(item), format: JSON}.document(f.source(line), h, item)
	d.derived.json = d.Raw
	d.derived.tree = &lines{parse: func() *tree { return where }}
	f.give(d, n)
}

// items gives what is under the top-level key "items".
func (t *tree) items() []document.Entry {
	if t.root == nil {
		return nil
	}
	node, _ := field(t.root, "items", 0)
	if node == nil {
		return nil
	}
	return node.Resolved().Entries
}
