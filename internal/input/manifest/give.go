package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/ssactl/ssactl/internal/packed"
)

// reader reads one file, and gives what it has.
type reader struct {
	file  string
	opts  Options
	yield func(Document, error) bool
	// among: the file is one of several that one path stands for.
	among bool

	doc     int // number of the document at hand
	given   int // documents, problems and skipped ones so far
	stopped bool
	// objects counts those given, skipped or told as a problem, problems the last of
	// these, and full says that there are too many: nothing more of the file is read.
	objects, problems int
	full              bool
	// wordKeys counts the remarks on keys of the document that are words.
	wordKeys int
	// template is the file of a chart that documents are from, so far.
	template string
	// resumed: the YAML to read starts at the separator after JSON.
	resumed bool
	// lasting reads any part of the input again, as long as it is open; nil where it cannot
	// be read twice. stored: its text is what it has, byte for byte.
	lasting io.ReaderAt
	stored  bool
	store   packed.Store // of texts whose reading is put off
}

// piece is the text of one document, or item of a List, where it stands in the input.
type piece struct {
	raw    []byte // may be valid only until the window reads on
	format Format
	span   Span
	line   int // of the first byte
	// content is the line of the first content, item the number in a List.
	content, item int
	// list is the kind of the List that has it; empty for none. hooks are that one's annotations of Helm.
	list  string
	hooks map[string]string
	// json is what raw reads as, which is then held; nil where raw is JSON, and is not.
	json  []byte
	head  head
	plain bool // see Document.Plain
	large bool // there is more of it than is read
	// tree locates the fields where raw does not.
	tree   *lines
	around *around
}

// around is the text of a List with an item that cannot be cut out of it, once that is known; of others,
// none. All items of the List share it.
type around struct{ text []byte }

// source is a place in the document at hand.
func (f *reader) source(line int) Source {
	return Source{File: f.file, Document: f.doc, Line: line}
}

// fail gives a problem; a line that the error knows counts more.
func (f *reader) fail(op string, item, line int, err error) {
	var at *placed
	if errors.As(err, &at) {
		line = at.line
	}
	f.given++
	f.count()
	f.failWith(&Problem{Source: f.source(line), Item: item, Op: op, Err: err})
}

// mostProblems limits how many problems of one file are reported. One that has more is no
// file of manifests, and nobody reads as many messages as it may have lines.
const mostProblems = 1000

// failWith gives a problem, if nothing has ended the file. The last one that is reported
// ends it.
func (f *reader) failWith(p *Problem) {
	if !f.stopped {
		f.stopped = !f.yield(Document{}, p)
	}
	if f.problems++; f.problems == mostProblems {
		f.end(fmt.Errorf("%d objects of the input cannot be read; the rest is not read", f.problems))
	}
}

// count counts an object that is to be given, skipped or told as a problem. The
// first beyond the limit is a problem instead, and ends the file.
func (f *reader) count() {
	if f.objects++; f.objects > f.opts.MaxObjects {
		f.end(fmt.Errorf("%w of %d; the rest is not read", ErrTooManyObjects, f.opts.MaxObjects))
	}
}

// end gives a problem that is the last of the file: nothing more of it is read, and
// those after it are.
func (f *reader) end(err error) {
	if !f.stopped {
		f.stopped = true
		f.full = f.yield(Document{}, &Problem{Source: f.source(0), Op: "read", Err: err})
	}
}

// skim skips a YAML piece that nobody wants, or puts off its reading, where its lines alone
// say which object it is; false for all others. The dash of an item is at column dash.
func (f *reader) skim(p piece, dash int) bool {
	if f.opts.Want == nil {
		return false
	}
	text, shift := p.raw, 0
	if p.item > 0 {
		text, shift = p.raw[dash+1:], dash+1
	}
	id, ok := quickIdentity(text, shift)
	h := head{Identity: id}
	if !ok || p.item == 0 && (strings.HasSuffix(id.Kind, "List") || mistaken(f.file, h, []byte("{")) != nil) {
		return false
	}
	switch {
	case f.skips(id):
		f.given++
	case f.defers(id):
		if p.item > 0 {
			p.raw, p.list = withoutDash(p.raw), "List"
		}
		if f.wants(h, []byte("{"), p) {
			f.handDeferred(p, h)
		}
	default:
		return false
	}
	return true
}

