package manifest

import (
	"bytes"
	"io"
)

// again is the text of the file from an offset on, read beside the reading; false where
// the input cannot be read twice.
func (f *reader) again(at int64) (io.Reader, func(), bool) {
	if !f.lasting {
		return nil, nil, false
	}
	beside := *f
	beside.opts.OnRead, beside.opts.OnFile = nil, nil
	in, closeFile, err := beside.open()
	if err != nil {
		return nil, nil, false
	}
	r, err := text(in, f.opts.MaxInputBytes, func() {})
	if err == nil {
		_, err = io.CopyN(io.Discard, r, at-r.base)
	}
	if err != nil {
		closeFile()
		return nil, nil, false
	}
	return r, closeFile, true
}

// headAhead reads the head of the JSON document that starts at an offset of
// the text, beside the reading; false where the input cannot be read twice.
func (f *reader) headAhead(at int64) (head, bool) {
	r, closeFile, ok := f.again(at)
	if !ok {
		return head{}, false
	}
	defer closeFile()
	var h head
	s := &scanner{w: newWindow(r, at, windowChunk), limit: f.opts.MaxDepth + 2}
	if _, err := s.next(); err != nil {
		return head{}, false
	}
	return h, s.head(&h, nil) == nil
}

// textOf is the text of a document that was read, in memory or in the file; false where
// it is neither.
func (f *reader) textOf(w *window, d *yamlDocument) ([]byte, bool) {
	switch {
	case d.end-d.from > int64(f.opts.MaxDocumentBytes):
		return nil, false
	case !w.lost && w.keeps(d.from):
		return bytes.Clone(w.slice(d.from, d.end)), true
	}
	r, closeFile, ok := f.again(d.from)
	if !ok {
		return nil, false
	}
	defer closeFile()
	raw := make([]byte, d.end-d.from)
	_, err := io.ReadFull(r, raw)
	return raw, err == nil
}
