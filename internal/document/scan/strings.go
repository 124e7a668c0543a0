package scan

import (
	"encoding/binary"
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
func (s *Scanner) passString() {
	w := s.w
	w.pos++
	for s.odd = false; ; {
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
