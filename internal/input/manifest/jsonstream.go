package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// jsonReader reads JSON values one after the other.
type jsonReader struct {
	*reader
	w    *window
	scan *scanner
}

var (
	// errTold: what was wrong was reported already, and ends the file.
	errTold = errors.New("told")

	errCutOff = errors.New("not JSON: a closing bracket is missing, so that the next object starts inside of this one")
)

// readJSON reads concatenated JSON values. Text whose first value is no JSON
// is read as YAML, as kubectl does.
func (f *reader) readJSON(w *window) {
	j := &jsonReader{reader: f, w: w, scan: &scanner{w: w}}
	for !f.stopped && j.more() {
		err := j.value()
		if err != nil && (f.stopped || j.asYAML(err) || !j.resume(err)) {
			return
		}
	}
}

// more goes to the next value. After JSON a separator may start YAML.
func (j *jsonReader) more() bool {
	if _, err := j.scan.next(); err != nil {
		if failure := j.w.failure(); failure != nil {
			j.doc++
			j.fail("read", 0, j.w.lineNo(), failure)
		}
		return false
	}
	if j.given > 0 && j.w.startsWith("---") {
		j.resumed = true
		j.readYAML(j.w)
		return false
	}
	return true
}

// value reads the next value of the stream.
func (j *jsonReader) value() error {
	j.doc++
	l := &jsonList{jsonReader: j, start: j.w.start(), line: j.w.lineNo()}
	j.scan.depth, j.scan.limit = 0, j.opts.MaxDepth
	first, err := j.scan.next()
	if err == nil && first == '{' {
		err = j.scan.head(&l.head, l.read)
	} else if err == nil {
		err = j.scan.skip()
	}
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
	j.document(l)
	return nil
}

func (j *jsonReader) document(l *jsonList) {
	if j.w.lost || j.w.offset()-l.start > int64(j.opts.MaxDocumentBytes) {
		j.fail("parse", 0, l.line, j.tooLarge())
		return
	}
	if !j.wants(l.head, j.w.kept(), 0, l.line) {
		return
	}
	deferred := j.defers(l.head.Identity)
	if !deferred && tooManyJSON(j.w.kept(), j.opts.MaxValues) {
		j.fail("parse", 0, l.line, j.opts.tooMany())
		return
	}
	p := piece{raw: j.w.kept(), format: JSON, span: Span{l.start, j.w.offset()}, line: l.line}
	if deferred {
		j.hand(j.deferred(p, j.source(l.line), l.head, 0), 0)
		return
	}
	p.raw = bytes.Clone(p.raw)
	j.hand(p.document(j.source(l.line), l.head, p.raw), 0)
}

// asYAML reads the text as YAML when its first value is no JSON: a flow
// mapping of YAML looks like JSON at first sight.
func (j *jsonReader) asYAML(err error) bool {
	if j.doc > 1 || j.given > 0 || j.w.lost || j.w.failure() != nil || errors.Is(err, ErrTooDeep) {
		return false
	}
	for len(j.w.buf)-j.w.mark < wholeListBytes && j.w.fill() {
	}
	text := j.w.buf[j.w.mark:]
	if jsonLike(text) && !j.readsAsYAML(text) {
		return false
	}
	j.w.back(j.w.base + int64(j.w.mark))
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
	line := j.w.lineNo()
	if failure := j.w.failure(); failure != nil {
		j.fail("read", 0, line, failure)
		return false
	}
	told := j.jsonError(err)
	if j.unswallow() || j.w.startsLine() && j.w.startsWith("{") {
		j.fail("parse", 0, j.w.lineNo()-1, errCutOff)
		return true
	}
	j.fail("parse", 0, line, told)
	for !j.w.startsLine() || !j.w.startsWith("{") && !j.w.startsWith("---") {
		j.w.start()
		if _, err := j.w.readLine(); err != nil {
			return false
		}
	}
	return true
}

// unswallow goes back to the second line of what was read, where that is an object
// by itself: the first line was cut off.
func (j *jsonReader) unswallow() bool {
	_, rest, _ := bytes.Cut(j.w.kept(), newline)
	line, _, whole := bytes.Cut(rest, newline)
	if j.w.lost || !whole || !bytes.HasPrefix(line, []byte("{")) || !json.Valid(line) {
		return false
	}
	j.w.back(j.w.offset() - int64(len(rest)))
	return true
}

func (j *jsonReader) jsonError(err error) error {
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		return template(j.w.buf[j.w.mark:min(j.w.pos+2, len(j.w.buf))], fmt.Errorf("not JSON: %w", err))
	}
	return err
}
