// Package scan reads texts of any size through a window that holds only what is needed:
// line by line, or JSON by its tokens. JSON is read by RFC 8259 without building values,
// and FuzzSkip has it accept what encoding/json accepts: that has a Decoder, which takes
// 4.2 times as long to cut the items out of an indented List without saying who they are
// (BenchmarkDecoder of input/manifest, beside BenchmarkRead/json_list/none), and holds a
// value of any size in memory, wanted or not.
//
//	window.go   the text that is held
//	lexer.go    strings, numbers and literals
//	scanner.go  values, with their brackets and keys
package scan

import (
	"bytes"
	"errors"
	"fmt"
)

// Scanner reads JSON by RFC 8259 from a window, without building values: what is not
// asked for costs no allocation.
type Scanner struct {
	lexer
	depth int // of the values that are open
	limit int // that depth must not pass
	key   int64
	// open has the closing brackets of the values that Skip is in.
	open []byte
}

// ErrTooDeep says that a text is nested deeper than it may be.
var ErrTooDeep = errors.New("nested too deeply")

// ErrEnds says that a text ends too early.
var ErrEnds = errors.New("the JSON ends in the middle of a value")

// SyntaxError reports what is wrong in the text.
type SyntaxError struct{ message string }

func (e *SyntaxError) Error() string { return e.message }

// New is a scanner of what is in a window, which may have so many levels.
func New(w *Window, levels int) *Scanner { return &Scanner{lexer: lexer{w: w}, limit: levels} }

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

// KeyOffset is the place of the key at hand.
func (s *Scanner) KeyOffset() int { return int(s.key) }

// Done passes spaces, and reports whether a text that is held ends there.
func (s *Scanner) Done() bool {
	ended := s.err != nil
	s.Next()
	return !ended && errors.Is(s.err, ErrEnds)
}

// Begin passes an opening bracket, and reports whether there is anything in it: what is
// empty is passed.
func (s *Scanner) Begin(closing byte) bool {
	if s.Next(); s.err == nil && s.depth >= s.limit {
		s.err = fmt.Errorf("%w: more than %d levels", ErrTooDeep, s.limit)
	}
	if s.err == nil {
		s.depth++
		s.w.pos++
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

// Skip passes the next value, of any kind. It is where the time of reading a
// dump goes: one loop over the tokens, a byte of state for each open bracket.
func (s *Scanner) Skip() {
	for s.open = s.open[:0]; s.err == nil; {
		switch c := s.Next(); c {
		case '{', '[':
			closing := c + 2 // in ASCII
			if s.Begin(closing) {
				s.open = append(s.open, closing)
				s.passKey(closing)
				continue
			}
		case '"':
			s.passString()
		default:
			s.passWord(c)
		}
		if !s.after() {
			return
		}
	}
}

// after goes from the end of a value to the next one, out of all brackets that
// close there; false when the outermost has closed.
func (s *Scanner) after() bool {
	for len(s.open) > 0 {
		closing := s.open[len(s.open)-1]
		if s.More(closing) {
			s.passKey(closing)
			return true
		}
		if s.err != nil {
			return false
		}
		s.open = s.open[:len(s.open)-1]
	}
	return false
}

// passKey passes a key in braces.
func (s *Scanner) passKey(closing byte) {
	if closing == '}' && s.atKey() {
		if s.passString(); s.err == nil {
			s.colon()
		}
	}
}
