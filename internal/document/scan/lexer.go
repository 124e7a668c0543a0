package scan

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lexer passes the words of JSON: strings, numbers, literals and the spaces before them.
// The first error ends it: nothing is passed from then on, and the next byte of the window
// is the one that was wrong.
type lexer struct {
	w   *Window
	err error
	// odd: the string that was passed last has escapes, or more than ASCII; scratch holds
	// its value.
	odd     bool
	scratch []byte
}

// Err is what ended the scanner; nil as long as nothing did.
func (s *lexer) Err() error { return s.err }

// Fail ends the scanner with an error.
func (s *lexer) Fail(err error) { s.err = err }

// Offset is the place of the next byte in the text.
func (s *lexer) Offset() int { return int(s.w.Offset()) }

// Line is that of the next byte.
func (s *lexer) Line() int { return s.w.LineNo() }

// ends is the error where the text ends too early.
func (s *lexer) ends() {
	if s.err = s.w.Failure(); s.err == nil {
		s.err = ErrEnds
	}
}

func (s *lexer) invalid(c byte, where string) {
	s.err = &SyntaxError{fmt.Sprintf("invalid character %q %s", c, where)}
}

// Next gives the next byte that is no space, without passing it; 0 after an error, and at
// the end, which is one.
func (s *lexer) Next() byte {
	if w := s.w; s.err == nil && w.pos < len(w.buf) && w.buf[w.pos] > ' ' {
		return w.buf[w.pos]
	}
	return s.pastSpaces()
}

func (s *lexer) pastSpaces() byte {
	for w := s.w; s.err == nil; {
		for i, c := range w.buf[w.pos:] {
			if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
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

// peek gives the next byte; the end is an error.
func (s *lexer) peek() byte {
	c, ok := s.w.peek()
	if !ok {
		s.ends()
	}
	return c
}

// text passes the string that is the next byte, and gives its value.
func (s *lexer) text() []byte {
	w := s.w
	if i := plainEnd(w.buf, w.pos+1); i < len(w.buf) && w.buf[i] == '"' {
		text := w.buf[w.pos+1 : i]
		w.pos = i + 1
		return text
	}
	quoted := s.token(s.passString)
	switch {
	case len(quoted) == 0:
		return nil
	case !s.odd:
		return quoted[1 : len(quoted)-1]
	}
	var ok bool
	if s.scratch, ok = appendUnescaped(s.scratch[:0], quoted[1:len(quoted)-1]); ok && utf8.Valid(s.scratch) {
		return s.scratch
	}
	var value string
	_ = json.Unmarshal(quoted, &value)
	return []byte(value)
}

// token gives what is passed; nil where it alone is more than the window keeps.
func (s *lexer) token(pass func()) []byte {
	w := s.w
	from := w.Offset()
	w.hold = w.pos
	pass()
	w.hold = -1
	if s.err != nil || !w.Keeps(from) {
		return nil
	}
	return w.Slice(from, w.Offset())
}

// plainEnd is where the characters end that stand for themselves in a string, of ASCII.
func plainEnd(text []byte, i int) int {
	for i+8 <= len(text) && plain(binary.LittleEndian.Uint64(text[i:])) {
		i += 8
	}
	for i < len(text) && text[i] >= ' ' && text[i] < utf8.RuneSelf && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// plain reports whether eight bytes surely are such characters: one that is not sets a
// high bit, and may set that of the byte behind it.
func plain(eight uint64) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := eight^'"'*each, eight^'\\'*each
	return (eight|(eight-' '*each)|(quote-each)&^quote|(slash-each)&^slash)&high == 0
}

// passString passes a string whose opening quote is the next byte.
func (s *lexer) passString() {
	w := s.w
	w.pos++
	for s.odd = false; s.err == nil; {
		w.pos = plainEnd(w.buf, w.pos)
		switch c := s.peek(); {
		case s.err != nil:
			return
		case c == '"':
			w.pos++
			return
		case c == '\\':
			s.passEscape()
		case c < ' ':
			s.invalid(c, "in string literal")
		default:
			s.odd = true
			w.pos++
		}
	}
}

func (s *lexer) passEscape() {
	s.odd = true
	s.w.pos++
	switch c := s.peek(); {
	case s.err != nil:
	case strings.IndexByte(escapes+"u", c) < 0:
		s.invalid(c, "in string escape code")
	default:
		s.w.pos++
		for i := 0; c == 'u' && i < 4 && s.err == nil; i++ {
			if digit := s.peek(); s.err == nil && strings.IndexByte("0123456789abcdefABCDEF", digit) < 0 {
				s.invalid(digit, `in \u hexadecimal character escape`)
			} else if s.err == nil {
				s.w.pos++
			}
		}
	}
}

// escapes are the characters that may follow a backslash, and what they stand for.
const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t"
)

// appendUnescaped appends the value of a valid string; false where it has half of a
// surrogate pair.
func appendUnescaped(to, text []byte) ([]byte, bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			to = append(to, text[i])
			continue
		}
		if i++; text[i] != 'u' {
			to = append(to, escaped[strings.IndexByte(escapes, text[i])])
			continue
		}
		n, _ := strconv.ParseUint(string(text[i+1:i+5]), 16, 16)
		if n >= 0xd800 && n < 0xe000 {
			return to, false
		}
		to = utf8.AppendRune(to, rune(n))
		i += 4
	}
	return to, true
}

// passWord passes a number or literal that starts with c.
func (s *lexer) passWord(c byte) {
	literal := ""
	switch {
	case s.err != nil:
		return
	case c == '-', isDigit(c):
		s.passNumber(c)
		return
	case c == 't':
		literal = "true"
	case c == 'f':
		literal = "false"
	case c == 'n':
		literal = "null"
	default:
		s.invalid(c, "looking for beginning of value")
	}
	for i := 0; i < len(literal) && s.err == nil; i++ {
		if c := s.peek(); s.err == nil && c != literal[i] {
			s.invalid(c, "in literal "+literal)
		} else if s.err == nil {
			s.w.pos++
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *lexer) passNumber(c byte) {
	w := s.w
	if c == '-' {
		w.pos++
		c, _ = w.peek()
	}
	if c == '0' {
		w.pos++
	} else {
		s.digits("in numeric literal")
	}
	if c, ok := w.peek(); ok && c == '.' && s.err == nil {
		w.pos++
		s.digits("after decimal point in numeric literal")
	}
	if c, ok := w.peek(); ok && (c == 'e' || c == 'E') && s.err == nil {
		w.pos++
		if c, ok := w.peek(); ok && (c == '+' || c == '-') {
			w.pos++
		}
		s.digits("in exponent of numeric literal")
	}
}

// digits passes one digit or more.
func (s *lexer) digits(where string) {
	for n := 0; ; n++ {
		c, ok := s.w.peek()
		switch {
		case ok && isDigit(c):
			s.w.pos++
			continue
		case n > 0:
		case !ok:
			s.ends()
		default:
			s.invalid(c, where)
		}
		return
	}
}
