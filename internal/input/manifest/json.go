package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// jsonReader reads JSON values one after the other.
type jsonReader struct {
	*reader
	w    *scan.Window
	scan *scan.Scanner
}

var (
	// errTold: what was wrong was reported already, and ends the file.
	errTold = errors.New("told")

	errCutOff   = errors.New("not JSON: a closing bracket is missing, so that the next object starts inside of this one")
	errLateKind = errors.New(
		"the kind of the list comes after its items, which leave out their own: give it as a file, or put the kind first",
	)
	errItemsTwice = errors.New("the list has the key items twice; the rest of the file is not read")
)

// readJSON reads concatenated JSON values. Text whose first value is no JSON
// is read as YAML, as kubectl does.
func (f *reader) readJSON(w *scan.Window) {
	j := &jsonReader{reader: f, w: w, scan: scan.New(w, f.opts.MaxDepth)}
	for !f.stopped && j.more() {
		err := j.value()
		if err != nil && (f.stopped || j.asYAML(err) || !j.resume(err)) {
			return
		}
	}
}

// more goes to the next value. After JSON a separator may start YAML.
func (j *jsonReader) more() bool {
	j.scan.Restart()
	if j.scan.Next(); j.scan.Err() != nil {
		if failure := j.w.Failure(); failure != nil {
			j.doc++
			j.fail("read", 0, j.w.LineNo(), failure)
		}
		return false
	}
	if j.given > 0 && j.w.StartsWith("---") {
		j.resumed = true
		j.readYAML(j.w)
		return false
	}
	return true
}

// value reads the next value of the stream.
func (j *jsonReader) value() error {
	j.doc++
	l := &jsonList{jsonReader: j, start: j.w.Start(), line: j.w.LineNo()}
	first := j.scan.Next()
	if first == '{' {
		readMembers(j.scan, &l.head, l.read)
	} else {
		j.scan.Skip()
	}
	switch err := j.scan.Err(); {
	case err == nil && l.ahead != nil && (l.ahead.Kind != l.head.Kind || l.ahead.APIVersion != l.head.APIVersion):
		l.fail(
			"read",
			0,
			l.line,
			fmt.Errorf("its kind or version is not what was taken for that of its items: %w", ErrChanged),
		)
	case l.found, err == nil && l.head.isList():
		if !l.found {
			l.given++
		}
		if l.head.Kind != "" && !strings.HasSuffix(l.head.Kind, "List") {
			l.fail(
				"parse",
				0,
				l.line,
				fmt.Errorf("has items with kinds of their own, but its kind is %s and not a List", clip(l.head.Kind)),
			)
		}
		l.noteList(l.head, l.line)
		return err
	case err != nil:
		return err
	default:
		j.giveValue(head{}, l.head, first, l.start, l.line, 0)
	}
	return nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// giveValue gives the value that was passed from an offset on: a document, or item n of a
// List.
func (j *jsonReader) giveValue(list, h head, first byte, from int64, line, n int) {
	p := piece{raw: j.w.Kept(), format: JSON, span: Span{from, j.w.Offset()}, line: line, content: line, item: n, head: h}
	if p.large = j.w.Lost() || p.span.End-from > int64(j.opts.MaxDocumentBytes); p.large && n == 0 {
		j.fail("parse", 0, line, j.opts.tooLarge())
		return
	}
	if j.w.Lost() {
		p.raw = []byte{first}
	}
	j.give(list, p)
}

// asYAML reads the text as YAML when its first value is no JSON: a flow
// mapping of YAML looks like JSON at first sight. JSON with a mistake is none.
func (j *jsonReader) asYAML(err error) bool {
	if j.doc > 1 || j.given > 0 || j.w.Lost() || j.w.Failure() != nil || errors.Is(err, ErrTooDeep) {
		return false
	}
	text := j.w.Held(wholeListBytes)
	const spaces = " \t\r\n"
	begin := bytes.TrimLeft(bytes.TrimLeft(bytes.TrimLeft(text, spaces), "{["), spaces)
	if isJSON := len(begin) == 0 || begin[0] == '"' || begin[0] == '{'; isJSON {
		text, _, _ = bytes.Cut(text, []byte("\n---"))
		if len(text) >= wholeListBytes {
			return false
		}
		if asJSON, err := toJSON(text, 1, j.opts); err != nil || !isObject(asJSON) {
			return false
		}
	}
	j.w.Back(j.w.Offset() - int64(len(j.w.Kept())))
	j.doc = 0
	j.readYAML(j.w)
	return true
}

// resume reports the error and goes on at the next line that can start a document;
// false when there is none, and where a List is broken, which ends its file.
func (j *jsonReader) resume(err error) bool {
	if errors.Is(err, errTold) {
		return false
	}
	line := j.w.LineNo()
	if failure := j.w.Failure(); failure != nil {
		j.fail("read", 0, line, failure)
		return false
	}
	told := j.jsonError(err)
	if j.unswallow() || j.w.StartsLine() && j.w.StartsWith("{") {
		j.fail("parse", 0, j.w.LineNo()-1, errCutOff)
		return true
	}
	j.fail("parse", 0, line, told)
	for !j.w.StartsLine() || !j.w.StartsWith("{") && !j.w.StartsWith("---") {
		j.w.Start()
		if _, err := j.w.ReadLine(); err != nil {
			return false
		}
	}
	return true
}

// unswallow goes back to the second line of what was read, where that is an object
// by itself: the first line was cut off.
func (j *jsonReader) unswallow() bool {
	_, rest, _ := bytes.Cut(j.w.Kept(), newline)
	line, _, whole := bytes.Cut(rest, newline)
	if j.w.Lost() || !whole || !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
		return false
	}
	j.w.Back(j.w.Offset() - int64(len(rest)))
	return true
}

func (j *jsonReader) jsonError(err error) error {
	var syntax *scan.SyntaxError
	if errors.As(err, &syntax) {
		held := j.w.Held(0)
		return template(held[:min(len(j.w.Kept())+2, len(held))], fmt.Errorf("not JSON: %w", err))
	}
	return err
}

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
func (l *jsonList) readAhead(n int) (h head, err error) {
	l.w.Ahead(n)
	if l.w.Lost() {
		return h, scan.ErrEnds
	}
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
	if l.lasting != nil {
		if text, err := l.again(l.start); err == nil {
			var h head
			s := scan.New(scan.NewWindow(text, l.start, scan.Chunk), l.opts.MaxDepth+2)
			s.Next()
			if readMembers(s, &h, nil); s.Err() == nil {
				l.ahead = &h
				return h, nil
			}
		}
	}
	h, err := l.readAhead(l.opts.MaxDocumentBytes)
	if h.Kind == "" && errors.Is(err, scan.ErrEnds) && !l.w.Ended() {
		l.fail("parse", 0, l.line, errLateKind)
		return h, errTold
	}
	return h, nil
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
		l.giveValue(l.head, h, first, from, line, l.n)
	}
	if l.stopped {
		l.scan.Fail(errTold)
	}
}
