package manifest

import (
	"errors"
	"hash/maphash"
	"os"
)

// passage is a text that is not held, but read again from its file.
type passage struct {
	file string
	span Span
	item bool   // of a YAML List
	sum  uint64 // of what was read first
}

var (
	sums = maphash.MakeSeed()

	errChanged = errors.New("the file changed after it was read, and this part of it is needed only now: run again when it stays as it is")
)

// passage is the text of a piece as one that is read again; false where it has to be held.
func (f *reader) passage(p piece, item int) (passage, bool) {
	if !f.opts.FilesStay || !f.lasting || !f.stored {
		return passage{}, false
	}
	return passage{f.file, p.span, item > 0 && p.format == YAML, maphash.Bytes(sums, p.raw)}, true
}

// Read gives the text, unless it is another one by now.
func (p passage) Read() ([]byte, error) {
	file, err := os.Open(p.file)
	if err != nil {
		return nil, cause(err)
	}
	defer func() { _ = file.Close() }()
	raw := make([]byte, p.span.End-p.span.Start)
	if _, err := file.ReadAt(raw, p.span.Start); err != nil || maphash.Bytes(sums, raw) != p.sum {
		return nil, errChanged
	}
	if p.item {
		undash(raw)
	}
	return raw, nil
}
