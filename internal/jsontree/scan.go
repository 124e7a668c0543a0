package jsontree

import (
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds the nesting that is read here; encoding/json judges the rest.
const maxDepth = 500

// scanner passes the tokens of a text. It fails, and is stopped, where the text
// is wrong, or has what is seldom seen and easily got wrong: halves of
// surrogate pairs, bytes that are no UTF-8.
type scanner struct {
	text   []byte
	at     int
	depth  int
	failed bool
	// scratch holds strings with escapes.
	scratch []byte
}

func (s *scanner) fail() { s.failed, s.at = true, len(s.text) }

// next passes spaces, and gives the byte behind them without passing it; 0 at
// the end.
func (s *scanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// pass passes a byte of punctuation.
func (s *scanner) pass(c byte) {
	if s.next() != c {
		s.fail()
		return
	}
	s.at++
}

func (s *scanner) word(text string) {
	if len(s.text)-s.at < len(text) || string(s.text[s.at:s.at+len(text)]) != text {
		s.fail()
		return
	}
	s.at += len(text)
}

// string passes a string, and gives its value: part of the text, or scratch
// that the next string overwrites.
func (s *scanner) string() []byte {
	if s.next() != '"' {
		s.fail()
		return nil
	}
	s.at++
	start, at := s.at, s.at
	for at < len(s.text) && ordinary[s.text[at]] {
		at++
	}
	s.at = at
	if at < len(s.text) && s.text[at] == '"' {
		s.at++
		return s.text[start:at]
	}
	return s.otherwise(start)
}

// otherwise goes on with a string at its first character that is not ordinary.
func (s *scanner) otherwise(start int) []byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			value := s.text[start:s.at]
			s.at++
			if !utf8.Valid(value) {
				s.fail()
			}
			return value
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			s.fail()
		default:
			s.at++
		}
	}
	s.fail()
	return nil
}

// ordinary are the characters that stand for themselves, in ASCII.
var ordinary = func() (is [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

// escaped goes on with a string at its first escape.
func (s *scanner) escaped(start int) []byte {
	s.scratch = append(s.scratch[:0], s.text[start:s.at]...)
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			if !utf8.Valid(s.scratch) {
				s.fail()
			}
			return s.scratch
		case c < ' ':
			s.fail()
		case c == '\\':
			s.escape()
		default:
			s.scratch = append(s.scratch, c)
		}
	}
	s.fail()
	return nil
}

func (s *scanner) escape() {
	if s.at == len(s.text) {
		s.fail()
		return
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case '"', '\\', '/':
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		s.rune()
		return
	default:
		s.fail()
		return
	}
	s.scratch = append(s.scratch, c)
}

// rune passes the four digits of an escape; halves of pairs are left to
// encoding/json.
func (s *scanner) rune() {
	if len(s.text)-s.at < 4 {
		s.fail()
		return
	}
	n, err := strconv.ParseUint(string(s.text[s.at:s.at+4]), 16, 16)
	if err != nil || n >= 0xd800 && n < 0xe000 {
		s.fail()
		return
	}
	s.at += 4
	s.scratch = utf8.AppendRune(s.scratch, rune(n))
}

// number passes a number, and gives its value: an int64 where it is an integer
// that fits, or else a float64.
func (s *scanner) number() any {
	start := s.at
	integer := s.digits()
	text := s.text[start:s.at]
	if s.failed {
		return nil
	}
	if integer {
		if n, ok := small(text); ok {
			return n
		}
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return n
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		s.fail()
	}
	return f
}

// digits passes a number by the grammar of JSON, and reports whether it is
// written as an integer.
func (s *scanner) digits() bool {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else {
		s.run()
	}
	integer := true
	if s.peek() == '.' {
		s.at++
		s.run()
		integer = false
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		s.run()
		integer = false
	}
	return integer
}

// run passes one digit or more.
func (s *scanner) run() {
	start := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	if s.at == start {
		s.fail()
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// small reads an integer of up to 18 digits.
func small(text []byte) (int64, bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}
