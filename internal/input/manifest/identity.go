package manifest

import (
	"bytes"

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

// HasManagedFields reports whether the document has a managed fields entry.
func (d Document) HasManagedFields() bool {
	if d.derived == nil {
		return readHead(d.Raw).managed
	}
	return d.derived.head.managed
}

// FromServer reports whether an API server has answered with the document: only
// then it has managed fields entries, a uid or a resourceVersion. People write
// none of these into manifests.
func (d Document) FromServer() bool {
	if d.derived == nil {
		h := readHead(d.Raw)
		return h.managed || h.served
	}
	h := d.derived.head
	return h.managed || h.served
}

// readMembers reads the head of the object whose brace is the next byte, and passes it.
// items, when not nil, passes the array under "items", whose bracket is then the next
// byte.
func readMembers(s *scan.Scanner, h *head, items func()) {
	headReader{Scanner: s, head: h, pass: items}.members()
}

// headReader reads a head.
type headReader struct {
	*scan.Scanner
	*head
	pass func() // see readMembers
}

func (h headReader) members() {
	h.Members(func(key []byte) {
		switch string(key) {
		case "apiVersion":
			h.APIVersion = h.Value()
		case "kind":
			h.Kind = h.Value()
		case "message":
			h.message = h.Value()
		case "type":
			h.kindOf = h.Value()
		case "object":
			h.object = true
			h.Skip()
		case "metadata":
			h.metadata()
		case "items":
			h.list()
		default:
			h.Skip()
		}
	})
}

func (h headReader) metadata() {
	h.Namespace, h.Name, h.GenerateName, h.continued, h.managed, h.served = "", "", "", "", false, false
	if h.Next() != '{' {
		h.Skip()
		return
	}
	h.Members(func(key []byte) {
		switch string(key) {
		case "namespace":
			h.Namespace = h.Value()
		case "name":
			h.Name = h.Value()
		case "generateName":
			h.GenerateName = h.Value()
		case "continue":
			h.continued = h.Value()
		case "managedFields":
			h.managed = h.hasElements()
		case "uid", "resourceVersion":
			h.served = h.Value() != "" || h.served
		default:
			h.Skip()
		}
	})
}

// hasElements passes a value and reports whether it is an array that is not
// empty.
func (h headReader) hasElements() (has bool) {
	if h.Next() != '[' {
		h.Skip()
		return false
	}
	h.Elements(func() {
		has = true
		h.Skip()
	})
	return has
}

func (h headReader) list() {
	h.items = Span{}
	c, from := h.Next(), int64(h.Offset())
	if c == '[' && h.pass != nil {
		h.pass()
		return
	}
	if h.Skip(); h.Err() == nil && (c == '[' || c == 'n') {
		// An empty list of Go is null.
		h.items = Span{from, int64(h.Offset())}
	}
}

// isObject reports whether a JSON value is an object.
func isObject(asJSON []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(asJSON, " \t\r\n"), []byte("{"))
}
