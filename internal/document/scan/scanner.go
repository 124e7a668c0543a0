package scan

import (
	"bytes"
	"errors"
	"fmt"
)

// Scanner reads JSON by RFC 8259 from a window, without building values: what is not
// asked for costs no allocation. The first error ends it: nothing is passed from then on,
// and the next byte of the window is the one that was wrong.
type Scanner struct {
	w     *Window
	err   error
	depth int // of the values that are open
	limit int // that depth must not pass
	key   int64
	// open has the closing brackets of the values that Skip is in.
	open []byte
	// odd: the string that was passed last has escapes, or more than ASCII; scratch holds
	// its value.
	odd     bool
	scratch []byte
}

// ErrTooDeep says that a text is nested deeper than it may be.
var ErrTooDeep = errors.New("nested too deeply")

// ErrEnds says that a text ends too early.
var ErrEnds = errors.New("the JSON ends in the middle of a value")

// SyntaxError reports what is wrong in the text.
type SyntaxError struct{ message string }

func (e *SyntaxError) Error() string { return e.message }

// New is a scanner of what is in a window, which may have so many levels.
func New(w *Window, levels int) *Scanner { return &Scanner{w: w, limit: levels} }

// Bytes is a scanner of a text that is held, which may have so many levels.
func Bytes(text []byte, levels int) *Scanner {
	s := New(new(Window), levels)
	s.Reset(text)
	return s
}

// AnyDepth is for texts that nobody limits.
const AnyDepth = 1 << 30

// Reset begins with another text that is held.
func (s *Scanner) Reset(text []byte) {
	*s.w = Window{buf: text, line: 1, max: len(text), hold: -1, err: ErrEnds}
	s.err, s.depth = nil, 0
}

// Restart begins with the value that is next, whatever came before it.
func (s *Scanner) Restart() { s.err, s.depth = nil, 0 }

// Within limits the levels below the values that are open, for as long as pass takes.
func (s *Scanner) Within(levels int, pass func()) {
	outer := s.limit
	s.limit = s.depth + levels
	pass()
	s.limit = outer
}

// Err is what ended the scanner; nil as long as nothing did.
func (s *Scanner) Err() error { return s.err }

// Fail ends the scanner with an error.
func (s *Scanner) Fail(err error) { s.err = err }

// Offset is the place of the next byte in the text.
func (s *Scanner) Offset() int { return int(s.w.Offset()) }

// KeyOffset is the place of the key at hand.
func (s *Scanner) KeyOffset() int { return int(s.key) }

// Line is that of the next byte.
func (s *Scanner) Line() int { return s.w.LineNo() }

// Done passes spaces, and reports whether a text that is held ends there.
func (s *Scanner) Done() bool {
	if s.err == nil {
		s.Next()
		return errors.Is(s.err, ErrEnds)
	}
	return false
}

// ends is the error where the text ends too early.
func (s *Scanner) ends() {
	if s.err = s.w.Failure(); s.err == nil {
		s.err = ErrEnds
	}
}

func (s *Scanner) invalid(c byte, where string) {
	s.err = &SyntaxError{fmt.Sprintf("invalid character %q %s", c, where)}
}

// Next gives the next byte that is no space, without passing it; 0 after an error, and at
// the end, which is one.
func (s *Scanner) Next() byte {
	if w := s.w; s.err == nil && w.pos < len(w.buf) && w.buf[w.pos] > ' ' {
		return w.buf[w.pos]
	}
	return s.pastSpaces()
}

func (s *Scanner) pastSpaces() byte {
	for w := s.w; s.err == nil; {
		for i, c := range w.buf[w.pos:] {
			if c > ' ' || !isSpace(c) {
				w.pos += i
				return c
			}
		}
		w.pos = len(w.buf)
		if !w.fill() {
			s.ends()
		}
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// peek gives the next byte; the end is an error.
func (s *Scanner) peek() byte {
	c, ok := s.w.peek()
	if !ok {
		s.ends()
	}
	return c
}

// enter passes an opening bracket.
func (s *Scanner) enter() {
	if s.depth >= s.limit {
		s.err = fmt.Errorf("%w: more than %d levels", ErrTooDeep, s.limit)
		return
	}
	s.depth++
	s.w.pos++
}

// Begin passes an opening bracket, and reports whether there is anything in it: what is
// empty is passed.
func (s *Scanner) Begin(closing byte) bool {
	if s.Next(); s.err == nil {
		s.enter()
	}
	if s.Next() == closing {
		s.leave()
		return false
	}
	return s.err == nil
}

// More goes from the end of a value in brackets to the next one; false where they close,
// which is passed.
func (s *Scanner) More(closing byte) bool {
	switch c := s.Next(); {
	case s.err != nil:
	case c == ',':
		s.w.pos++
		if c, held := s.w.peekHeld(); !held || c <= ' ' {
			s.Next()
		}
		return s.err == nil
	case c == closing:
		s.leave()
	case closing == '}':
		s.invalid(c, "after object key:value pair")
	default:
		s.invalid(c, "after array element")
	}
	return false
}

func (s *Scanner) leave() {
	s.depth--
	s.w.pos++
}

// Members passes an object, whose brace is the next byte; member is called
// for each key, with the scanner before the value, which it has to pass.
func (s *Scanner) Members(member func(key []byte)) {
	for more := s.Begin('}'); more; more = s.More('}') {
		if key := s.Key(); s.err == nil {
			member(key)
		}
	}
}

// Elements passes an array, whose bracket is the next byte; element is called
// for each element, with the scanner before it, which it has to pass.
func (s *Scanner) Elements(element func()) {
	for more := s.Begin(']'); more; more = s.More(']') {
		element()
	}
}

// Key passes a key with its colon, and gives it, valid until the scanner goes on.
func (s *Scanner) Key() []byte {
	if !s.atKey() {
		return nil
	}
	s.key = s.w.Offset()
	key := s.text()
	if !s.atColon() {
		key = bytes.Clone(key) // going on to the colon may read
	}
	s.colon()
	return key
}

func (s *Scanner) atKey() bool {
	if c := s.Next(); s.err == nil && c != '"' {
		s.invalid(c, "looking for beginning of object key string")
	}
	return s.err == nil
}

func (s *Scanner) atColon() bool {
	c, held := s.w.peekHeld()
	return held && c == ':' && s.err == nil
}

func (s *Scanner) colon() {
	if !s.atColon() {
		if c := s.Next(); s.err == nil && c != ':' {
			s.invalid(c, "after object key")
		}
	}
	if s.err == nil {
		s.w.pos++
	}
}
