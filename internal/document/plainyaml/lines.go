package plainyaml

import (
	"bytes"
	"encoding/binary"
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

// dash reports whether the line is an item of a sequence.
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
	// tabs is true for a text that has some. They are read in block scalars and
	// nowhere else: tabbed is true once another line with one was passed.
	tabs, tabbed bool
}

// step goes to the next line.
func (s *lines) step() {
	if s.tabs && bytes.IndexByte(s.line.raw, '\t') >= 0 {
		s.tabbed = true
	}
	s.stepInside()
}

// stepInside goes to the next line from one of a block scalar.
func (s *lines) stepInside() {
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
	end := len(raw)
	for end > indent && raw[end-1] == ' ' {
		end--
	}
	s.line = line{indent: indent, text: raw[indent:end], raw: raw}
}

// content goes on to the first line that is neither blank nor a comment.
func (s *lines) content() {
	for !s.done && (s.line.blank() || s.line.comment()) {
		s.step()
	}
}

// blanks passes blank lines, and counts them.
func (s *lines) blanks() int {
	n := 0
	for ; !s.done && s.line.blank(); n++ {
		s.step()
	}
	return n
}

// readable reports whether a text has only characters that stand for themselves
// in YAML and that are no line breaks but \n: no control characters, no breaks
// of Unicode. Tabs it reports apart.
func readable(text []byte) (tabs, ok bool) {
	for i := 0; i < len(text); i++ {
		for i+8 <= len(text) && printable(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
		}
		if i == len(text) {
			break
		}
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' {
			continue
		}
		if c == '\t' {
			tabs = true
			continue
		}
		if c < utf8.RuneSelf {
			return false, false
		}
		r, size := utf8.DecodeRune(text[i:])
		if r < 0xa0 || special(r) {
			return false, false
		}
		i += size - 1
	}
	return tabs, true
}

// special reports whether a character is invalid, a break of Unicode, or a mark.
func special(r rune) bool {
	return r == utf8.RuneError || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfffe && r <= 0xffff
}

// printable reports whether eight bytes are ASCII that is printed, or line breaks. The
// high bit of each byte says what is found of it: below it nothing is carried over.
func printable(eight uint64) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	low := eight &^ high
	control := ^(low + (0x80-' ')*each)
	isDelete := low + each
	isBreak := ^((low ^ '\n'*each) + (high - each))
	return (eight|control&^isBreak|isDelete)&high == 0
}
