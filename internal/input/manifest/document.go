package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/packed"
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
func (id Identity) Version() string { return id.APIVersion[strings.IndexByte(id.APIVersion, '/')+1:] }

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
	// Template is the file of a chart that the document is from, as 'helm template' says it
	// in a comment above; empty for none. A document without such a comment is from the
	// file of the one before it: Helm has one comment for all documents of a file in crds/.
	Template string
	// List is the kind of the List that the document is an item of, List where that is not
	// known yet; empty for none.
	List string
	// ListHooks are the annotations helm.sh/… of that List, as far as they come before its items: Helm takes
	// the whole List for a hook. Nil for none.
	ListHooks map[string]string
	// Derived are the fields that a kustomization made from values of Secrets; nil for none.
	Derived []disguise.Path
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
	around *around
}

// document makes a document of a piece, at the place of its first content.
func (p piece) document(src Source, h head) Document {
	located, raw := p.tree, p.raw
	if located == nil {
		format, line := p.format, p.line
		located = &lines{parse: func() *tree { return parseTree(raw, format, line) }}
	}
	return Document{
		Identity:  h.Identity,
		Source:    src,
		Item:      p.item,
		List:      p.list,
		ListHooks: p.hooks,
		Raw:       raw,
		Format:    p.format,
		Span:      p.span,
		derived:   &derived{json: p.json, plain: p.plain, head: h, tree: located, around: p.around},
	}
}

// Around is the text of the List that the document is an item of, where one of its items cannot be cut out of
// that, such as one with an alias to another; nil for all others, and before the List has been read.
func (d Document) Around() []byte {
	if d.derived == nil || d.derived.around == nil {
		return nil
	}
	return d.derived.around.text
}

// Replaced is the document with another JSON text, which stands where its own does; its
// fields are not located.
func (d Document) Replaced(text []byte) Document {
	return Document{
		Identity:  d.Identity,
		Source:    d.Source,
		Item:      d.Item,
		Template:  d.Template,
		List:      d.List,
		ListHooks: d.ListHooks,
		Format:    JSON,
		Raw:       text,
	}
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

// Text is the text of the document, wherever it is held. It must not be changed.
func (d Document) Text() []byte {
	if d.Deferred() {
		text, _ := d.derived.later.text.Read() // Unread returns the error
		return text
	}
	return d.Raw
}

// Until is as much of a YAML document whose reading was put off as stands before the first
// line that begins with a key, as JSON; nil where that cannot be read by itself.
func (d Document) Until(key string) []byte {
	if !d.Deferred() || d.Format != YAML {
		return nil
	}
	text := d.Text()
	for at := 0; ; at += len(key) {
		next := bytes.Index(text[at:], []byte(key))
		if next < 0 {
			return nil
		}
		at += next
		if line := bytes.TrimRight(text[:at], " "); bytes.HasSuffix(line, []byte("\n")) {
			asJSON, plain := plainyaml.ToJSON(line)
			if !plain {
				return nil
			}
			return asJSON
		}
	}
}

// Plain reports whether Raw is YAML that can be read in one way only, which is JSON():
// any other reader, the API server's included, gives the same, and no map has a key
// twice. It is false where nobody has looked.
func (d Document) Plain() bool { return d.Format == YAML && d.derived != nil && d.derived.plain }

// PlaceOf reports where an object may be held: Secrets are not written to a disk.
func PlaceOf(id Identity) packed.Place {
	if id.Kind == "Secret" {
		return packed.InMemory
	}
	return packed.Anywhere
}

// deferral is a document with only its identity read. Its JSON is made once.
type deferral struct {
	text packed.JSON
	read func() ([]byte, error)
}

// Deferred reports whether Options.Defer put off the reading of the document.
func (d Document) Deferred() bool { return d.derived != nil && d.derived.later != nil }

// Unread reads a document whose reading was put off, and gives what is wrong with
// it, as a *Problem; nil for all others.
func (d Document) Unread() error {
	if !d.Deferred() {
		return nil
	}
	_, err := d.derived.later.read()
	if err == nil {
		return nil
	}
	p := &Problem{Source: d.Source, Item: d.Item, Op: "parse", Err: err}
	if at := (*placed)(nil); errors.As(err, &at) {
		p.Source.Line = at.line
	}
	return p
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
