package manifest

import (
	"hash/maphash"
	"io"
	"os"
)

// passage is a text that is not held, but read again from its file.
type passage struct {
	file string
	span Span
	item bool   // of a YAML List
	sum  uint64 // of what was read first
}

// passage is the text of a piece as one that is read again; false where it has to be held.
func (f *reader) passage(p piece, item int) (passage, bool) {
	if !f.opts.FilesStay || f.lasting == nil || !f.stored {
		return passage{}, false
	}
	return passage{f.file, p.span, item > 0 && p.format == YAML, maphash.Bytes(seed, p.raw)}, true
}

// Read gives the text, unless it is another one by now.
func (p passage) Read() ([]byte, error) {
	file, err := os.Open(p.file)
	if err != nil {
		return nil, changed(err)
	}
	defer func() { _ = file.Close() }()
	raw := make([]byte, p.span.End-p.span.Start)
	if err := refill(raw, io.NewSectionReader(file, p.span.Start, int64(len(raw))), p.sum); err != nil {
		return nil, err
	}
	if p.item {
		undash(raw)
	}
	return raw, nil
}
