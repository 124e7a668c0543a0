package scan

// Skip passes the next value, of any kind. It is where the time of reading a
// dump goes: one loop over the tokens, a byte of state for each open bracket.
func (s *Scanner) Skip() error {
	s.open = s.open[:0]
	for {
		c, err := s.Next()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			if err := s.enter(); err != nil {
				return err
			}
			s.open = append(s.open, c+2) // the closing bracket in ASCII
			empty, err := s.first()
			if err != nil {
				return err
			}
			if !empty {
				continue
			}
		case '"':
			if err := s.passString(); err != nil {
				return err
			}
		default:
			if err := s.passWord(c); err != nil {
				return err
			}
		}
		if more, err := s.after(); err != nil || !more {
			return err
		}
	}
}

// first goes to the first value in a bracket; true when there is none, with
// the bracket still to close.
func (s *Scanner) first() (empty bool, err error) {
	closing := s.open[len(s.open)-1]
	c, err := s.Next()
	if err != nil || c == closing {
		return true, err
	}
	if closing == '}' {
		return false, s.passKey(c)
	}
	return false, nil
}

// after goes from the end of a value to the next one, out of all brackets that
// close there; false when the outermost has closed.
func (s *Scanner) after() (more bool, err error) {
	for len(s.open) > 0 {
		closing := s.open[len(s.open)-1]
		c, err := s.Next()
		switch {
		case err != nil:
			return false, err
		case c == closing:
			s.leave()
			s.open = s.open[:len(s.open)-1]
		case c != ',' && closing == '}':
			return false, invalid(c, "after object key:value pair")
		case c != ',':
			return false, invalid(c, "after array element")
		case closing == ']':
			s.w.pos++
			return true, nil
		default:
			s.w.pos++
			if c, err = s.Next(); err != nil {
				return false, err
			}
			return true, s.passKey(c)
		}
	}
	return false, nil
}

func (s *Scanner) passKey(c byte) error {
	if c != '"' {
		return invalid(c, "looking for beginning of object key string")
	}
	if err := s.passString(); err != nil {
		return err
	}
	return s.colon()
}

var literals = map[byte]string{'t': "true", 'f': "false", 'n': "null"}

// passWord passes a number or literal that starts with c.
func (s *Scanner) passWord(c byte) error {
	if c == '-' || isDigit(c) {
		return s.passNumber(c)
	}
	literal, found := literals[c]
	if !found {
		return invalid(c, "looking for beginning of value")
	}
	for i := range len(literal) {
		c, ok := s.w.peek()
		if !ok {
			return s.end()
		}
		if c != literal[i] {
			return invalid(c, "in literal "+literal)
		}
		s.w.pos++
	}
	return nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (s *Scanner) passNumber(c byte) error {
	if c == '-' {
		s.w.pos++
		c, _ = s.w.peek()
	}
	if c == '0' {
		s.w.pos++
	} else if err := s.digits("in numeric literal"); err != nil {
		return err
	}
	if c, ok := s.w.peek(); ok && c == '.' {
		s.w.pos++
		if err := s.digits("after decimal point in numeric literal"); err != nil {
			return err
		}
	}
	if c, ok := s.w.peek(); ok && (c == 'e' || c == 'E') {
		s.w.pos++
		if c, ok := s.w.peek(); ok && (c == '+' || c == '-') {
			s.w.pos++
		}
		return s.digits("in exponent of numeric literal")
	}
	return nil
}

// digits passes one digit or more.
func (s *Scanner) digits(where string) error {
	for n := 0; ; n++ {
		c, ok := s.w.peek()
		switch {
		case ok && isDigit(c):
			s.w.pos++
		case n > 0:
			return nil
		case !ok:
			return s.end()
		default:
			return invalid(c, where)
		}
	}
}
