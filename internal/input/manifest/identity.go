package manifest

import (
	"bytes"
	"errors"
	"strings"
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
	s := scanBytes(asJSON)
	if c, err := s.next(); err == nil && c == '{' {
		_ = s.head(&h, nil)
	}
	return h
}

// convertedHead is readHead for what YAML was converted to: no key is repeated there, so
// that nothing counts behind what says who an object is.
func convertedHead(asJSON []byte) head {
	var h head
	s := scanBytes(asJSON)
	s.distinct = true
	if c, err := s.next(); err == nil && c == '{' {
		_ = s.head(&h, nil)
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

// head passes the object whose brace is the next byte. items, when not nil,
// passes the array under "items", whose bracket is then the next byte.
func (s *scanner) head(h *head, items func() error) error {
	return s.members(func(key []byte) (err error) {
		switch string(key) {
		case "apiVersion":
			h.APIVersion, err = s.value()
		case "kind":
			h.Kind, err = s.value()
		case "message":
			h.message, err = s.value()
		case "type":
			h.kindOf, err = s.value()
		case "object":
			h.object = true
			err = s.skip()
		case "metadata":
			err = s.metadata(h)
		case "items":
			err = s.items(h, items)
		default:
			err = s.skip()
		}
		if err == nil && s.distinct && h.known() {
			err = errKnown
		}
		return err
	})
}

func (s *scanner) metadata(h *head) error {
	h.Namespace, h.Name, h.GenerateName, h.continued, h.managed, h.served = "", "", "", "", false, false
	c, err := s.next()
	if err != nil {
		return err
	}
	if c != '{' {
		return s.skip()
	}
	return s.members(func(key []byte) (err error) {
		switch string(key) {
		case "namespace":
			h.Namespace, err = s.value()
		case "name":
			h.Name, err = s.value()
		case "generateName":
			h.GenerateName, err = s.value()
		case "continue":
			h.continued, err = s.value()
		case "managedFields":
			h.managed, err = s.hasElements()
		case "uid", "resourceVersion":
			var value string
			value, err = s.value()
			h.served = h.served || value != ""
		default:
			err = s.skip()
		}
		return err
	})
}

// hasElements passes a value and reports whether it is an array that is not
// empty.
func (s *scanner) hasElements() (has bool, err error) {
	c, err := s.next()
	switch {
	case err != nil:
	case c == '[':
		err = s.elements(func() error {
			has = true
			return s.skip()
		})
	default:
		err = s.skip()
	}
	return has, err
}

func (s *scanner) items(h *head, items func() error) error {
	h.items = Span{}
	c, err := s.next()
	if err != nil {
		return err
	}
	if c == '[' && items != nil {
		return items()
	}
	from := s.w.offset()
	if err := s.skip(); err != nil {
		return err
	}
	if c == '[' || c == 'n' {
		// An empty list of Go is null.
		h.items = Span{from, s.w.offset()}
	}
	return nil
}

// isObject reports whether a JSON value is an object.
func isObject(asJSON []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(asJSON, " \t\r\n"), []byte("{"))
}
