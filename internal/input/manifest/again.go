package manifest

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// seed is that of the sums by which a text that is read again is known to be the same.
var seed = maphash.MakeSeed()

// again is the text of a lasting input from an offset on, read beside the reading.
func (f *reader) again(at int64) (io.Reader, error) {
	from := int64(0)
	if f.stored {
		from = at
	}
	in := &watched{r: io.NewSectionReader(f.lasting, from, f.opts.MaxInputBytes-from), stop: f.opts.Stop}
	if f.stored {
		return in, nil
	}
	r, err := text(in, f.opts.MaxInputBytes, func() {})
	if err == nil {
		_, err = io.CopyN(io.Discard, r, at-r.base)
	}
	return r, err
}

// headAhead reads the head of the JSON document that begins at an offset, all of it; false
// where the input cannot be read twice.
func (f *reader) headAhead(at int64) (h head, ok bool) {
	if f.lasting == nil {
		return head{}, false
	}
	text, err := f.again(at)
	if err != nil {
		return head{}, false
	}
	s := scan.New(scan.NewWindow(text, at, scan.Chunk), f.opts.MaxDepth+2)
	s.Next()
	readMembers(s, &h, nil)
	return h, s.Err() == nil
}

// textOf is the text of a document whose end is held: what was dropped before is read
// again.
func (f *reader) textOf(w *scan.Window, d *yamlDocument) ([]byte, error) {
	raw := make([]byte, d.end-d.from)
	dropped := raw[:d.held-d.from]
	copy(raw[len(dropped):], w.Slice(d.held, d.end))
	if len(dropped) == 0 {
		return raw, nil
	}
	r, err := f.again(d.from)
	if err == nil {
		_, err = io.ReadFull(r, dropped)
	}
	if err != nil {
		return nil, changed(err)
	}
	if maphash.Bytes(seed, dropped) != d.sum.Sum64() {
		return nil, ErrChanged
	}
	return raw, nil
}

// changed is ErrChanged with what kept a text from being read again.
func changed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrChanged
	}
	return fmt.Errorf("%w (%w)", ErrChanged, cause(err))
}
