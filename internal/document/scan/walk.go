package scan

import (
	"bytes"
	"fmt"
)

// Value passes any value but gives that of a string; anything else is empty.
func (s *Scanner) Value() (string, error) {
	c, err := s.Next()
	if err == nil && c == '"' {
		text, err := s.quoted()
		return string(unquoted(text)), err
	}
	if err == nil {
		err = s.Skip()
	}
	return "", err
}

// Word passes a number, true, false or null of a text that is held, and gives it.
func (s *Scanner) Word() (string, error) {
	from := s.w.Offset()
	c, err := s.Next()
	if err == nil {
		err = s.passWord(c)
	}
	return string(s.w.Slice(from, s.w.Offset())), err
}

// Members passes an object, whose brace is the next byte; member is called
// for each key, with the Scanner before the value, which it has to pass.
func (s *Scanner) Members(member func(key []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.Next()
	for first := true; err == nil; first = false {
		if c == '}' && first {
			break
		}
		if err = s.member(c, member); err != nil {
			return err
		}
		if c, err = s.Next(); err != nil || c == '}' {
			break
		}
		if c != ',' {
			return invalid(c, "after object key:value pair")
		}
		s.w.pos++
		c, err = s.Next()
	}
	if err == nil {
		s.leave()
	}
	return err
}

// Elements passes an array, whose bracket is the next byte; element is called
// for each element, with the Scanner before it, which it has to pass.
func (s *Scanner) Elements(element func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.Next()
	for first := true; err == nil; first = false {
		if c == ']' && first {
			break
		}
		if err = element(); err != nil {
			return err
		}
		if c, err = s.Next(); err != nil || c == ']' {
			break
		}
		if c != ',' {
			return invalid(c, "after array element")
		}
		s.w.pos++
		c, err = s.Next()
	}
	if err == nil {
		s.leave()
	}
	return err
}

// enter passes an opening bracket.
func (s *Scanner) enter() error {
	if s.depth >= s.limit {
		return fmt.Errorf("%w: more than %d levels", ErrTooDeep, s.limit)
	}
	s.depth++
	s.w.pos++
	return nil
}

// leave passes a closing bracket.
func (s *Scanner) leave() {
	s.depth--
	s.w.pos++
}

// member passes a key, which starts with c, and has its value passed.
func (s *Scanner) member(c byte, member func(key []byte) error) error {
	if c != '"' {
		return invalid(c, "looking for beginning of object key string")
	}
	s.key = s.w.Offset()
	text, err := s.quoted()
	if err != nil {
		return err
	}
	key := unquoted(text)
	if c, ok := s.w.peekHeld(); !ok || c != ':' {
		key = bytes.Clone(key) // going on to the colon may read
	}
	if c, err = s.Next(); err == nil && c != ':' {
		return invalid(c, "after object key")
	}
	if err != nil {
		return err
	}
	s.w.pos++
	return member(key)
}

func (s *Scanner) colon() error {
	c, err := s.Next()
	if err == nil && c != ':' {
		err = invalid(c, "after object key")
	}
	if err == nil {
		s.w.pos++
	}
	return err
}
