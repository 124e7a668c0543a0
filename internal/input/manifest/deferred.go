package manifest

import (
	"errors"
	"sync"

	"github.com/ssactl/ssactl/internal/input/packed"
)

// defers reports whether the JSON of a document is made, or looked into, when it is
// asked for.
func (f *reader) defers(id Identity) bool { return f.opts.Defer != nil && f.opts.Defer(id) }

// deferral is a document with only its identity read.
type deferral struct {
	piece // without its text
	opts  Options
	text  packed.JSON

	once   sync.Once
	asJSON []byte
	err    error
}

// deferred is the document of a piece with only its head read. Its text, which is valid
// until the window reads on, is held packed: most of them nobody asks for.
func (f *reader) deferred(p piece, src Source, h head, item int) Document {
	text := p.raw
	if item > 0 && p.format == YAML {
		text = withoutDash(text)
	}
	p.raw = nil
	l := &deferral{piece: p, opts: f.opts, text: f.store.Put(text, packed.InMemory)}
	d := p.document(src, h, nil)
	d.derived.later = l
	d.derived.tree = &lines{parse: func() *tree {
		// What cannot be read back has no lines.
		raw, _ := l.text.Read()
		return parseTree(raw, l.format, l.line)
	}}
	return d
}

// giveDeferred passes on a YAML document with only its identity read.
func (f *reader) giveDeferred(d Document, item int) {
	if f.wants(d.derived.head, []byte("{"), item, d.Source.Line) {
		f.hand(d, item)
	}
}

// Deferred reports whether Options.Defer put off the reading of the document.
func (d Document) Deferred() bool { return d.derived != nil && d.derived.later != nil }

// Unread reads a document whose reading was put off, and gives what is wrong with
// it, as a *Problem; nil for all others.
func (d Document) Unread() error {
	if !d.Deferred() {
		return nil
	}
	_, err := d.derived.later.read()
	if err == nil {
		return nil
	}
	p := &Problem{Source: d.Source, Item: d.Item, Op: "parse", Err: err}
	if at := (*placed)(nil); errors.As(err, &at) {
		p.Source.Line = at.line
	}
	return p
}

// Text is the text of the document, wherever it is held. It must not be changed.
func (d Document) Text() []byte {
	if d.Deferred() {
		text, _ := d.derived.later.text.Read() // Unread returns the error
		return text
	}
	return d.Raw
}

// read gives the JSON of the document. It is made once.
func (l *deferral) read() ([]byte, error) {
	l.once.Do(func() { l.asJSON, l.err = l.convert() })
	return l.asJSON, l.err
}

func (l *deferral) convert() ([]byte, error) {
	raw, err := l.text.Read()
	switch {
	case err != nil:
		return nil, err
	case l.format == YAML:
		return toJSON(raw, l.line, l.opts)
	case tooManyJSON(raw, l.opts.MaxValues):
		return nil, l.opts.tooMany()
	}
	return raw, nil
}
