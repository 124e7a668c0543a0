package plainyaml

import (
	"strconv"
	"unicode/utf8"
)

// quotedLines reads a quoted scalar. It goes on until its quote, with lines that
// are deeper than indent.
func (p *parser) quotedLines(text []byte, indent int) bool {
	value, rest, ok := quoted(text, p.scratch[:0])
	if !ok {
		return p.quotedFold(text, indent)
	}
	p.out = appendString(p.out, value)
	p.step()
	return ends(rest)
}

// quotedFold reads a quoted scalar that does not end on its first line. A break
// behind a backslash is none.
func (p *parser) quotedFold(text []byte, indent int) bool {
	quote := text[0]
	text = text[1:]
	p.scratch = p.scratch[:0]
	for {
		var state quotedState
		p.scratch, text, state = unquote(p.scratch, text, quote)
		switch {
		case state == closed:
			p.out = appendString(p.out, p.scratch)
			p.step()
			return ends(text)
		case state == odd, state == joined && p.line.raw[len(p.line.raw)-1] != '\\':
			return false
		}
		p.step()
		blanks := p.blanks()
		if p.done || p.line.indent <= indent {
			return false
		}
		if blanks > 0 || state == open {
			p.scratch = appendFold(p.scratch, blanks)
		}
		text = p.line.text
	}
}

// quoted reads a quoted text on one line, and gives what follows it. Its value
// is part of text, or else appended to into.
func quoted(text, into []byte) (value, rest []byte, ok bool) {
	quote := text[0]
	text = text[1:]
	i := 0
	for i < len(text) && text[i] != quote && text[i] != '\\' {
		i++
	}
	if i < len(text) && text[i] == quote && (quote == '"' || i+1 == len(text) || text[i+1] != quote) {
		return text[:i], text[i+1:], true
	}
	value, rest, state := unquote(into, text, quote)
	return value, rest, state == closed
}

// quotedState is how a line leaves a quoted text.
type quotedState int

const (
	// odd is for what this package leaves alone.
	odd quotedState = iota
	closed
	open
	// joined is an open one with a backslash at the end of its line.
	joined
)

// unquote appends the value of a quoted text up to its quote, or to the end of
// its line.
func unquote(into, text []byte, quote byte) (value, rest []byte, state quotedState) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case c == quote:
			return into, text[i+1:], closed
		case c == '\\' && quote == '"' && i+1 == len(text):
			return into, nil, joined
		case c == '\\' && quote == '"':
			var size int
			if into, size = appendEscape(into, text[i+1:]); size == 0 {
				return nil, nil, odd
			}
			i += size
			continue
		}
		into = append(into, c)
	}
	return into, nil, open
}

// appendEscape appends the character of an escape, and gives how many bytes
// follow its backslash; 0 for those that are not read here.
func appendEscape(into, text []byte) (out []byte, size int) {
	switch text[0] {
	case '"', '\\', ' ':
		return append(into, text[0]), 1
	case 'n':
		return append(into, '\n'), 1
	case 't':
		return append(into, '\t'), 1
	case 'r':
		return append(into, '\r'), 1
	case 'x':
		return appendCode(into, text, 2)
	case 'u':
		return appendCode(into, text, 4)
	case 'U':
		return appendCode(into, text, 8)
	}
	return into, 0
}

// appendCode appends the character of a number of so many digits.
func appendCode(into, text []byte, digits int) (out []byte, size int) {
	if len(text) <= digits {
		return into, 0
	}
	code, err := strconv.ParseUint(string(text[1:1+digits]), 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return into, 0
	}
	return utf8.AppendRune(into, rune(code)), 1 + digits
}
