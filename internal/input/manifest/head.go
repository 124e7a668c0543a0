package manifest

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// head is what decides how a document is treated. Values of the wrong type
// read as empty, so that a document of the wrong shape still has the rest of
// its identity; of a repeated key the last counts, as for the API server.
type head struct {
	Identity
	continued string
	message   string
	kindOf    string // the top-level "type", as watch events have it
	managed   bool
	served    bool // has a metadata.uid or metadata.resourceVersion
	object    bool // has a top-level "object"
	items     Span // of the array under "items"; zero without one
	// hooks are the annotations helm.sh/…; nil for none.
	hooks map[string]string
}

// readHead reads the head of a JSON text. What is wrong in the text was reported
// when it was read first: the head is then what came before.
func readHead(asJSON []byte) (h head) {
	s := scan.Bytes(asJSON, scan.AnyDepth)
	if s.Next() == '{' {
		readMembers(s, &h, nil)
	}
	return h
}

// known is the head of the document.
func (d Document) known() head {
	if d.derived == nil {
		return readHead(d.Raw)
	}
	return d.derived.head
}

// HasManagedFields reports whether the document has a managed fields entry.
func (d Document) HasManagedFields() bool { return d.known().managed }

// FromServer reports whether an API server has answered with the document: only
// then it has managed fields entries, a uid or a resourceVersion. People write
// none of these into manifests.
func (d Document) FromServer() bool {
	h := d.known()
	return h.managed || h.served
}

// readMembers reads the head of the object whose brace is the next byte, and passes it.
// items, when not nil, passes the array under "items", whose bracket is then the next
// byte.
func readMembers(s *scan.Scanner, h *head, items func()) {
	s.Members(func(key []byte) {
		switch string(key) {
		case "apiVersion":
			h.APIVersion = s.Value()
		case "kind":
			h.Kind = s.Value()
		case "message":
			h.message = s.Value()
		case "type":
			h.kindOf = s.Value()
		case "object":
			h.object = true
			s.Skip()
		case "metadata":
			h.readMetadata(s)
		case "items":
			c, from := s.Next(), int64(s.Offset())
			h.items = Span{}
			if c == '[' && items != nil {
				items()
			} else if s.Skip(); s.Err() == nil && (c == '[' || c == 'n') {
				// An empty list of Go is null.
				h.items = Span{from, int64(s.Offset())}
			}
		default:
			s.Skip()
		}
	})
}

func (h *head) readMetadata(s *scan.Scanner) {
	h.Namespace, h.Name, h.GenerateName, h.continued, h.managed, h.served = "", "", "", "", false, false
	h.hooks = nil
	if s.Next() != '{' {
		s.Skip()
		return
	}
	s.Members(func(key []byte) {
		switch string(key) {
		case "namespace":
			h.Namespace = s.Value()
		case "name":
			h.Name = s.Value()
		case "generateName":
			h.GenerateName = s.Value()
		case "continue":
			h.continued = s.Value()
		case "annotations":
			h.readAnnotations(s)
		case "managedFields":
			if h.managed = false; s.Next() != '[' {
				s.Skip()
				return
			}
			s.Elements(func() {
				h.managed = true
				s.Skip()
			})
		case "uid", "resourceVersion":
			h.served = s.Value() != "" || h.served
		default:
			s.Skip()
		}
	})
}

func (h *head) readAnnotations(s *scan.Scanner) {
	if h.hooks = nil; s.Next() != '{' {
		s.Skip()
		return
	}
	s.Members(func(key []byte) {
		if !bytes.HasPrefix(key, []byte("helm.sh/")) {
			s.Skip()
			return
		}
		if h.hooks == nil {
			h.hooks = map[string]string{}
		}
		h.hooks[string(key)] = s.Value()
	})
}

// isObject reports whether a JSON value is an object.
func isObject(asJSON []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(asJSON, " \t\r\n"), []byte("{"))
}

// isList follows kubectl: a kind that ends in List and has items.
func (h head) isList() bool { return strings.HasSuffix(h.Kind, "List") && h.items != Span{} }

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
	members := bytes.TrimLeft(asJSON[bytes.IndexByte(asJSON, '{')+1:], " \t\r\n")
	out := []byte("{")
	add := func(key, was, is string) {
		if was != is {
			value, _ := json.Marshal(is) // of a string, which cannot fail
			out = append(append(append(out, key...), value...), ',')
		}
	}
	add(`"apiVersion":`, was.APIVersion, is.APIVersion)
	add(`"kind":`, was.Kind, is.Kind)
	if bytes.HasPrefix(members, []byte("}")) {
		out = bytes.TrimSuffix(out, []byte(","))
	}
	return append(out, members...)
}
