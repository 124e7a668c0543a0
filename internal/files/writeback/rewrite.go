package writeback

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

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

// expect is what should have become of a document.
type expect int

const (
	untouched expect = iota
	gone
	whole
	items
)

// An expectation is what a document should be in the new text.
type expectation struct {
	kind   expect
	object map[string]any
	// list and values are the former items, and those that are new (nil:
	// taken out); added are those behind them.
	list   list
	values map[int]map[string]any
	added  []map[string]any
}

// verify reads the new text and proves that every document is what it should
// be: untouched ones byte for byte, replaced ones by their value. Expectations
// beyond the former documents are of new ones.
func verify(former []byte, docs []document.Part, edited []byte, expected []expectation) error {
	found := document.Split(edited)
	next := 0
	for i, e := range expected {
		if e.kind == gone {
			continue
		}
		if next == len(found) {
			return fmt.Errorf("document %d of those with content would be lost: %w", i+1, ErrUnsafe)
		}
		var text []byte
		if i < len(docs) {
			text = docs[i].Of(former)
		}
		if !e.holds(text, edited, found[next]) {
			return fmt.Errorf("document %d of those with content would be another: %w", i+1, ErrUnsafe)
		}
		next++
	}
	if next < len(found) {
		return fmt.Errorf("%d documents would be new: %w", len(found)-next, ErrUnsafe)
	}
	return nil
}

func (e expectation) holds(former, edited []byte, doc document.Part) bool {
	switch e.kind {
	case untouched:
		// A last line without a line break gets one when something follows.
		return bytes.Equal(bytes.TrimRight(former, "\r\n"), bytes.TrimRight(doc.Of(edited), "\r\n"))
	case whole:
		value, err := document.Value(doc.Of(edited), doc.JSON)
		return err == nil && reflect.DeepEqual(value, e.object)
	}
	l, err := listOf(edited, doc)
	return err == nil && e.itemsHold(l)
}

// itemsHold compares the items one by one: those that were not named are the
// same bytes, up to the blanks at their end.
func (e expectation) itemsHold(l list) bool {
	next := 0
	for i := range e.list.count() {
		object, named := e.values[i]
		switch {
		case named && object == nil:
			continue
		case next == l.count():
			return false
		case named && !holds(l, next, object):
			return false
		case !named && !bytes.Equal(bytes.TrimSpace(e.list.item(i)), bytes.TrimSpace(l.item(next))):
			return false
		}
		next++
	}
	for _, object := range e.added {
		if next == l.count() || !holds(l, next, object) {
			return false
		}
		next++
	}
	return next == l.count()
}

func holds(l list, i int, object map[string]any) bool {
	value, err := l.decode(i)
	return err == nil && reflect.DeepEqual(value, object)
}

// normalise gives an object the types that document.Value gives.
func normalise(object map[string]any) (map[string]any, error) {
	value, err := document.Normal(object)
	if err != nil {
		return nil, fmt.Errorf("encode object: %w", err)
	}
	normal, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("encode object: %w", errNotObject)
	}
	return normal, nil
}

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// identity is what tells objects apart.
type identity struct{ group, kind, namespace, name string }

func identityOf(object map[string]any) identity {
	metadata, _ := object["metadata"].(map[string]any)
	group, _, grouped := strings.Cut(text(object, "apiVersion"), "/")
	if !grouped {
		group = ""
	}
	return identity{group, text(object, "kind"), text(metadata, "namespace"), text(metadata, "name")}
}

// sameObject reports whether two objects have the same group, kind, namespace
// and name. A namespace that one of them leaves out agrees with every other.
func sameObject(a, b map[string]any) bool {
	x, y := identityOf(a), identityOf(b)
	if x.namespace == "" || y.namespace == "" {
		x.namespace, y.namespace = "", ""
	}
	return x == y
}

// describe names an object in errors.
func describe(object map[string]any) string {
	id := identityOf(object)
	if id.namespace != "" {
		id.name = id.namespace + "/" + id.name
	}
	return strings.TrimSpace(text(object, "apiVersion") + " " + id.kind + " " + id.name)
}

// withoutImplied leaves out of an object what the item that it replaces
// leaves to its typed list to say: apiVersion and kind, as in the answers of
// the API server itself.
func withoutImplied(object map[string]any, current any, list typeMeta) map[string]any {
	there, ok := current.(map[string]any)
	kind, typed := strings.CutSuffix(list.kind, "List")
	if !ok || !typed || kind == "" {
		return object
	}
	object = maps.Clone(object)
	for key, implied := range map[string]string{"apiVersion": list.apiVersion, "kind": kind} {
		if _, said := there[key]; !said && object[key] == implied {
			delete(object, key)
		}
	}
	return object
}
