package manifest

import (
	"bytes"
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
	if h, ok := l.headAhead(l.w); ok {
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
	it := jsonItem{first: l.scan.Next()}
	from := l.w.Start()
	it.format, it.line = JSON, l.w.LineNo()
	l.n++
	if it.first == '{' {
		readMembers(l.scan, &it.head, nil)
	} else {
		l.scan.Skip()
	}
	if l.scan.Err() == nil {
		it.span = Span{from, l.w.Offset()}
		l.giveItem(it)
	}
	if l.stopped {
		l.scan.Fail(errTold)
	}
}

// jsonItem is an item that was read.
type jsonItem struct {
	piece
	first byte
	head  head
}

func (l *jsonList) giveItem(it jsonItem) {
	h := it.head.typedBy(l.head)
	if !l.wants(h, []byte{it.first}, l.n, it.line) {
		return
	}
	if l.w.Lost() || it.span.End-it.span.Start > int64(l.opts.MaxDocumentBytes) {
		l.fail("parse", l.n, it.line, l.tooLarge())
		return
	}
	deferred := h.Identity == it.head.Identity && l.defers(h.Identity)
	if !deferred && tooManyJSON(l.w.Kept(), l.opts.MaxValues) {
		l.fail("parse", l.n, it.line, l.opts.tooMany())
		return
	}
	it.raw = l.w.Kept()
	if deferred {
		l.hand(l.deferred(it.piece, l.source(it.line), h, l.n), l.n)
		return
	}
	it.raw = bytes.Clone(it.raw)
	d := it.document(l.source(it.line), h, it.raw)
	if h.Identity != it.head.Identity {
		d.derived.json = typed(it.head, h, it.raw)
		d = d.encoded()
	}
	l.hand(d, l.n)
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
