package manifest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

var (
	gzipMagic = []byte{0x1f, 0x8b}

	errCut = fmt.Errorf("the compressed data was cut off: %w", io.ErrUnexpectedEOF)
)

// unpacked reads the members of a gzip file one after the other. What follows
// them and is no gzip (padding of tapes and block devices, a line of a log) ends
// it, as in gzip itself: what was unpacked is whole.
type unpacked struct {
	from  *bufio.Reader
	zr    *gzip.Reader
	rest  func()
	ended error
}

// newUnpacked starts with the header that is next in from; rest is called when
// something else follows the members.
func newUnpacked(from *bufio.Reader, rest func()) (*unpacked, error) {
	zr, err := gzip.NewReader(from)
	if err != nil {
		return nil, cut(err)
	}
	zr.Multistream(false)
	return &unpacked{from: from, zr: zr, rest: rest}, nil
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.ended != nil {
		return 0, u.ended
	}
	n, err := u.zr.Read(p)
	if errors.Is(err, io.EOF) {
		err = u.next()
	}
	u.ended = cut(err)
	return n, u.ended
}

// next goes to the next member; at the end of the last one it is io.EOF.
func (u *unpacked) next() error {
	head, err := u.from.Peek(len(gzipMagic))
	switch {
	case bytes.Equal(head, gzipMagic):
		if err := u.zr.Reset(u.from); err != nil {
			return err
		}
		u.zr.Multistream(false)
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case len(head) > 0:
		u.rest()
	}
	return io.EOF
}

func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}
