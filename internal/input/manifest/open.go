package manifest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// sniffed is how much of a file is looked at to tell text from other data.
const sniffed = 8 << 10

var (
	errBinary = errors.New(
		"not text: it has zero bytes, so it is neither YAML nor JSON (gzip is read as it is; unpack other archives first)",
	)
	errCut = fmt.Errorf("the compressed data was cut off: %w", io.ErrUnexpectedEOF)

	utf8BOM   = []byte{0xef, 0xbb, 0xbf}
	utf16LE   = []byte{0xff, 0xfe}
	utf16BE   = []byte{0xfe, 0xff}
	gzipMagic = []byte{0x1f, 0x8b}
)

// input is what is read, while it is open.
type input struct {
	io.Reader
	// again reads any part of a regular file again, whatever was done to its name since;
	// size is that of the file when it was opened. Others have none.
	again io.ReaderAt
	size  int64
	close func()
}

// open opens the input, with the hooks of the options around its reads.
func (f *reader) open() (input, error) {
	in, waits := input{close: func() {}}, true
	switch {
	case f.file == "-" && f.opts.Stdin == nil:
		return in, errors.New("standard input is not available, or named twice")
	case f.file == "-":
		in.Reader = f.opts.Stdin
	case waitsFor(f.file):
		in.Reader = &late{path: f.file}
	default:
		file, err := os.Open(f.file)
		if err != nil {
			return in, err
		}
		in, waits = f.regular(file), false
	}
	if waits && f.opts.Wait != nil {
		in.Reader = f.opts.Wait(in.Reader)
	}
	in.Reader = &watched{in.Reader, f.opts.Stop, f.opts.OnRead}
	return in, nil
}

// regular is the input of a file, which has to keep its size if it is a regular one. What
// it was is reported once it is closed: what is left of it is read for that, and one that
// cannot be read to its end is a problem, or was not waited for.
func (f *reader) regular(file *os.File) input {
	in := input{Reader: file, close: func() { _ = file.Close() }}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		in.Reader, in.again, in.size = &sizedFile{file, info.Size()}, file, info.Size()
	}
	if f.opts.OnFile == nil {
		return in
	}
	sum := sha256.New()
	digested := io.TeeReader(in.Reader, sum)
	in.Reader = digested
	in.close = func() {
		defer func() { _ = file.Close() }()
		info, err := file.Stat()
		if err != nil || f.stopped {
			return
		}
		if _, err = io.Copy(io.Discard, digested); err == nil {
			f.opts.OnFile(f.file, info, [sha256.Size]byte(sum.Sum(nil)))
		}
	}
	return in
}

// sizedFile reports when a file ends before the size that it had when it was
// opened: what was read then is not what it was.
type sizedFile struct {
	file *os.File
	left int64
}

func (f *sizedFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	f.left -= int64(n)
	if errors.Is(err, io.EOF) && f.left > 0 {
		err = fmt.Errorf("the file shrank while it was read: %d bytes are missing", f.left)
	}
	return n, cause(err)
}

// waitsFor reports whether a path is a pipe or a device: opening and reading it
// may take for ever, and what was read of it is gone.
func waitsFor(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// late opens a file when it is first read, and closes it at its end.
type late struct {
	path string
	file *os.File
	err  error // that ended it
}

func (l *late) Read(p []byte) (int, error) {
	if l.file == nil && l.err == nil {
		l.file, l.err = os.Open(l.path)
	}
	if l.err != nil {
		return 0, cause(l.err)
	}
	n, err := l.file.Read(p)
	if l.err = err; err != nil {
		_ = l.file.Close()
	}
	return n, cause(err)
}

// watched asks and tells about each read of an input.
type watched struct {
	r    io.Reader
	stop func() error
	told func(int)
}

// Read reads the input unless it is stopped.
func (w *watched) Read(p []byte) (int, error) {
	if w.stop != nil {
		if err := w.stop(); err != nil {
			return 0, err
		}
	}
	n, err := w.r.Read(p)
	if w.told != nil {
		w.told(n)
	}
	return n, err
}

// bounded gives so much of a reader, and an error where there is more.
type bounded struct {
	r           io.Reader
	limit, left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left > 0 {
		n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, err
	}
	n, err := b.r.Read(make([]byte, 1))
	if n > 0 {
		return 0, fmt.Errorf("%w of %d", ErrTooLong, b.limit)
	}
	return 0, err
}

// opened is the text of an input.
type opened struct {
	io.Reader
	base int64 // of the first byte, after a byte order mark
	// stored: it is what the input has, byte for byte, after that mark.
	stored bool
}

// text gives the text of an input: gzip is unpacked and UTF-16 with a byte
// order mark is decoded (PowerShell writes such files, and kubectl reads
// them). A UTF-8 byte order mark is skipped. More unpacked
// bytes than the limit are an error. rest is called if something else follows the gzip
// data.
func text(r io.Reader, limit int64, rest func()) (opened, error) {
	br := bufio.NewReaderSize(&bounded{r, limit, limit}, scan.Chunk)
	head, _ := br.Peek(len(gzipMagic))
	stored := !bytes.Equal(head, gzipMagic)
	if !stored {
		zr, err := gzip.NewReader(br)
		if err != nil {
			return opened{}, cut(err)
		}
		zr.Multistream(false)
		br = bufio.NewReaderSize(&bounded{&unpacked{from: br, zr: zr, rest: rest}, limit, limit}, scan.Chunk)
	}
	head, err := br.Peek(sniffed)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && len(head) == 0:
		return opened{}, err
	case bytes.HasPrefix(head, utf8BOM):
		_, err := br.Discard(len(utf8BOM))
		return opened{br, int64(len(utf8BOM)), stored}, err
	case bytes.HasPrefix(head, utf16LE), bytes.HasPrefix(head, utf16BE):
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		return opened{transform.NewReader(br, decoder), 0, false}, nil
	case bytes.IndexByte(head, 0) >= 0:
		return opened{}, errBinary
	}
	return opened{br, 0, stored}, nil
}

// unpacked reads the members of a gzip file one after the other, from the header of the
// first on. What follows them and is no gzip (padding of tapes and block devices, a line
// of a log) ends it, as in gzip itself: what was unpacked is whole.
type unpacked struct {
	from  *bufio.Reader
	zr    *gzip.Reader
	rest  func() // is called when something else follows
	ended error
}

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
