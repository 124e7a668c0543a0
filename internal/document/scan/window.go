package scan

import (
	"bytes"
	"errors"
	"io"
)

// Chunk is how much is read at once.
const Chunk = 64 << 10

// roomy is how large a buffer may be whatever it holds.
const roomy = 1 << 20

// Window reads a text through a buffer that keeps the bytes since mark. When
// these grow beyond max, they are dropped and Lost says so: the reader
// goes on without them, so that one document too many costs only itself.
type Window struct {
	r       io.Reader
	buf     []byte
	pos     int // next byte in buf
	mark    int // first byte that is kept
	hold    int // first byte of the token at hand, -1 without: dropped last
	base    int64
	line    int // line at counted, from 1
	counted int // byte in buf up to which line ends are in line
	max     int
	lost    bool // bytes since mark were dropped
	err     error
}

// NewWindow is the window of a text whose first byte is at base. Up to max bytes are kept
// behind the mark.
func NewWindow(r io.Reader, base int64, max int) *Window {
	return &Window{r: r, base: base, line: 1, max: max, hold: -1}
}

// Expect makes room for a text of so many bytes, as far as a document or two may need it:
// a buffer that grows is copied, and leaves what it was as garbage.
func (w *Window) Expect(size int64) {
	w.buf = make([]byte, 0, int(min(size, 2*roomy))+2*Chunk)
}

// Offset is the place of the next byte in the text.
func (w *Window) Offset() int64 { return w.base + int64(w.pos) }

// Start marks the next byte as the first to keep.
func (w *Window) Start() int64 {
	w.mark, w.lost = w.pos, false
	return w.Offset()
}

// Lost reports whether bytes since the mark were dropped.
func (w *Window) Lost() bool { return w.lost }

// Held gives the bytes since the mark, with those behind the next one: at least so many,
// as far as the text has them.
func (w *Window) Held(n int) []byte {
	for len(w.buf)-w.mark < n && w.fill() {
	}
	return w.buf[w.mark:]
}

// Ended reports whether all of the text was read, as far as it can be.
func (w *Window) Ended() bool { return w.err != nil }

// Release lets go of the bytes before an offset.
func (w *Window) Release(to int64) { w.mark = max(w.mark, int(to-w.base)) }

// Slice gives the bytes of a range that lies within what is kept. They are
// valid until the Window reads on.
func (w *Window) Slice(from, to int64) []byte {
	return w.buf[from-w.base : to-w.base]
}

// Keeps reports whether the bytes from an offset on are kept.
func (w *Window) Keeps(from int64) bool { return from >= w.base+int64(w.mark) }

// Kept gives the bytes since the mark.
func (w *Window) Kept() []byte { return w.buf[w.mark:w.pos] }

// LineNo is the line of the next byte.
func (w *Window) LineNo() int {
	w.count(w.pos)
	return w.line
}

func (w *Window) count(to int) {
	if to > w.counted {
		w.line += bytes.Count(w.buf[w.counted:to], newline)
		w.counted = to
	}
}

// Back goes back to an offset that is kept.
func (w *Window) Back(to int64) {
	w.pos = int(to - w.base)
	if w.pos < w.counted {
		w.line -= bytes.Count(w.buf[w.pos:w.counted], newline)
		w.counted = w.pos
	}
}

var newline = []byte{'\n'}

// fill reads more bytes; false at the end of the text or after a read error,
// which w.err tells.
func (w *Window) fill() bool {
	if w.err != nil {
		return false
	}
	if w.pos-w.mark > w.max {
		w.mark, w.lost = w.pos, true
		if w.hold >= 0 && w.pos-w.hold <= w.max {
			w.mark = w.hold
		}
	}
	w.makeRoom()
	for range 100 {
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			w.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.err = io.ErrNoProgress
	return false
}

func (w *Window) makeRoom() {
	if w.mark > 0 && (w.mark == len(w.buf) || cap(w.buf)-len(w.buf) < Chunk) {
		w.count(w.mark)
		n := copy(w.buf, w.buf[w.mark:])
		w.buf = w.buf[:n]
		w.base += int64(w.mark)
		w.pos -= w.mark
		w.counted -= w.mark
		w.hold = max(w.hold-w.mark, -1)
		w.mark = 0
		// A buffer that grew by far more than is kept is let go of: the start of a List is
		// held in full, and what comes after only an item at a time.
		if cap(w.buf) > roomy && len(w.buf) < cap(w.buf)/16 {
			w.buf = append(make([]byte, 0, 2*len(w.buf)+2*Chunk), w.buf...)
		}
	}
	if cap(w.buf)-len(w.buf) >= Chunk {
		return
	}
	grown := make([]byte, len(w.buf), 2*cap(w.buf)+2*Chunk)
	copy(grown, w.buf)
	w.buf = grown
}

// peek gives the next byte; false at the end.
func (w *Window) peek() (byte, bool) {
	if w.pos < len(w.buf) || w.fill() {
		return w.buf[w.pos], true
	}
	return 0, false
}

// peekHeld gives the next byte if that needs no reading.
func (w *Window) peekHeld() (byte, bool) {
	if w.pos < len(w.buf) {
		return w.buf[w.pos], true
	}
	return 0, false
}

// Ahead gives the next n bytes, fewer at the end of the text.
func (w *Window) Ahead(n int) []byte {
	for len(w.buf)-w.pos < n && w.fill() {
	}
	return w.buf[w.pos:min(w.pos+n, len(w.buf))]
}

// StartsWith reports whether the next bytes are a text.
func (w *Window) StartsWith(text string) bool {
	return string(w.Ahead(len(text))) == text
}

// StartsLine reports whether the next byte is the first of a line that is kept.
func (w *Window) StartsLine() bool { return w.pos > w.mark && w.buf[w.pos-1] == '\n' }

// ReadLine gives the next line with its line end, io.EOF after the last. Of a
// line longer than the limit only the end is given, and w.lost is set. The
// line is valid until the next read.
func (w *Window) ReadLine() ([]byte, error) {
	from, searched := w.Offset(), w.pos
	for {
		if i := bytes.IndexByte(w.buf[searched:], '\n'); i >= 0 {
			w.pass(searched + i + 1)
			return w.buf[max(int(from-w.base), w.mark):w.pos], nil
		}
		w.pos = len(w.buf)
		if !w.fill() {
			break
		}
		searched = w.pos
	}
	rest := w.buf[max(int(from-w.base), w.mark):]
	if len(rest) > 0 || w.Offset() > from {
		return rest, nil
	}
	return nil, w.err
}

// pass goes to the line that starts at to. The line before is the one at hand.
func (w *Window) pass(to int) {
	if w.counted == w.pos {
		w.line++
		w.counted = to
	}
	w.pos = to
}

// PassLines passes the lines at hand that start with so many spaces, as far as they
// are in the buffer, and that end at most bytes from here.
func (w *Window) PassLines(spaces, most int) {
	for end := w.pos + min(most, len(w.buf)-w.pos); Spaced(w.buf[w.pos:end], spaces); {
		i := bytes.IndexByte(w.buf[w.pos:end], '\n')
		if i < 0 {
			return
		}
		w.pass(w.pos + i + 1)
	}
}

// Spaced reports whether a line starts with so many spaces.
func Spaced(line []byte, spaces int) bool {
	for i := range spaces {
		if i >= len(line) || line[i] != ' ' {
			return false
		}
	}
	return true
}

// Failure is the read error, if there was one.
func (w *Window) Failure() error {
	if w.err == nil || errors.Is(w.err, io.EOF) {
		return nil
	}
	return w.err
}
