package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// jsonList is a JSON document that may be a List. Its items are given one by one
// while it is read, so that only one is held at a time.
type jsonList struct {
	*jsonReader
	head  head // of the List, as far as it was read
	start int64
	line  int
	// ahead is its head as it was found in the file before it was read; nil where nobody
	// looked.
	ahead *head
	// found: it has items, and is taken for a List.
	found bool
	n     int // number of the item at hand
}

var (
	errLateKind   = errors.New("the kind of the list comes after its items, which leave out their own: give it as a file, or put the kind first")
	errItemsTwice = errors.New("the list has the key items twice; the rest of the file is not read")
)

// read passes the array of items, and reports errors in it.
func (l *jsonList) read() {
	if err := l.decide(); err != nil {
		l.scan.Fail(err)
		return
	}
	if !l.found {
		l.scan.Skip()
		return
	}
	l.given++
	l.scan.Within(1+l.opts.MaxDepth, func() { l.scan.Elements(l.item) })
	err := l.scan.Err()
	if err == nil || l.stopped {
		return
	}
	op, told := "parse", l.jsonError(err)
	switch {
	case l.w.Failure() != nil:
		op = "read"
	case !errors.Is(err, scan.ErrEnds):
		told = fmt.Errorf("%w; the rest of the file is not read", told)
	}
	l.fail(op, l.n, l.w.LineNo(), told)
	l.scan.Fail(errTold)
}

// decide finds out whether the document is a List, whose items are next. kubectl
// writes the kind after them: a small document is read ahead for it; of a large one
// an item with a kind of its own tells; else the kind is looked for in the file.
func (l *jsonList) decide() error {
	if l.found {
		l.fail("parse", 0, l.w.LineNo(), errItemsTwice)
		return errTold
	}
	if l.head.Kind == "" {
		h, err := l.readAhead(wholeListBytes)
		if h.Kind == "" && err != nil {
			if l.found = l.typedItem(); l.found {
				return nil
			}
			if h, err = l.kindAhead(); err != nil {
				return err
			}
		}
		l.head.Identity = h.Identity
	}
	l.found = strings.HasSuffix(l.head.Kind, "List")
	return nil
}

// readAhead is the head of the document as far as the next n bytes tell it; the
// error is where they end before the document does.
func (l *jsonList) readAhead(n int) (head, error) {
	l.w.Ahead(n)
	if l.w.Lost() {
		return head{}, scan.ErrEnds
	}
	var h head
	s := scan.Bytes(l.w.Held(0), scan.AnyDepth)
	readMembers(s, &h, nil)
	return h, s.Err()
}

// typedItem reports whether the first item has a kind of its own.
func (l *jsonList) typedItem() bool {
	var h head
	s := scan.Bytes(l.w.Held(0)[len(l.w.Kept()):], scan.AnyDepth)
	if s.Begin(']') && s.Next() == '{' {
		readMembers(s, &h, nil)
	}
	return h.Kind != "" && h.APIVersion != ""
}

// kindAhead is the head of a large document, whose items leave out their kind: from
// the rest of the file, or of so much of a stream as one document may have.
func (l *jsonList) kindAhead() (head, error) {
	if h, ok := l.headAhead(l.start); ok {
		l.ahead = &h
		return h, nil
	}
	h, err := l.readAhead(l.opts.MaxDocumentBytes)
	if h.Kind == "" && errors.Is(err, scan.ErrEnds) && !l.w.Ended() {
		l.fail("parse", 0, l.line, errLateKind)
		return h, errTold
	}
	return h, nil
}

// changed reports whether the document has another type than was found ahead.
func (l *jsonList) changed() bool {
	return l.ahead != nil && (l.ahead.Kind != l.head.Kind || l.ahead.APIVersion != l.head.APIVersion)
}

// item passes the next item, and gives it.
func (l *jsonList) item() {
	var h head
	first, from, line := l.scan.Next(), l.w.Start(), l.w.LineNo()
	l.n++
	if first == '{' {
		readMembers(l.scan, &h, nil)
	} else {
		l.scan.Skip()
	}
	if l.scan.Err() == nil {
		l.give(l.head, h, first, from, line, l.n)
	}
	if l.stopped {
		l.scan.Fail(errTold)
	}
}

// end reports what shows once the document is read.
func (l *jsonList) end() {
	if l.head.Kind != "" && !strings.HasSuffix(l.head.Kind, "List") {
		l.fail("parse", 0, l.line, fmt.Errorf("has items with kinds of their own, but its kind is %s and not a List", clip(l.head.Kind)))
	}
	l.noteList(l.head, l.line)
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
