package manifest

import (
	"bytes"
	"errors"
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
}

// readHead reads the head of a JSON text. What is wrong in the text was reported
// when it was read first: the head is then what came before.
func readHead(asJSON []byte) head {
	var h head
	s := scan.Bytes(asJSON)
	if c, err := s.Next(); err == nil && c == '{' {
		_ = readMembers(s, &h, nil)
	}
	return h
}

// convertedHead is readHead for what YAML was converted to: no key is repeated there, so
// that nothing counts behind what says who an object is.
func convertedHead(asJSON []byte) head {
	var h head
	s := scan.Bytes(asJSON)
	if c, err := s.Next(); err == nil && c == '{' {
		_ = headReader{Scanner: s, head: &h, distinct: true}.members()
	}
	return h
}

var errKnown = errors.New("the head is known")

// known reports whether a head says all that counts of an object. Lists have items, and
// what is given by mistake has more to be told by.
func (h head) known() bool {
	return h.APIVersion != "" && h.Name != "" && h.Kind != "" && h.Kind != "Status" && !strings.HasSuffix(h.Kind, "List")
}

func identify(asJSON []byte) Identity { return readHead(asJSON).Identity }

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
func readMembers(s *scan.Scanner, h *head, items func() error) error {
	return headReader{Scanner: s, head: h, pass: items}.members()
}

// headReader reads a head.
type headReader struct {
	*scan.Scanner
	*head
	pass     func() error // see readMembers
	distinct bool         // no key is repeated
}

func (h headReader) members() error {
	return h.Members(func(key []byte) (err error) {
		switch string(key) {
		case "apiVersion":
			h.APIVersion, err = h.Value()
		case "kind":
			h.Kind, err = h.Value()
		case "message":
			h.message, err = h.Value()
		case "type":
			h.kindOf, err = h.Value()
		case "object":
			h.object = true
			err = h.Skip()
		case "metadata":
			err = h.metadata()
		case "items":
			err = h.list()
		default:
			err = h.Skip()
		}
		if err == nil && h.distinct && h.known() {
			err = errKnown
		}
		return err
	})
}

func (h headReader) metadata() error {
	h.Namespace, h.Name, h.GenerateName, h.continued, h.managed, h.served = "", "", "", "", false, false
	c, err := h.Next()
	if err != nil {
		return err
	}
	if c != '{' {
		return h.Skip()
	}
	return h.Members(func(key []byte) (err error) {
		switch string(key) {
		case "namespace":
			h.Namespace, err = h.Value()
		case "name":
			h.Name, err = h.Value()
		case "generateName":
			h.GenerateName, err = h.Value()
		case "continue":
			h.continued, err = h.Value()
		case "managedFields":
			h.managed, err = h.hasElements()
		case "uid", "resourceVersion":
			var value string
			value, err = h.Value()
			h.served = h.served || value != ""
		default:
			err = h.Skip()
		}
		return err
	})
}

// hasElements passes a value and reports whether it is an array that is not
// empty.
func (h headReader) hasElements() (has bool, err error) {
	c, err := h.Next()
	switch {
	case err != nil:
	case c == '[':
		err = h.Elements(func() error {
			has = true
			return h.Skip()
		})
	default:
		err = h.Skip()
	}
	return has, err
}

func (h headReader) list() error {
	h.items = Span{}
	c, err := h.Next()
	if err != nil {
		return err
	}
	if c == '[' && h.pass != nil {
		return h.pass()
	}
	from := int64(h.Offset())
	if err := h.Skip(); err != nil {
		return err
	}
	if c == '[' || c == 'n' {
		// An empty list of Go is null.
		h.items = Span{from, int64(h.Offset())}
	}
	return nil
}

// isObject reports whether a JSON value is an object.
func isObject(asJSON []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(asJSON, " \t\r\n"), []byte("{"))
}
