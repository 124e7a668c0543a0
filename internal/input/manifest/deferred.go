package manifest

import "sync"

// defers reports whether the JSON of a document is made, or looked into, when it is
// asked for.
func (f *reader) defers(id Identity) bool { return f.opts.Defer != nil && f.opts.Defer(id) }

// giveDeferred gives a YAML document of which nothing but its identity was read.
func (f *reader) giveDeferred(p piece, line int, id Identity, item int) {
	d := p.document(f.source(line), head{Identity: id}, nil)
	opts := f.opts
	d.derived.later = sync.OnceValues(func() ([]byte, error) { return toJSON(p.raw, p.line, opts) })
	if f.wants(d.derived.head, []byte("{"), item, line) {
		f.hand(d, item)
	}
}

// deferredJSON is the same for a JSON document.
func (f *reader) deferredJSON(d Document) Document {
	raw, opts := d.Raw, f.opts
	d.derived.later = sync.OnceValues(func() ([]byte, error) {
		if tooManyJSON(raw, opts.MaxValues) {
			return nil, opts.tooMany()
		}
		return raw, nil
	})
	return d
}
