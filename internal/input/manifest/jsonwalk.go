package manifest

import (
	"bytes"
	"fmt"
)

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
		s.w.pos++
		c, err = s.next()
	}
	if err == nil {
		s.leave()
	}
	return err
}

// elements passes an array, whose bracket is the next byte; element is called
// for each element, with the scanner before it, which it has to pass.
func (s *scanner) elements(element func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	c, err := s.next()
	for first := true; err == nil; first = false {
		if c == ']' && first {
			break
		}
		if err = element(); err != nil {
			return err
		}
		if c, err = s.next(); err != nil || c == ']' {
			break
		}
		if c != ',' {
			return invalid(c, "after array element")
		}
		s.w.pos++
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
	s.depth++
	s.w.pos++
	return nil
}

// leave passes a closing bracket.
func (s *scanner) leave() {
	s.depth--
	s.w.pos++
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
