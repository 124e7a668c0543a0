package scan

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Scanner reads JSON by RFC 8259 from a Window, without building values: what
// is not asked for costs no allocation. After an error the next byte of the
// Window is the one that was wrong.
type Scanner struct {
	w     *Window
	depth int // of the values that are open
	limit int // that depth must not pass
	key   int64
	// open has the closing brackets of the values that skip is in.
	open []byte
}

// ErrTooDeep says that a text is nested deeper than it may be.
var ErrTooDeep = errors.New("nested too deeply")

// SyntaxError reports what is wrong in the text.
type SyntaxError struct{ message string }

func (e *SyntaxError) Error() string { return e.message }

// ErrEnds says that a text ends too early.
var ErrEnds = errors.New("the JSON ends in the middle of a value")

// New is a scanner of what is in a window, which may have so many levels.
func New(w *Window, levels int) *Scanner { return &Scanner{w: w, limit: levels} }

// Bytes is a scanner of a text that is held.
func Bytes(text []byte) *Scanner {
	w := NewWindow(nil, 0, len(text))
	w.buf, w.err = text, ErrEnds
	return New(w, 1<<30)
}

// Restart begins with a text of its own, which may have so many levels.
func (s *Scanner) Restart(levels int) { s.depth, s.limit = 0, levels }

// Within limits the levels of what is below the values that are open, for as long as pass
// takes.
func (s *Scanner) Within(levels int, pass func() error) error {
	outer := s.limit
	s.limit = s.depth + levels
	err := pass()
	s.limit = outer
	return err
}

// Offset is the place of the next byte in the text.
func (s *Scanner) Offset() int { return int(s.w.Offset()) }

// KeyOffset is the place of the key at hand.
func (s *Scanner) KeyOffset() int { return int(s.key) }

// Line is that of the next byte.
func (s *Scanner) Line() int { return s.w.LineNo() }

// end is the error where the text ends too early.
func (s *Scanner) end() error {
	if err := s.w.Failure(); err != nil {
		return err
	}
	return ErrEnds
}

func invalid(c byte, where string) error {
	return &SyntaxError{fmt.Sprintf("invalid character %q %s", c, where)}
}

// Next gives the next byte that is no space, without passing it.
func (s *Scanner) Next() (byte, error) {
	w := s.w
	for {
		for i, c := range w.buf[w.pos:] {
			if c > ' ' || !isSpace(c) {
				w.pos += i
				return c, nil
			}
		}
		w.pos = len(w.buf)
		if !w.fill() {
			return 0, s.end()
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// stringPart has the bytes that stand for themselves in a string.
var stringPart = func() (part [256]bool) {
	for c := range part {
		part[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return part
}()

// passString passes a string whose opening quote is the next byte.
func (s *Scanner) passString() error {
	w := s.w
	w.pos++
	for {
		i := w.pos
		for i < len(w.buf) && stringPart[w.buf[i]] {
			i++
		}
		w.pos = i
		c, ok := w.peek()
		switch {
		case !ok:
			return s.end()
		case c == '"':
			w.pos++
			return nil
		case c == '\\':
			if err := s.passEscape(); err != nil {
				return err
			}
		case c < ' ':
			return invalid(c, "in string literal")
		}
	}
}

func (s *Scanner) passEscape() error {
	s.w.pos++
	c, ok := s.w.peek()
	if !ok {
		return s.end()
	}
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.w.pos++
		return nil
	case 'u':
		s.w.pos++
		for range 4 {
			if c, ok = s.w.peek(); !ok {
				return s.end()
			}
			if !isHex(c) {
				return invalid(c, `in \u hexadecimal character escape`)
			}
			s.w.pos++
		}
		return nil
	}
	return invalid(c, "in string escape code")
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// quoted passes a string and gives it with its quotes, valid until the Window
// reads on; nil when it alone is more than the Window keeps. The next byte is
// the opening quote.
func (s *Scanner) quoted() ([]byte, error) {
	w := s.w
	from := w.Offset()
	w.hold = w.pos
	err := s.passString()
	w.hold = -1
	if err != nil || !w.Keeps(from) {
		return nil, err
	}
	return w.Slice(from, w.Offset()), nil
}

// unquoted gives the value of a string that is valid.
func unquoted(quoted []byte) []byte {
	if len(quoted) == 0 {
		return nil
	}
	if text, ok := jsontree.Unquote(quoted); ok {
		return text
	}
	var value string
	_ = json.Unmarshal(quoted, &value)
	return []byte(value)
}
