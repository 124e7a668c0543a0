package manifest

import "errors"

// runOn notices where an item of a List runs on into the next ones because a
// bracket is missing: an object starts inside of it at the very indentation
// that the items of the List have. That alone is no mistake in JSON. It counts
// when the item does not end well, or grows too large.
type runOn struct {
	indent  int   // of the items; 0 when they have none, and nothing is noticed
	suspect int64 // where such an object starts first; 0 without
	most    int64 // offset that an item with a suspect must not pass
}

var errRunsOn = errors.New("not JSON: a closing bracket is missing, so that the next item starts inside of this one")

// item starts an item of which at most max bytes can be held.
func (r *runOn) item(indent int, from int64, max int) {
	r.indent, r.suspect, r.most = indent, 0, from+int64(max)
}

// element looks at the indentation of the next byte, which starts an object.
func (s *scanner) element() error {
	before := s.w.pos - 1 - s.indent
	if before < 0 || s.w.buf[before] != '\n' || s.open[len(s.open)-1] != ']' {
		return nil
	}
	if s.suspect == 0 {
		s.suspect = s.w.offset()
	}
	if s.w.offset() > s.most {
		return errRunsOn
	}
	return nil
}

// endsItem checks what follows an item that has a suspect.
func (s *scanner) endsItem() error {
	if s.suspect == 0 {
		return nil
	}
	if c, err := s.next(); err != nil || c != ',' && c != ']' {
		return errRunsOn
	}
	return nil
}
