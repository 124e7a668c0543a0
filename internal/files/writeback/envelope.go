package writeback

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxText bounds what a compressed file may grow to, so that a small hostile
// file cannot take all memory.
const maxText = 4 << 30

var (
	byteOrderMark = []byte("\xEF\xBB\xBF")
	errTooLarge   = fmt.Errorf("more than %d bytes when decompressed", int64(maxText))
	errUTF16      = errors.New("text is UTF-16, only UTF-8 can be written")
)

// An envelope is what a file has around its text: compression, and a byte
// order mark.
type envelope struct {
	compressed *gzip.Header
	mark       bool
}

// open takes the text out of a file's bytes.
func open(raw []byte) ([]byte, envelope, error) {
	var e envelope
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		text, header, err := decompress(raw)
		if err != nil {
			return nil, e, err
		}
		raw, e.compressed = text, header
	}
	if bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) || bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) {
		return nil, e, errUTF16
	}
	text, mark := bytes.CutPrefix(raw, byteOrderMark)
	e.mark = mark
	return text, e, nil
}

func decompress(raw []byte) ([]byte, *gzip.Header, error) {
	reader, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, nil, fmt.Errorf("decompress: %w", err)
	}
	header := reader.Header
	text, err := io.ReadAll(io.LimitReader(reader, maxText+1))
	if err != nil {
		return nil, nil, fmt.Errorf("decompress: %w", err)
	}
	if len(text) > maxText {
		return nil, nil, errTooLarge
	}
	return text, &header, nil
}

// seal is the inverse of open. A compressed file keeps the name, time and
// comment of its header.
func (e envelope) seal(text []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(text) + len(byteOrderMark))
	if e.compressed == nil {
		e.write(&out, text)
		return out.Bytes(), nil
	}
	writer := gzip.NewWriter(&out)
	writer.Header = *e.compressed
	e.write(writer, text)
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return out.Bytes(), nil
}

// write ignores the writer's error: a bytes.Buffer has none, and a gzip.Writer
// tells it again when closed.
func (e envelope) write(w io.Writer, text []byte) {
	if e.mark {
		_, _ = w.Write(byteOrderMark)
	}
	_, _ = w.Write(text)
}
