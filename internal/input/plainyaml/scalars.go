package plainyaml

import "bytes"

// maxKey bounds keys as they are written: YAML gives up on longer ones.
const maxKey = 1000

// key splits a line at the colon of its key, and gives what follows it without
// the spaces between. It is false where the line has no key that reads as a
// string.
func (p *parser) key(text []byte) (key, value []byte, ok bool) {
	if len(text) == 0 {
		return nil, nil, false
	}
	var rest []byte
	if text[0] == '"' || text[0] == '\'' {
		if key, rest, ok = quoted(text, nil); !ok || len(rest) == 0 || rest[0] != ':' {
			return nil, nil, false
		}
		rest = rest[1:]
	} else {
		i := colon(text)
		if i < 0 {
			return nil, nil, false
		}
		key, rest = text[:i], text[i+1:]
		if resolve(key) != stringKind || bytes.Contains(key, []byte(" #")) || key[len(key)-1] == ' ' {
			return nil, nil, false
		}
	}
	if len(text)-len(rest) > maxKey || string(key) == "<<" || len(rest) > 0 && rest[0] != ' ' {
		return nil, nil, false
	}
	return key, bytes.TrimLeft(rest, " "), true
}

// colon finds the colon that ends a plain key; -1 without one.
func colon(text []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], ':')
		if i < 0 {
			return -1
		}
		if i += from; i+1 == len(text) || text[i+1] == ' ' {
			return i
		}
		from = i + 1
	}
}

// scalar reads a scalar whose text starts on the line at hand, below indent,
// and goes on behind it.
func (p *parser) scalar(text []byte, indent int) bool {
	switch text[0] {
	case '"', '\'':
		value, rest, ok := quoted(text, p.scratch[:0])
		if !ok || !ends(rest) {
			return false
		}
		p.out = appendString(p.out, value)
		p.step()
		return true
	case '|':
		return p.literal(text, indent)
	case '{', '[':
		rest, ok := p.flow(text, 0)
		if !ok || !ends(rest) {
			return false
		}
		p.step()
		return true
	}
	return p.plain(text, indent)
}

// ends tells whether nothing but a comment follows a value.
func ends(rest []byte) bool {
	spaces := 0
	for spaces < len(rest) && rest[spaces] == ' ' {
		spaces++
	}
	return spaces == len(rest) || spaces > 0 && rest[spaces] == '#'
}

// plain reads a plain scalar, with the lines that go on with it.
func (p *parser) plain(text []byte, indent int) bool {
	commented := false
	if i := bytes.Index(text, []byte(" #")); i >= 0 {
		text, commented = bytes.TrimRight(text[:i], " "), true
	}
	if len(text) == 0 || colon(text) >= 0 {
		return false
	}
	p.step()
	if !commented && !p.done && p.line.indent > indent && !p.line.blank() && !p.line.comment() {
		var ok bool
		if text, ok = p.folded(text, indent); !ok {
			return false
		}
	}
	switch resolve(text) {
	case stringKind:
		p.out = appendString(p.out, text)
	case intKind, boolKind, nullKind:
		p.out = append(p.out, text...)
	default:
		return false
	}
	return true
}

// folded joins the lines of a plain scalar with spaces.
func (p *parser) folded(text []byte, indent int) ([]byte, bool) {
	p.scratch = append(p.scratch[:0], text...)
	for !p.done && p.line.indent > indent && !p.line.blank() {
		more := p.line.text
		if !letter(more[0]) && !digit(more[0]) || colon(more) >= 0 || bytes.Contains(more, []byte(" #")) {
			return nil, false
		}
		p.scratch = append(append(p.scratch, ' '), more...)
		p.step()
	}
	// Blank lines may be part of it.
	return p.scratch, p.done || !p.line.blank()
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
	for i = 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case c == quote:
			return into, text[i+1:], true
		case c == '\\' && quote == '"':
			if i++; i == len(text) {
				return nil, nil, false
			}
			if c = unescaped(text[i]); c == 0 {
				return nil, nil, false
			}
		}
		into = append(into, c)
	}
	return nil, nil, false
}

// unescaped is the character of an escape; 0 for those that are not read here.
func unescaped(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	}
	return 0
}

// literal reads a block scalar that keeps its lines.
func (p *parser) literal(text []byte, indent int) bool {
	chomping := byte(0)
	if len(text) == 2 && (text[1] == '-' || text[1] == '+') {
		chomping = text[1]
	} else if len(text) != 1 {
		return false
	}
	p.step()
	column := p.line.indent
	if p.done || p.line.blank() || column <= indent {
		return false
	}
	p.scratch = p.scratch[:0]
	for ; !p.done; p.step() {
		if p.line.indent < column && !p.line.blank() {
			break
		}
		if len(p.line.raw) > column {
			p.scratch = append(p.scratch, p.line.raw[column:]...)
		}
		p.scratch = append(p.scratch, '\n')
		if p.rest == nil {
			// The last line has no break.
			return false
		}
	}
	if !p.done && p.line.indent > indent && !p.line.comment() {
		return false
	}
	value := p.scratch
	if chomping != '+' {
		value = bytes.TrimRight(value, "\n")
		if chomping == 0 {
			value = append(value, '\n')
		}
	}
	p.out = appendString(p.out, value)
	return true
}
