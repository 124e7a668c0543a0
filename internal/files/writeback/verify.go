package writeback

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/ssactl/ssactl/internal/document"
)

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
