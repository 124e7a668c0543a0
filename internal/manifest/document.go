package manifest

import (
	"strings"
	"sync"
)

// Format is how the bytes of a document are written.
type Format string

// The formats of a document.
const (
	YAML Format = "YAML"
	JSON Format = "JSON"
)

// Identity is what a document says about which object it is, read as the API
// server reads it. A key that is missing, or is no string, is empty.
type Identity struct {
	APIVersion   string
	Kind         string
	Namespace    string
	Name         string
	GenerateName string
}

// Group is the API group of the identity; empty for the core group.
func (id Identity) Group() string {
	group, _, found := strings.Cut(id.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// Version is the API version without its group.
func (id Identity) Version() string {
	_, version, found := strings.Cut(id.APIVersion, "/")
	if !found {
		return id.APIVersion
	}
	return version
}

// Span is a range of bytes of the input's text (after decompression and
// decoding; a byte order mark counts), the end excluded.
type Span struct {
	Start, End int64
}

// Document is one object of an input. Copies share what was derived from it.
type Document struct {
	Identity
	// Source is the place of the first line that is neither blank nor a
	// comment.
	Source Source
	// Item counts from 1 when the document is an item of a List; else 0.
	Item int
	// Raw is the text of the document as the input has it, comments and line
	// ends included, separators not. Of an item of a YAML List the dash is
	// replaced by a space and the indentation stays.
	Raw    []byte
	Format Format
	// Span is where the text stands. Raw differs from it only for items of
	// Lists.
	Span Span

	derived *derived
}

// derived is what a document knows beyond its bytes.
type derived struct {
	json []byte
	// firstLine is the line of the input that Raw's first byte stands on.
	firstLine int
	// tree is where fields are located; it may belong to the whole List.
	tree func() *tree
}

// JSON is the document as JSON: Raw where that is JSON already, else as the
// API server converts YAML (sigs.k8s.io/yaml). It must not be changed.
func (d Document) JSON() []byte {
	if d.derived == nil {
		return d.Raw
	}
	return d.derived.json
}

func newDocument(src Source, raw, asJSON []byte, format Format, span Span, firstLine int) Document {
	d := Document{
		Identity: identify(asJSON),
		Source:   src,
		Raw:      raw,
		Format:   format,
		Span:     span,
	}
	d.derived = &derived{json: asJSON, firstLine: firstLine}
	d.derived.tree = sync.OnceValue(func() *tree { return parseTree(raw, format, firstLine) })
	return d
}
