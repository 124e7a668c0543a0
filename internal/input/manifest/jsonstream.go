package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

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

	errCutOff = errors.New("not JSON: a closing bracket is missing, so that the next object starts inside of this one")
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
	err := j.scan.Err()
	switch {
	case err == nil && l.changed():
		l.fail("read", 0, l.line, fmt.Errorf("its kind or version is not what was taken for that of its items: %w", ErrChanged))
		return nil
	case l.found:
		l.end()
		return err
	case err != nil:
		return err
	case isList(l.head):
		l.given++
		l.end()
		return nil
	}
	j.give(head{}, l.head, first, l.start, l.line, 0)
	return nil
}

// give gives the value that was passed from an offset on: a document, or item n of a List.
func (j *jsonReader) give(list, was head, first byte, from int64, line, n int) {
	h, raw := was.typedBy(list), j.w.Kept()
	if j.w.Lost() {
		raw = []byte{first}
	}
	large := j.w.Lost() || j.w.Offset()-from > int64(j.opts.MaxDocumentBytes)
	if (n > 0 || !large) && !j.wants(h, raw, n, line) {
		return
	}
	deferred := h.Identity == was.Identity && j.defers(h.Identity)
	switch p := (piece{raw: raw, format: JSON, span: Span{from, j.w.Offset()}, line: line}); {
	case large:
		j.fail("parse", n, line, j.tooLarge())
	case deferred:
		j.hand(j.deferred(p, j.source(line), h, n), n)
	case tooManyJSON(raw, j.opts.MaxValues):
		j.fail("parse", n, line, j.opts.tooMany())
	default:
		p.raw = bytes.Clone(raw)
		d := p.document(j.source(line), h, p.raw)
		if h.Identity != was.Identity {
			d.derived.json = typed(was, h, p.raw)
			d = d.encoded()
		}
		j.hand(d, n)
	}
}

// asYAML reads the text as YAML when its first value is no JSON: a flow
// mapping of YAML looks like JSON at first sight.
func (j *jsonReader) asYAML(err error) bool {
	if j.doc > 1 || j.given > 0 || j.w.Lost() || j.w.Failure() != nil || errors.Is(err, ErrTooDeep) {
		return false
	}
	text := j.w.Held(wholeListBytes)
	if jsonLike(text) && !j.readsAsYAML(text) {
		return false
	}
	j.w.Back(j.w.Offset() - int64(len(j.w.Kept())))
	j.doc = 0
	j.readYAML(j.w)
	return true
}

// jsonLike reports whether a text is JSON with a mistake, not a YAML flow mapping.
func jsonLike(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimLeft(b, " \t\r\n"), "{[")
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) == 0 || b[0] == '"' || b[0] == '{'
}

func (j *jsonReader) readsAsYAML(text []byte) bool {
	text, _, _ = bytes.Cut(text, []byte("\n---"))
	if len(text) >= wholeListBytes {
		return false
	}
	asJSON, err := toJSON(text, 1, j.opts)
	return err == nil && isObject(asJSON)
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
