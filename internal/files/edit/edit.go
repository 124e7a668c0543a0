package edit

import (
	"bytes"
	"errors"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/files/spans"
	"github.com/ssactl/ssactl/internal/managedfields"
)

// EmptyParents says what to do with a parent that loses its last field or item.
type EmptyParents int

const (
	// RemoveEmptyParents takes it out too, up to one that has more: a mapping
	// left as {} would be owned as such. metadata stays, as {} if need be.
	RemoveEmptyParents EmptyParents = iota
	// KeepEmptyParents leaves {} or [].
	KeepEmptyParents
)

// Options of a document's edits. The zero Options is the usual choice.
type Options struct {
	EmptyParents EmptyParents
}

// A Doc is one YAML or JSON document that is being edited. A refused edit
// leaves it as it was.
type Doc struct {
	options Options
	// shape is that of the object at a place of the document.
	shape managedfields.Shape
	place fieldpath.Path
	mark  []byte
	text  []byte
	json  bool
	lines spans.Lines
	root  *node
	// aliases counts the aliases of the document by their anchor.
	aliases map[string]int
	tree    any
}

// Document reads the text of one document, which must be a mapping. Comments,
// a leading separator, a byte order mark and an end marker may be around it.
// Errors are ParseErrors. It keeps raw and does not change it.
func Document(raw []byte, options Options) (*Doc, error) {
	text, found := bytes.CutPrefix(raw, []byte("\xEF\xBB\xBF"))
	d := &Doc{options: options, mark: raw[:len(raw)-len(text)]}
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

// shapeAt is the shape of what a path leads to.
func (d *Doc) shapeAt(path fieldpath.Path) managedfields.Shape {
	if len(path) < len(d.place) {
		return managedfields.Shape{}
	}
	shape := d.shape
	for _, element := range path[len(d.place):] {
		shape = shape.Child(element)
	}
	return shape
}

func (d *Doc) load(text []byte) error {
	root, isJSON := jsonNodes(text)
	if !isJSON {
		var err error
		if root, err = yamlNodes(text); err != nil {
			return err
		}
	}
	tree, err := read(text, isJSON)
	if err != nil {
		return err
	}
	if _, ok := tree.(map[string]any); !ok {
		return errNoValue
	}
	if !distinct(root, tree) {
		return errSameField
	}
	d.text, d.root, d.json, d.tree = text, root, isJSON, tree
	d.lines = spans.NewLines(text)
	_, d.aliases = root.names()
	return nil
}

// Bytes is the text of the document. It must not be changed.
func (d *Doc) Bytes() []byte {
	if d.mark == nil {
		return d.text
	}
	return append(bytes.Clone(d.mark), d.text...)
}

// Remove takes the field or item at path out, with its line comment and the
// comments directly above it. The error is a RefusedError.
func (d *Doc) Remove(path fieldpath.Path) error {
	found, err := d.find(path)
	if err != nil {
		return err
	}
	if len(found.missing) > 0 {
		return d.refuse(path, NotFound, found.last().start)
	}
	if err := d.removable(path, found); err != nil {
		return err
	}
	keepRoom := found.prune(d.options.EmptyParents)
	expected := without(d.tree, found.place)
	if keepRoom {
		found = found.parent()
		change, ok := d.replaceValue(found, empty(found.last().kind))
		return d.prove(path, found, change, ok, expected)
	}
	change, ok := d.removeEntry(found)
	return d.prove(path, found, change, ok, expected)
}

// empty is the value of a collection that has lost its last entry.
func empty(k kind) any {
	if k == sequence {
		return []any{}
	}
	return map[string]any{}
}

// removable reports what speaks against taking a value out.
func (d *Doc) removable(path fieldpath.Path, found *location) error {
	if len(found.place) == 0 || isRequired(found.place) {
		return d.refuse(path, Required, found.last().start)
	}
	return d.checkSharing(path, found)
}

func isRequired(at place) bool {
	switch {
	case len(at) == 1:
		return at[0] == "apiVersion" || at[0] == "kind" || at[0] == "metadata"
	case len(at) == 2:
		return at[0] == "metadata" && at[1] == "name"
	}
	return false
}

// checkSharing refuses to change what an alias outside refers to: the value
// itself with what it holds, and everything around it.
func (d *Doc) checkSharing(path fieldpath.Path, found *location) error {
	last := found.last()
	anchors, within := last.names()
	for name := range anchors {
		if d.aliases[name] > within[name] {
			return d.refuse(path, SharedAnchor, last.start)
		}
	}
	return d.checkAround(path, found.nodes[:len(found.nodes)-1])
}

// checkAround refuses to change what is inside of a value that an alias
// refers to.
func (d *Doc) checkAround(path fieldpath.Path, nodes []*node) error {
	for _, around := range nodes {
		if around.anchor != "" && d.aliases[around.anchor] > 0 {
			return d.refuse(path, SharedAnchor, around.start)
		}
	}
	return nil
}

// prove makes a splice if the new text says what is expected.
func (d *Doc) prove(path fieldpath.Path, found *location, s splice, understood bool, expected any) error {
	if hasActions(d.text) && !d.json && hasActionsOutsideQuotes(d.text, d.root) {
		return d.refuse(path, Template, 0)
	}
	if !understood {
		return d.refuse(path, OddLayout, found.last().start)
	}
	edited := s.apply(d.text)
	after := &Doc{options: d.options, mark: d.mark}
	if err := after.load(edited); err != nil || !equal(after.tree, expected) {
		return d.refuse(path, NotProved, found.last().start)
	}
	*d = *after
	return nil
}

func (d *Doc) refuse(path fieldpath.Path, reason Reason, offset int) error {
	return &RefusedError{Path: path, Reason: reason, Line: d.lines.Line(offset)}
}

// A splice is up to a few replacements of bytes, sorted, without overlaps.
type splice []replacement

type replacement struct {
	start, end int
	text       string
}

func (s splice) apply(text []byte) []byte {
	var out bytes.Buffer
	done := 0
	for _, r := range s {
		out.Write(text[done:r.start])
		out.WriteString(r.text)
		done = r.end
	}
	out.Write(text[done:])
	return out.Bytes()
}

// IsRefused reports whether an edit was refused for a reason.
func IsRefused(err error, reason Reason) bool {
	var refused *RefusedError
	return errors.As(err, &refused) && refused.Reason == reason
}