// give gives a piece, where it is an object that is wanted. Its kind may be left to that of
// its List.
func (f *reader) give(list head, p piece) {
	h, text := p.head.typedBy(list), p.json
	if text == nil {
		text = p.raw
	}
	isTyped := h.Identity != p.head.Identity
	if p.item > 0 {
		p.list, p.hooks = cmp.Or(list.Kind, "List"), list.hooks
	}
	switch {
	case !f.wants(h, text, p):
		return
	case p.large:
		f.fail("parse", p.item, p.content, f.opts.tooLarge())
		return
	case p.json != nil:
	case !isTyped && f.defers(h.Identity):
		f.handDeferred(p, h)
		return
	case tooManyJSON(p.raw, f.opts.MaxValues):
		f.fail("parse", p.item, p.content, f.opts.tooMany())
		return
	default:
		p.raw = bytes.Clone(p.raw)
		p.json = p.raw
	}
	d := p.document(f.source(p.content), h)
	d.Template = f.template
	if isTyped {
		// The text of the document does not say all of it.
		d.derived.json = typed(p.head, h, p.json)
		d.Raw, d.Format = d.derived.json, JSON
	}
	f.hand(d)
}

// wants reports whether a piece is an object that is wanted; a problem is reported. Of
// its JSON only the first bytes count.
func (f *reader) wants(h head, asJSON []byte, p piece) bool {
	if err := mistaken(f.file, h, asJSON); err != nil {
		f.fail("parse", p.item, p.content, err)
		return false
	}
	f.given++
	return !f.skips(h.Identity)
}

// skips reports whether a document is not wanted, and has that counted and noted.
func (f *reader) skips(id Identity) bool {
	if f.opts.Want == nil || f.beside(id) || f.opts.Want(id) {
		return false
	}
	f.count()
	if f.opts.OnSkip != nil && !f.stopped {
		f.opts.OnSkip(id)
	}
	return true
}

func (f *reader) beside(id Identity) bool { return f.opts.Beside != nil && f.opts.Beside(id) }

func (f *reader) defers(id Identity) bool { return f.opts.Defer != nil && f.opts.Defer(id) }

// handDeferred hands out a piece with only its head read. Its text is held packed: most of
// them nobody asks for.
func (f *reader) handDeferred(p piece, h head) {
	text, format, line := f.store.Put(p.raw, packed.InMemory), p.format, p.line
	read := func() ([]byte, error) {
		raw, err := text.Read()
		switch {
		case err != nil:
			return nil, err
		case format == YAML:
			return toJSON(raw, line, f.opts)
		case tooManyJSON(raw, f.opts.MaxValues):
			return nil, f.opts.tooMany()
		}
		return raw, nil
	}
	p.raw = nil
	p.tree = &lines{parse: func() *tree {
		// What cannot be read back has no lines.
		raw, _ := text.Read()
		return parseTree(raw, format, line)
	}}
	d := p.document(f.source(p.content), h)
	d.Template = f.template
	d.derived.later = &deferral{text, sync.OnceValues(read)}
	f.hand(d)
}

func (f *reader) hand(d Document) {
	f.count()
	switch {
	case f.beside(d.Identity):
		f.opts.OnBeside(d)
		return
	case f.stopped:
		return
	}
	if f.opts.Refuse != nil && !d.Deferred() {
		if field, err := f.opts.Refuse(d); err != nil {
			source := d.Source
			source.Line, _ = Locate(d, field)
			f.failWith(&Problem{Source: source, Item: d.Item, Op: "read", Err: err})
			return
		}
	}
	if f.opts.OnDocument != nil {
		f.opts.OnDocument(d)
	}
	f.stopped = !f.yield(d, nil)
}

// noteList notes what a List says of itself.
func (f *reader) noteList(h head, line int) {
	switch {
	case h.continued != "":
		f.opts.remark(Notice{Source: f.source(line), Incomplete: h.Kind,
			Message: "the list is incomplete (metadata.continue is set): fetch all of it, without --limit or a limit= in the query"})
	case f.opts.OnList != nil:
		f.opts.OnList(h.Identity)
	}
}
