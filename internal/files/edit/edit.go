// Package edit changes single fields of a manifest in its bytes, so that
// comments, order, indentation, anchors and quoting of everything else stay.
//
//	text -> nodes with byte spans (internal/document)
//	     -> the place of a field path (find.go)
//	     -> a splice of the bytes (remove.go, set.go)
//	     -> proof: the new text is read again and must say exactly what the
//	        former said, with the one field changed (proof.go)
//
// What cannot be proved is refused, with the reason and the line. The proof
// reads the text as the API server does, not through the nodes, so that a
// mistake in one does not hide in the other.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// A Doc is one YAML or JSON document that is being edited. A refused edit
// leaves it as it was.
type Doc struct {
	// shape is that of the object at a place of the document.
	shape   managedfields.Shape
	place   fieldpath.Path
	mark    []byte
	text    []byte
	json    bool
	lines   document.Lines
	root    *document.Node
	aliases map[*document.Node]int
	tree    any
}

// Document reads the text of one document, which must be a mapping. Comments,
// a leading separator, a byte order mark and an end marker may be around it.
// Errors are ParseErrors. It keeps raw and does not change it.
func Document(raw []byte) (*Doc, error) {
	text, found := bytes.CutPrefix(raw, []byte("\xEF\xBB\xBF"))
	d := &Doc{mark: raw[:len(raw)-len(text)]}
	if !found {
		d.mark = nil
	}
	if err := d.load(text); err != nil {
		return nil, &ParseError{Template: hasActions(text), Err: err}
	}
	return d, nil
}

// Within sets the shape of the object at a place of the document (an item of a List,
// or, at the empty path, the document itself). The shape decides which item of a list
// a path element means. Until Within is called, and outside of the place, types are
// unknown.
func (d *Doc) Within(place fieldpath.Path, shape managedfields.Shape) {
	d.place, d.shape = place, shape
}

func (d *Doc) load(text []byte) error {
	isJSON := document.IsJSON(text)
	root, err := (*document.Node)(nil), error(nil)
	if isJSON {
		root = document.JSON(text)
	} else if root, err = document.YAML(text); err != nil {
		return err
	}
	tree, err := document.Value(text, isJSON)
	if err != nil {
		return err
	}
	if _, ok := tree.(map[string]any); !ok {
		return document.ErrNoMapping
	}
	if !distinct(root, tree) {
		return errSameField
	}
	d.text, d.root, d.json, d.tree = text, root, isJSON, tree
	d.lines = document.NewLines(text)
	d.aliases = root.Aliases()
	return nil
}

// errSameField: see distinct.
var errSameField = errors.New("several keys are read as the same field")

// Bytes is the text of the document. It must not be changed.
func (d *Doc) Bytes() []byte {
	if d.mark == nil {
		return d.text
	}
	return append(bytes.Clone(d.mark), d.text...)
}

// Remove takes the field or item at path out, with its line comment and the
// comments directly above it, and with the parents that have nothing else: one that is
// left as {} would be owned as such. metadata stays, as {} if need be. The error is a
// RefusedError.
func (d *Doc) Remove(path fieldpath.Path) error {
	found, err := d.find(path)
	if err != nil {
		return err
	}
	if len(found.missing) > 0 {
		return d.refuse(path, NotFound, found.last().Start)
	}
	if len(found.place) == 0 || isRequired(found.place) {
		return d.refuse(path, Required, found.last().Start)
	}
	if err := d.checkSharing(path, found); err != nil {
		return err
	}
	keepRoom := found.prune()
	expected := without(d.tree, found.place)
	if keepRoom {
		found = found.parent()
		empty := any(map[string]any{})
		if found.last().Kind == document.Sequence {
			empty = []any{}
		}
		change, ok := d.replaceValue(found, empty)
		return d.prove(path, found, change, ok, expected)
	}
	change, ok := d.removeEntry(found)
	return d.prove(path, found, change, ok, expected)
}

// checkSharing refuses to change what an alias outside refers to: the value
// itself with what it holds, and everything around it.
func (d *Doc) checkSharing(path fieldpath.Path, found *location) error {
	if last := found.last(); last.IsShared(d.aliases) {
		return d.refuse(path, SharedAnchor, last.Start)
	}
	return d.checkAround(path, found.nodes[:len(found.nodes)-1])
}

// checkAround refuses to change what is inside of a value that an alias
// refers to.
func (d *Doc) checkAround(path fieldpath.Path, nodes []*document.Node) error {
	for _, around := range nodes {
		if d.aliases[around] > 0 {
			return d.refuse(path, SharedAnchor, around.Start)
		}
	}
	return nil
}

// prove makes a splice if the new text says what is expected.
func (d *Doc) prove(path fieldpath.Path, found *location, s []document.Splice, understood bool, expected any) error {
	if hasActions(d.text) && !d.json && hasActionsOutsideQuotes(d.text, d.root) {
		return d.refuse(path, Template, 0)
	}
	if !understood {
		return d.refuse(path, OddLayout, found.last().Start)
	}
	edited := document.Apply(d.text, s)
	after := &Doc{mark: d.mark}
	if err := after.load(edited); err != nil || !reflect.DeepEqual(after.tree, expected) {
		return d.refuse(path, NotProved, found.last().Start)
	}
	*d = *after
	return nil
}

// A Reason says why an edit is refused.
type Reason string

const (
	// SharedAnchor says that an alias elsewhere refers to what would change.
	SharedAnchor Reason = "an alias elsewhere refers to it"
	// ThroughAlias says that the field is written at an anchor, not here.
	ThroughAlias Reason = "it is written in another place, which an alias refers to"
	// MergeKey says that the field comes from a mapping that "<<" merges in.
	MergeKey Reason = `it is merged in by "<<"`
	// Template says that the text is a template, which says something else once
	// rendered.
	Template Reason = "the file is a template"
	// DuplicateKey says that the key stands more than once in its mapping.
	DuplicateKey Reason = "the key is repeated"
	// Ambiguous says that several list items have the key or value.
	Ambiguous Reason = "several list items match"
	// Required says that apiVersion, kind and metadata.name make the object.
	Required Reason = "no object can be without it"
	// WrongKind says that a path element asks for another kind of value than there is.
	WrongKind Reason = "the path does not fit what is written there"
	// OddLayout says that the text around the field is written in a way that is not
	// understood, such as an explicit "?" key.
	OddLayout Reason = "its layout is not understood"
	// NotProved says that the new text would say something else than intended.
	NotProved Reason = "the result would change something else"
	// NotFound says that the manifest has no such field.
	NotFound Reason = "the manifest does not have it"
)

// A RefusedError is the error of an edit that was not made; the document is as
// before.
type RefusedError struct {
	Path   fieldpath.Path
	Reason Reason
	// Line is where in the document the reason stands, from 1; 0 if unknown.
	Line int
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("edit %s: %s", e.Path, e.Reason)
	if e.Line > 0 {
		text = fmt.Sprintf("edit %s: line %d: %s", e.Path, e.Line, e.Reason)
	}
	return text
}

// A ParseError is the error of a text that is no single document.
type ParseError struct {
	// Template is set where the text has template actions, which explain it.
	Template bool
	Err      error
}

func (e *ParseError) Error() string {
	if e.Template {
		return fmt.Sprintf("parse template: %v", e.Err)
	}
	return fmt.Sprintf("parse: %v", e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }
