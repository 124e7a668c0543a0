package plainyaml

import "bytes"

// scalar reads a scalar, or a collection in flow style, whose text starts on the
// line at hand, below indent, and goes on behind it.
func (p *parser) scalar(text []byte, indent, depth int) bool {
	switch text[0] {
	case '"', '\'':
		return p.quotedLines(text, indent)
	case '|', '>':
		return p.blockScalar(text, indent)
	case '{', '[':
		return p.flowLines(text, indent, depth)
	}
	return p.plain(text, indent)
}

// ends reports whether nothing but a comment follows a value.
func ends(rest []byte) bool {
	spaces := 0
	for spaces < len(rest) && rest[spaces] == ' ' {
		spaces++
	}
	return spaces == len(rest) || spaces > 0 && rest[spaces] == '#'
}

// plain reads a plain scalar. It goes on with all lines that are deeper than
// indent, up to a comment.
func (p *parser) plain(text []byte, indent int) bool {
	text, last, ok := plainLine(text)
	if !ok || len(text) == 0 {
		return false
	}
	p.step()
	if last {
		return p.appendPlain(text)
	}
	blanks := p.blanks()
	if !p.continues(indent) {
		return p.appendPlain(text)
	}
	if resolve(text) == otherKind {
		// It may be no scalar: a lone ? begins a key.
		return false
	}
	p.scratch = appendFold(append(p.scratch[:0], text...), blanks)
	return p.folded(indent)
}

// continues reports whether a plain scalar goes on with the line at hand.
func (p *parser) continues(indent int) bool {
	return !p.done && p.line.indent > indent && !p.line.blank() && !p.line.comment()
}

// folded adds the lines of a plain scalar from its second one on.
func (p *parser) folded(indent int) bool {
	for {
		text, last, ok := plainLine(p.line.text)
		if !ok {
			return false
		}
		p.scratch = append(p.scratch, text...)
		if p.step(); last {
			break
		}
		blanks := p.blanks()
		if !p.continues(indent) {
			break
		}
		p.scratch = appendFold(p.scratch, blanks)
	}
	return p.appendPlain(p.scratch)
}

// plainLine is what a plain scalar has of a line, without a comment: behind that,
// no more lines follow. It is false where the line is a key.
func plainLine(text []byte) (value []byte, last, ok bool) {
	if i := comment(text); i >= 0 {
		text, last = bytes.TrimRight(text[:i], " "), true
	}
	return text, last, colon(text) < 0
}

// comment finds the space before the # of a comment; -1 without one.
func comment(text []byte) int {
	if bytes.IndexByte(text, '#') < 0 {
		return -1
	}
	return bytes.Index(text, []byte(" #"))
}

// appendFold adds what a line break is with so many blank lines behind it: a
// space, or a break for each of those.
func appendFold(to []byte, blanks int) []byte {
	if blanks == 0 {
		return append(to, ' ')
	}
	return appendBreaks(to, blanks)
}

func appendBreaks(to []byte, n int) []byte {
	for range n {
		to = append(to, '\n')
	}
	return to
}

// appendPlain writes the value of a plain scalar.
func (p *parser) appendPlain(text []byte) bool {
	switch resolve(text) {
	case stringKind:
		p.out = appendString(p.out, text)
	case intKind, boolKind, nullKind:
		p.out = append(p.out, text...)
	case octalKind:
		p.out = appendOctal(p.out, text)
	case floatKind:
		p.out = appendFloat(p.out, text)
	default:
		return false
	}
	return true
}
