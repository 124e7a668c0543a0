package manifest

import (
	"bytes"
	"errors"
	"sync"

	"github.com/ssactl/ssactl/internal/input/packed"
)

// defers reports whether the JSON of a document is made, or looked into, when it is
// asked for.
func (f *reader) defers(id Identity) bool { return f.opts.Defer != nil && f.opts.Defer(id) }

// deferral is a document with only its identity read.
type deferral struct {
	piece // without its text, where that is packed
	opts  Options
	text  packed.JSON

	once   sync.Once
	asJSON []byte
	err    error
}

// deferred is the document of a piece with only its head read. The text of the piece is
// valid until the window reads on.
func (f *reader) deferred(p piece, src Source, h head, item int) Document {
	p.raw = bytes.Clone(p.raw)
	if item > 0 && p.format == YAML {
		undash(p.raw)
	}
	l := &deferral{piece: p, opts: f.opts}
	d := p.document(src, h, nil)
	d.derived.later = l
	d.derived.tree = &lines{parse: func() *tree {
		// What cannot be read back has no lines.
		raw, _ := l.raw()
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

// Packed is a document whose reading was put off, and whose text is held, with that in a
// store: Raw is nil, and Text gives it. Others stay as they are. It must not be called
// while somebody uses the document.
func (d Document) Packed(store *packed.Store) Document {
	if d.Deferred() && d.derived.later.text.Empty() {
		l := d.derived.later
		l.text, l.piece.raw = store.Put(d.Raw, PlaceOf(d.Identity)), nil
		d.Raw = nil
	}
	return d
}

// Text is Raw, wherever it is held. It must not be changed.
func (d Document) Text() []byte {
	if d.Raw == nil && d.Deferred() {
		// Unread returns the error.
		raw, _ := d.derived.later.raw()
		return raw
	}
	return d.Raw
}

func (l *deferral) raw() ([]byte, error) {
	if l.text.Empty() {
		return l.piece.raw, nil
	}
	return l.text.Read()
}

// read gives the JSON of the document. It is made once.
func (l *deferral) read() ([]byte, error) {
	l.once.Do(func() { l.asJSON, l.err = l.convert() })
	return l.asJSON, l.err
}

func (l *deferral) convert() ([]byte, error) {
	raw, err := l.raw()
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
