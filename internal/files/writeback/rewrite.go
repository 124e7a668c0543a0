package writeback

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/document"
)

// rewrite carries out the changes of one file on its text and proves them by
// reading the new text again. Without an effect it gives text itself.
func rewrite(text []byte, changes []change) ([]byte, error) {
	if len(changes) == 0 {
		return text, nil
	}
	docs := document.Split(text)
	expected := make([]expectation, len(docs))
	var splices []document.Splice
	for _, group := range byDocument(changes) {
		index := slices.IndexFunc(docs, func(d document.Part) bool { return d.Number == group[0].at.Document })
		if index < 0 {
			return nil, at(group[0], fmt.Errorf("the file has no such document: %w", ErrWrongObject))
		}
		edit := documentEdit{text: text, doc: docs[index]}
		more, err := edit.run(group)
		if err != nil {
			return nil, err
		}
		splices = append(splices, more...)
		expected[index] = edit.expected
	}
	if len(splices) == 0 {
		return text, nil
	}
	edited := document.Apply(text, splices)
	if err := verify(text, docs, edited, expected); err != nil {
		return nil, fileError(changes[0].at.File, err)
	}
	return edited, nil
}

// at says where an error is.
func at(c change, err error) error { return &PlaceError{Place: c.at, Err: err} }

// byDocument groups changes, sorted by document and item.
func byDocument(changes []change) [][]change {
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b change) int {
		if a.at.Document != b.at.Document {
			return a.at.Document - b.at.Document
		}
		return a.at.Item - b.at.Item
	})
	var groups [][]change
	for i, c := range sorted {
		if i == 0 || c.at.Document != sorted[i-1].at.Document {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], c)
	}
	return groups
}

// A documentEdit is the rewriting of one document.
type documentEdit struct {
	text     []byte
	doc      document.Part
	expected expectation
}

func (e *documentEdit) run(changes []change) ([]document.Splice, error) {
	for i := 1; i < len(changes); i++ {
		if changes[0].at.Item < 0 || changes[i].at.Item == changes[i-1].at.Item {
			return nil, at(changes[i], ErrTwice)
		}
	}
	if changes[0].at.Item >= 0 {
		return e.editItems(changes)
	}
	splices, err := e.editWhole(changes[0])
	if err != nil {
		return nil, at(changes[0], err)
	}
	return splices, nil
}

func (e *documentEdit) editWhole(c change) ([]document.Splice, error) {
	current, err := document.Value(e.doc.Of(e.text), e.doc.JSON)
	if err != nil {
		return nil, err
	}
	object, same, err := compare(current, c)
	if err != nil || same {
		return nil, err
	}
	e.expected = expectation{kind: whole, object: object}
	switch {
	case c.verb == deleteObject:
		e.expected = expectation{kind: gone}
		return removeDocument(e.text, e.doc).Replaced(nil), nil
	case e.doc.JSON:
		place := e.doc.Span
		encoded, err := styleOf(e.text, place).encode(object)
		return place.Replaced(encoded), err
	}
	return replaceYAML(e.text, e.doc, object)
}

// compare checks that the object at a place is the one that a change is
// about. It gives the new object, and whether it is there already.
func compare(current any, c change) (map[string]any, bool, error) {
	object, err := normalise(c.object)
	if err != nil {
		return nil, false, err
	}
	there, ok := current.(map[string]any)
	if !ok {
		return nil, false, fmt.Errorf("%w: %T", ErrWrongObject, current)
	}
	if !sameObject(there, object) {
		return nil, false, fmt.Errorf("%w: %s, not %s", ErrWrongObject, describe(there), describe(object))
	}
	return object, c.verb == replaceObject && reflect.DeepEqual(there, object), nil
}

func (e *documentEdit) editItems(changes []change) ([]document.Splice, error) {
	l, err := listOf(e.text, e.doc)
	if err != nil {
		return nil, at(changes[0], err)
	}
	values := map[int]map[string]any{}
	for _, c := range changes {
		if c.at.Item >= l.count() {
			return nil, at(c, fmt.Errorf("the list has %d items: %w", l.count(), ErrWrongObject))
		}
		current, err := l.decode(c.at.Item)
		if err != nil {
			return nil, at(c, err)
		}
		c.object = withoutImplied(c.object, current, l.typed())
		object, same, err := compare(current, c)
		switch {
		case err != nil:
			return nil, at(c, err)
		case c.verb == deleteObject:
			values[c.at.Item] = nil
		case !same:
			values[c.at.Item] = object
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	e.expected = expectation{kind: items, list: l, values: values}
	splices, err := l.replace(values)
	if err != nil {
		return nil, at(changes[0], err)
	}
	return splices, nil
}

// listOf finds the items of a document.
func listOf(text []byte, doc document.Part) (list, error) {
	if doc.JSON {
		if l, ok := newJSONList(text, doc.Span); ok {
			return l, nil
		}
		return nil, fmt.Errorf("%w: a document without items", ErrWrongObject)
	}
	l, ok, err := newYAMLList(text, doc)
	if err == nil && !ok {
		err = fmt.Errorf("%w: a document without items", ErrWrongObject)
	}
	return l, err
}

// ensureNewline ends a text that is not empty with a line break.
func ensureNewline(text []byte, newline string) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(slices.Clone(text), newline...)
}
