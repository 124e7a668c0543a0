package manifest

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// scanner reads JSON by RFC 8259 from a window, without building values: what
// is not asked for costs no allocation. After an error the next byte of the
// window is the one that was wrong.
type scanner struct {
	w     *window
	depth int // of the values that are open
	limit int // that depth must not pass
	// distinct: no key is repeated in the text.
	distinct bool
	// open has the closing brackets of the values that skip is in.
	open []byte
}

// syntaxError reports what is wrong in the text.
type syntaxError struct{ message string }

func (e *syntaxError) Error() string { return e.message }

var errEnds = errors.New("the JSON ends in the middle of a value")

// scanBytes gives a scanner over a text that is held.
func scanBytes(text []byte) *scanner {
	w := newWindow(nil, 0, len(text))
	w.buf, w.err = text, errEnds
	return &scanner{w: w, limit: 1 << 30}
}

// end is the error where the text ends too early.
func (s *scanner) end() error {
	if err := s.w.failure(); err != nil {
		return err
	}
	return errEnds
}

func invalid(c byte, where string) error {
	return &syntaxError{fmt.Sprintf("invalid character %q %s", c, where)}
}

// next gives the next byte that is no space, without passing it.
func (s *scanner) next() (byte, error) {
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
func (s *scanner) passString() error {
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

func (s *scanner) passEscape() error {
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

// quoted passes a string and gives it with its quotes, valid until the window
// reads on; nil when it alone is more than the window keeps. The next byte is
// the opening quote.
func (s *scanner) quoted() ([]byte, error) {
	w := s.w
	from := w.offset()
	w.hold = w.pos
	err := s.passString()
	w.hold = -1
	if err != nil || !w.keeps(from) {
		return nil, err
	}
	return w.slice(from, w.offset()), nil
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
