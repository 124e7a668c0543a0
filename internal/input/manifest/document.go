package manifest

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/input/packed"
	"github.com/ssactl/ssactl/internal/jsontree"
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
	// replaced by a space and the indentation stays. Nil where
	// the reading is put off: see Text.
	Raw    []byte
	Format Format
	// Span is where the text stands. Raw differs from it only for items of
	// Lists; it is empty for those that have no text of their own (items of a
	// YAML List in flow style, or with anchors shared between them).
	Span Span

	derived *derived
}

// derived is what a document knows beyond its bytes.
type derived struct {
	json   []byte
	later  *deferral   // stands for json: see Options.Defer
	packed packed.JSON // stands for json
	plain  bool
	head   head
	tree   *lines
	built  bool // tree is that of what it was built from
}

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

// Replaced is the document with another JSON text, which stands where its own does; its
// fields are not located.
func (d Document) Replaced(text []byte) Document {
	return Document{Identity: d.Identity, Source: d.Source, Item: d.Item, Format: JSON, Raw: text}
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

// JSON is the document as JSON: Raw where that is JSON already, else as the
// API server converts YAML (sigs.k8s.io/yaml). It must not be changed. Nil where
// Options.Defer put off the reading of what cannot be read.
func (d Document) JSON() []byte {
	switch {
	case d.derived == nil:
		return d.Raw
	case d.derived.later != nil:
		asJSON, _ := d.derived.later.read() // Unread returns the error
		return asJSON
	case !d.derived.packed.Empty():
		return d.derived.packed.Text()
	}
	return d.derived.json
}

// Plain reports whether Raw is YAML that can be read in one way only, which is JSON():
// any other reader, the API server's included, gives the same, and no map has a key
// twice. It is false where nobody has looked.
func (d Document) Plain() bool { return d.Format == YAML && d.derived != nil && d.derived.plain }

// pack moves the JSON of a YAML document into a store. It must not be called while
// others use the document.
func (d Document) pack(store *packed.Store) {
	if d.Format == YAML && d.derived != nil && d.derived.packed.Empty() {
		d.derived.packed, d.derived.json = store.Put(d.derived.json, PlaceOf(d.Identity)), nil
	}
}

// PlaceOf reports where an object may be held: Secrets are not written to a disk.
func PlaceOf(id Identity) packed.Place {
	if id.Kind == "Secret" {
		return packed.InMemory
	}
	return packed.Anywhere
}

// piece is the text of one document where it stands in the input.
type piece struct {
	raw    []byte
	format Format
	span   Span
	line   int // of the first byte
}

// document makes a document of a piece that reads as JSON; src has the line of
// its first content.
func (p piece) document(src Source, h head, asJSON []byte) Document {
	return Document{
		Identity: h.Identity,
		Source:   src,
		Raw:      p.raw,
		Format:   p.format,
		Span:     p.span,
		derived: &derived{
			json: asJSON,
			head: h,
			tree: &lines{parse: func() *tree { return parseTree(p.raw, p.format, p.line) }},
		},
	}
}

// encoded makes the document be its JSON, where its own text does not say all
// of it. Fields are still located in the text.
func (d Document) encoded() Document {
	d.Raw, d.Format = d.derived.json, JSON
	return d
}

// AsApplied is the text of a document as an apply sends it: its own bytes, since how
// the server reads them as YAML is part of its answer. Only JSON with escapes that
// YAML 1.1 does not have is written anew, as kubectl does with every manifest: as it
// is, the server would refuse it.
func AsApplied(format Format, text []byte) []byte {
	if format != JSON || !jsonEscape.Match(text) {
		return text
	}
	tree, err := jsontree.Decode(text)
	if err != nil {
		return text
	}
	body, err := json.Marshal(tree)
	if err != nil {
		return text
	}
	return body
}

// jsonEscape finds what may be such an escape: a solidus, or the first half of
// a surrogate pair.
var jsonEscape = regexp.MustCompile(`\\/|\\u[dD][89abAB]`)
