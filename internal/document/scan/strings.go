package scan

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text gives the value of a string and passes it, valid until the scanner goes on. Nothing
// is given of one that alone is more than the window keeps.
func (s *Scanner) Text() []byte {
	if c := s.Next(); s.err == nil && c != '"' {
		s.invalid(c, "looking for beginning of string")
	}
	if s.err != nil {
		return nil
	}
	return s.text()
}

// Value passes any value but gives that of a string; anything else is empty.
func (s *Scanner) Value() string {
	if s.Next() == '"' {
		return string(s.text())
	}
	s.Skip()
	return ""
}

// Word passes a number, true, false or null, and gives it, valid until the scanner goes on.
func (s *Scanner) Word() []byte {
	c := s.Next()
	return s.token(func() { s.passWord(c) })
}

// text passes the string that is the next byte, and gives its value.
func (s *Scanner) text() []byte {
	w := s.w
	held := w.buf[w.pos+1:]
	for i, c := range held {
		if c == '"' {
			w.pos += i + 2
			return held[:i]
		}
		if c >= utf8.RuneSelf || !stringPart[c] {
			break
		}
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
func (s *Scanner) token(pass func()) []byte {
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

// stringPart has the bytes that stand for themselves in a string.
var stringPart = func() (part [256]bool) {
	for c := range part {
		part[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return part
}()

// passString passes a string whose opening quote is the next byte.
func (s *Scanner) passString() {
	w := s.w
	w.pos++
	for s.odd = false; ; {
		i, all := w.pos, byte(0)
		for i < len(w.buf) && stringPart[w.buf[i]] {
			all |= w.buf[i]
			i++
		}
		w.pos = i
		s.odd = s.odd || all >= utf8.RuneSelf
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
		}
	}
}

func (s *Scanner) passEscape() {
	s.odd = true
	s.w.pos++
	c := s.peek()
	switch {
	case s.err != nil:
	case c == 'u':
		s.w.pos++
		s.passHex()
	case strings.IndexByte(escapes, c) >= 0:
		s.w.pos++
	default:
		s.invalid(c, "in string escape code")
	}
}

func (s *Scanner) passHex() {
	for range 4 {
		c := s.peek()
		if s.err == nil && !isHex(c) {
			s.invalid(c, `in \u hexadecimal character escape`)
		}
		if s.err != nil {
			return
		}
		s.w.pos++
	}
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
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
