package plainyaml

import (
	"bytes"
	"unicode/utf8"
)

// line is one line of the text without its break.
type line struct {
	// indent counts the spaces in front; text is what follows them, without
	// spaces at the end. It is empty for a blank line.
	indent int
	text   []byte
	// raw is the whole line.
	raw []byte
}

func (l line) blank() bool   { return len(l.text) == 0 }
func (l line) comment() bool { return len(l.text) > 0 && l.text[0] == '#' }

// dash tells whether the line is an item of a sequence.
func (l line) dash() bool {
	return len(l.text) > 0 && l.text[0] == '-' && (len(l.text) == 1 || l.text[1] == ' ')
}

// lines reads a text line by line, with the next one in sight.
type lines struct {
	rest []byte
	line line
	// number is that of the line, counted from 1.
	number int
	// done is true behind the last line.
	done bool
}

// step goes to the next line.
func (s *lines) step() {
	if len(s.rest) == 0 {
		s.done, s.line = true, line{}
		return
	}
	s.number++
	raw := s.rest
	if i := bytes.IndexByte(raw, '\n'); i >= 0 {
		raw, s.rest = raw[:i], raw[i+1:]
	} else {
		s.rest = nil
	}
	indent := 0
	for indent < len(raw) && raw[indent] == ' ' {
		indent++
	}
	text := raw[indent:]
	for len(text) > 0 && text[len(text)-1] == ' ' {
		text = text[:len(text)-1]
	}
	s.line = line{indent: indent, text: text, raw: raw}
}

// content goes on to the first line that is neither blank nor a comment.
func (s *lines) content() {
	for !s.done && (s.line.blank() || s.line.comment()) {
		s.step()
	}
}

// readable tells whether a text has only characters that stand for themselves
// in YAML and that are no line breaks but \n: no tabs, no control characters,
// no breaks of Unicode.
func readable(text []byte) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' {
			continue
		}
		if c < utf8.RuneSelf {
			return false
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfffe && r <= 0xffff {
			return false
		}
		i += size - 1
	}
	return true
}
