package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// yamlDocument is the document of a stream that is being read.
type yamlDocument struct {
	*reader
	w *scan.Window

	line    int   // line of its first byte
	from    int64 // offset of its first byte
	end     int64 // offset after the last byte that counts
	content int   // line of the first content; 0 while there is none
	ended   int   // line of a "..." marker; 0 without
	extra   bool  // content after that marker
	bad     bool  // a line above it begins as a separator, and is none
	list    yamlList
}

var errSeparator = errors.New("invalid YAML document separator: only spaces and a comment may follow ---")

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
			d.add(line, at, number)
			continue
		}
		if d.content > 0 || !first {
			d.finish()
		}
		first = false
		d = f.nextYAML(w)
		if rest := bytes.TrimSpace(line[3:]); len(rest) > 0 && rest[0] != '#' {
			d.bad, d.content, d.line = true, number, number
		}
	}
	switch err := w.Failure(); {
	case f.stopped:
	case err != nil:
		f.doc++
		f.fail("read", 0, w.LineNo(), err)
	default:
		d.finish()
	}
}

func (f *reader) nextYAML(w *scan.Window) *yamlDocument {
	from := w.Start()
	f.wordKeys = 0
	return &yamlDocument{reader: f, w: w, line: w.LineNo(), from: from, end: from}
}

// add adds a line, and those after it that surely say nothing else of a List.
func (d *yamlDocument) add(line []byte, at int64, number int) {
	if spaces, most := d.passable(line); most >= 0 {
		d.w.PassLines(spaces, most)
		d.end = d.w.Offset()
		return
	}
	directive := d.content == 0 && line[0] == '%'
	blank := directive || document.IsBlank(line)
	switch {
	case d.ended > 0:
		d.extra = d.extra || !blank
		return
	case document.IsEnd(line):
		d.ended = number
		return
	case directive:
		d.from, d.line = d.w.Start(), d.w.LineNo()
	case d.content == 0 && !blank:
		d.content = number
	case d.content == 0:
		d.noteTemplate(line)
	}
	d.end = d.w.Offset()
	d.list.add(line, at, number)
	d.streamItems()
}

// templateComment begins the comment in which 'helm template' says where a document is from.
var templateComment = []byte("# Source: ")

// noteTemplate notes which file of a chart a comment says that documents are from.
func (d *yamlDocument) noteTemplate(line []byte) {
	if name, is := bytes.CutPrefix(line, templateComment); is {
		d.template = string(bytes.TrimSpace(name[:min(len(name), maxTemplate)]))
	}
}

// maxTemplate bounds what is kept of such a comment.
const maxTemplate = 1024

// passable is how many bytes behind a line may be passed while lines start with so many
// spaces; negative for none. Within an item that is until it has to be asked whether the
// List may be cut, or is too large to be held.
func (d *yamlDocument) passable(line []byte) (spaces, most int) {
	l, passed := &d.list, int(d.w.Offset()-d.from)
	switch {
	case d.ended > 0 || d.content == 0:
	case l.state == inItems && scan.Spaced(line, l.column+1):
		switch {
		case !l.streaming:
			most = wholeListBytes - 1 - passed
		case !l.gone:
			most = d.opts.MaxDocumentBytes - passed
		default:
			most = math.MaxInt
		}
		return l.column + 1, most
	case l.state == beforeItems && len(l.header) >= maxHeader && scan.Spaced(line, 1):
		// It is below another key than that of the items, and as much is known of those
		// as is kept.
		return 1, math.MaxInt
	}
	return 0, -1
}

// finish gives the document that a separator or the end of the text ends.
func (d *yamlDocument) finish() {
	if !d.list.streaming {
		d.doc++
	}
	switch {
	case d.bad:
		d.fail("parse", 0, d.line, errSeparator)
	case d.list.streaming:
		d.endStream()
	case d.w.Lost():
		d.fail("parse", 0, max(d.content, d.line), d.opts.tooLarge())
	case d.end-d.from > int64(d.opts.MaxDocumentBytes):
		d.fail("parse", 0, d.content, d.opts.tooLarge())
	case d.content > 0 && !d.cut():
		d.whole()
	}
	if d.extra {
		d.opts.notice(
			d.source(d.ended),
			`what follows the document end marker "..." is not read, as in kubectl: separate documents with "---"`,
		)
	}
}

// whole gives a document that is held as a whole.
func (d *yamlDocument) whole() {
	p := piece{raw: d.w.Slice(d.from, d.end), format: YAML, span: Span{d.from, d.end}, line: d.line, content: d.content}
	if d.skim(p, 0) {
		return
	}
	err := d.convert(&p)
	switch {
	case err != nil:
		d.fail("parse", 0, d.content, foreign(p.raw, d.line, err))
		return
	case string(p.json) == "null":
		return
	}
	p.raw = bytes.Clone(p.raw)
	if p.head.Kind == "" {
		if err := foreign(p.raw, d.line, nil); err != nil {
			d.fail("parse", 0, d.content, err)
			return
		}
	} else if line := helmLineAt(p.raw, d.line); line > 0 {
		d.opts.notice(d.source(line), errHelmLine.Error())
	}
	d.noteWordKeys(p)
	d.noteBehind(p)
	if p.head.isList() {
		d.noteList(p.head, d.content)
		d.given++
		p.around = &around{}
		d.encoded(p, 0)
		return
	}
	if asGiven := bytes.TrimSpace(p.raw); asGiven[0] == '{' && json.Valid(asGiven) {
		p.format = JSON
	}
	d.give(head{}, p)
}

// noteBehind remarks on what follows a document in JSON: of what stands between two
// separators, the YAML reader takes the first value alone.
func (d *yamlDocument) noteBehind(p piece) {
	value := bytes.IndexByte(p.raw, '{')
	if p.plain || value < 0 || len(bytes.TrimSpace(p.raw[:value])) > 0 {
		return
	}
	s := scan.Bytes(p.raw[value:], scan.AnyDepth)
	if s.Skip(); s.Err() != nil {
		return
	}
	for from := value + s.Offset(); from < len(p.raw); {
		to := document.LineBehind(p.raw, from)
		if !document.IsBlank(p.raw[from:to]) {
			line := p.line + bytes.Count(p.raw[:from], newline)
			d.opts.notice(
				d.source(line),
				`what follows the JSON document is not read, as in kubectl: separate documents with "---"`,
			)
			return
		}
		from = to
	}
}

// convert reads a YAML piece as JSON.
func (f *reader) convert(p *piece) (err error) {
	p.json, p.plain, err = converted(p.raw, p.line, f.opts)
	if err == nil {
		p.head = readHead(p.json)
	}
	return err
}
