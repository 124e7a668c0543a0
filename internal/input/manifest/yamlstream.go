package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/maphash"
	"math"
	"strings"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// yamlDocument is the document that is being read.
type yamlDocument struct {
	line    int   // line of its first byte
	from    int64 // offset of its first byte
	end     int64 // offset after the last byte that counts
	content int   // line of the first content; 0 while there is none
	ended   int   // line of a "..." marker; 0 without
	extra   bool  // content after that marker
	gone    bool  // its text is no longer held, and not to be had again
	bad     error // a separator that is none
	counted bool  // it has its number
	cutter  listCutter
	// held is the first byte, of a List that is streamed, that is still held; sum is of
	// those before it.
	held int64
	sum  maphash.Hash
}

// drop lets go of the text up to an offset.
func (d *yamlDocument) drop(w *scan.Window, to int64) {
	if !d.gone {
		_, _ = d.sum.Write(w.Slice(d.held, to))
	}
	d.held = to
	w.Release(to)
}

// readYAML splits a stream at its separators by kubectl's rules: a line that
// starts with "---" separates, and only spaces and a comment may follow on it.
// What comes before the first separator counts as a document only when it has
// content.
func (f *reader) readYAML(w *scan.Window) {
	first := f.doc == 0 || f.resumed
	d := f.nextYAML(w)
	for !f.stopped {
		at, number := w.Offset(), w.LineNo()
		line, err := w.ReadLine()
		if err != nil {
			break
		}
		if !bytes.HasPrefix(line, []byte("---")) {
			f.addLine(w, d, line, at, number)
			continue
		}
		if d.content > 0 || !first {
			f.endYAML(w, d)
		}
		first = false
		d = f.nextYAML(w)
		if rest := bytes.TrimSpace(line[3:]); len(rest) > 0 && rest[0] != '#' {
			d.bad = errors.New("invalid YAML document separator: only spaces and a comment may follow ---")
			d.content, d.line = number, number
		}
	}
	if f.stopped {
		return
	}
	if err := w.Failure(); err != nil {
		f.doc++
		f.fail("read", 0, w.LineNo(), err)
		return
	}
	f.endYAML(w, d)
}

// countDocument gives a document its number, once.
func (f *reader) countDocument(d *yamlDocument) {
	if !d.counted {
		f.doc++
		d.counted = true
	}
}

func (f *reader) nextYAML(w *scan.Window) *yamlDocument {
	from := w.Start()
	f.wordKeys = 0
	return &yamlDocument{line: w.LineNo(), from: from, end: from}
}

func (f *reader) addLine(w *scan.Window, d *yamlDocument, line []byte, at int64, number int) {
	if d.ended == 0 && d.content > 0 && d.cutter.within(line) {
		if most := f.passable(w, d); most >= 0 {
			w.PassLines(d.cutter.column+1, most)
			d.end = w.Offset()
			return
		}
	}
	if d.ended == 0 && d.content > 0 && d.cutter.without(line) {
		w.PassLines(1, math.MaxInt)
		d.end = w.Offset()
		return
	}
	directive := d.content == 0 && line[0] == '%'
	blank := directive || document.IsBlank(line)
	if d.ended > 0 {
		d.extra = d.extra || !blank
		return
	}
	if document.IsEnd(line) {
		d.ended = number
		return
	}
	if d.content == 0 && !blank {
		d.content = number
	}
	if directive {
		d.from, d.line = w.Start(), w.LineNo()
	}
	d.end = w.Offset()
	d.cutter.add(line, at, number)
	f.streamItems(w, d)
}

// passable is how many more bytes may be passed inside of an item, after which it has to be
// asked whether the List may be cut, or is too large to be held; negative for none.
func (f *reader) passable(w *scan.Window, d *yamlDocument) int {
	passed := int(w.Offset() - d.from)
	switch {
	case !d.cutter.streaming:
		return wholeListBytes - 1 - passed
	case !d.gone:
		return f.opts.MaxDocumentBytes - passed
	}
	return math.MaxInt
}

// endYAML gives the document that a separator or the end of the text ends.
func (f *reader) endYAML(w *scan.Window, d *yamlDocument) {
	f.countDocument(d)
	switch {
	case d.bad != nil:
		f.fail("parse", 0, d.line, d.bad)
	case d.cutter.streaming:
		f.endStream(w, d)
	case w.Lost():
		f.fail("parse", 0, max(d.content, d.line), f.tooLarge())
	case d.end-d.from > int64(f.opts.MaxDocumentBytes):
		f.fail("parse", 0, d.content, f.tooLarge())
	case d.content > 0 && !f.cutList(w, d):
		f.wholeYAML(d, w.Slice(d.from, d.end))
	}
	if d.extra {
		f.opts.notice(f.source(d.ended), `what follows the document end marker "..." is not read, as in kubectl: separate documents with "---"`)
	}
}

// wholeYAML gives a document that is held as a whole.
func (f *reader) wholeYAML(d *yamlDocument, raw []byte) {
	if id, ok := f.quickly(raw); ok && f.skips(id) {
		f.given++
		return
	} else if ok && f.defers(id) {
		p := piece{raw: raw, format: YAML, span: Span{d.from, d.end}, line: d.line}
		f.giveDeferred(f.deferred(p, f.source(d.content), head{Identity: id}, 0), 0)
		return
	}
	asJSON, plain, err := converted(raw, d.line, f.opts)
	if err != nil {
		f.fail("parse", 0, d.content, foreign(raw, d.line, err))
		return
	}
	if bytes.Equal(asJSON, []byte("null")) {
		return
	}
	raw = bytes.Clone(raw)
	h := readHead(asJSON)
	if h.Kind == "" {
		if err := foreign(raw, d.line, nil); err != nil {
			f.fail("parse", 0, d.content, err)
			return
		}
	} else if line := helmLineAt(raw, d.line); line > 0 {
		f.opts.notice(f.source(line), errHelmLine.Error())
	}
	if !plain {
		f.noteWordKeys(raw, asJSON, d.line)
	}
	if isList(h) {
		f.noteList(h, d.content)
		f.given++
		f.encodedItems(piece{raw: raw, line: d.line}, d.content, h, asJSON, 0)
		return
	}
	p := piece{raw: raw, format: YAML, span: Span{d.from, d.end}, line: d.line}
	if asGiven := bytes.TrimSpace(raw); asGiven[0] == '{' && json.Valid(asGiven) {
		p.format = JSON
	}
	whole := p.document(f.source(d.content), h, asJSON)
	whole.derived.plain = plain
	f.give(whole, 0)
}

// quickly is the identity of a document by its lines alone, where it is an object
// that somebody may not want.
func (f *reader) quickly(raw []byte) (Identity, bool) {
	if f.opts.Want == nil {
		return Identity{}, false
	}
	id, ok := quickIdentity(raw, 0)
	return id, ok && !strings.HasSuffix(id.Kind, "List") && mistaken(f.file, head{Identity: id}, []byte("{")) == nil
}
