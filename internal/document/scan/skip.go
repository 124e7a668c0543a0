package scan

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

var literals = map[byte]string{'t': "true", 'f': "false", 'n': "null"}

// passWord passes a number or literal that starts with c.
func (s *Scanner) passWord(c byte) {
	if s.err != nil {
		return
	}
	if c == '-' || isDigit(c) {
		s.passNumber(c)
		return
	}
	literal, found := literals[c]
	if !found {
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

func (s *Scanner) passNumber(c byte) {
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
func (s *Scanner) digits(where string) {
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
