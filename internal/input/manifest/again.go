package manifest

import (
	"bytes"
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

// headAhead reads the head of the JSON document that is held from its start on, what is
// not held yet beside the reading; false where the input cannot be read twice.
func (f *reader) headAhead(w *scan.Window) (head, bool) {
	if f.lasting == nil || w.Lost() {
		return head{}, false
	}
	rest, err := f.again(w.End())
	if err != nil {
		return head{}, false
	}
	var h head
	held := bytes.NewReader(w.Held(0))
	s := scan.New(scan.NewWindow(io.MultiReader(held, rest), 0, scan.Chunk), f.opts.MaxDepth+2)
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
	if err != nil {
		return nil, changed(err)
	}
	return raw, refill(dropped, r, d.sum.Sum64())
}

// refill reads a text again. The error is ErrChanged unless its sum is the same.
func refill(raw []byte, r io.Reader, sum uint64) error {
	if _, err := io.ReadFull(r, raw); err != nil {
		return changed(err)
	}
	if maphash.Bytes(seed, raw) != sum {
		return ErrChanged
	}
	return nil
}

// changed is ErrChanged with what kept a text from being read again.
func changed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrChanged
	}
	return fmt.Errorf("%w (%w)", ErrChanged, cause(err))
}
