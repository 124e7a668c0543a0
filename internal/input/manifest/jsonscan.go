package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// scanner reads JSON by RFC 8259 from a window, without building values: what
// is not asked for costs no allocation. After an error the next byte of the
// window is the one that was wrong.
type scanner struct {
	w     *window
	depth int // of the values that are open
	limit int // that depth must not pass
	// token is the offset of the latest string or punctuation.
	token int64
	// open has the closing brackets of the values that skip is in.
	open []byte
	// inner is where another document seems to start inside of the value: see
	// document. It is 0 without, and noInner where none can; around is how many
	// brackets are open around it.
	inner  int64
	around int
	runOn
}

// noInner: what stands on lines of its own inside of the value belongs there.
const noInner = -1

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
				s.token = w.offset()
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
	if err != nil || from < w.base+int64(w.mark) {
		return nil, err
	}
	return w.slice(from, w.offset()), nil
}

// unquoted gives the value of a string that is valid.
func unquoted(quoted []byte) []byte {
	if len(quoted) == 0 {
		return nil
	}
	inner := quoted[1 : len(quoted)-1]
	for _, c := range inner {
		if c == '\\' || c >= utf8.RuneSelf {
			var value string
			_ = json.Unmarshal(quoted, &value)
			return []byte(value)
		}
	}
	return inner
}

// value passes any value but gives that of a string; anything else is empty.
func (s *scanner) value() (string, error) {
	c, err := s.next()
	if err == nil && c == '"' {
		text, err := s.quoted()
		return string(unquoted(text)), err
	}
	if err == nil {
		err = s.skip()
	}
	return "", err
}

// members passes an object, whose brace is the next byte; member is called
// for each key, with the scanner before the value, which it has to pass.
func (s *scanner) members(member func(key []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.next()
	for first := true; err == nil; first = false {
		if c == '}' && first {
			break
		}
		if err = s.member(c, member); err != nil {
			return err
		}
		if c, err = s.next(); err != nil || c == '}' {
			break
		}
		if c != ',' {
			return invalid(c, "after object key:value pair")
		}
		s.comma()
		c, err = s.next()
	}
	if err == nil {
		s.leave()
	}
	return err
}

// enter passes an opening bracket.
func (s *scanner) enter() error {
	if s.depth >= s.limit {
		return fmt.Errorf("%w: more than %d levels", ErrTooDeep, s.limit)
	}
	s.document()
	s.depth++
	s.w.pos++
	return nil
}

// document notes whether a document seems to start with the next byte, inside of
// another one: on a new line, without indentation. That alone is no mistake.
func (s *scanner) document() {
	w := s.w
	if s.depth == 0 || s.inner != 0 || w.pos == 0 || w.buf[w.pos-1] != '\n' || !w.startsWith("{") {
		return
	}
	if startsWithAny(bytes.TrimLeft(w.ahead(32)[1:], " \t\r\n"), firstKeys) {
		s.inner, s.around = w.offset(), s.depth
	}
}

// leave passes a closing bracket. What closes behind the inner document was open
// around it, which therefore belongs there.
func (s *scanner) leave() {
	s.depth--
	s.w.pos++
	if s.inner > 0 && s.depth < s.around {
		s.inner = noInner
	}
}

// comma passes a comma. Nothing but a value that belongs there has one behind it.
func (s *scanner) comma() {
	s.w.pos++
	if s.inner > 0 && s.depth == s.around {
		s.inner = noInner
	}
}

// member passes a key, which starts with c, and has its value passed.
func (s *scanner) member(c byte, member func(key []byte) error) error {
	if c != '"' {
		return invalid(c, "looking for beginning of object key string")
	}
	text, err := s.quoted()
	if err != nil {
		return err
	}
	key := unquoted(text)
	if c, ok := s.w.peekHeld(); !ok || c != ':' {
		key = bytes.Clone(key) // going on to the colon may read
	}
	if c, err = s.next(); err == nil && c != ':' {
		return invalid(c, "after object key")
	}
	if err != nil {
		return err
	}
	s.w.pos++
	return member(key)
}

func (s *scanner) colon() error {
	c, err := s.next()
	if err == nil && c != ':' {
		err = invalid(c, "after object key")
	}
	if err == nil {
		s.w.pos++
	}
	return err
}
