package plainyaml

import "bytes"

// flowLines reads a collection in flow style whose text starts on the line at
// hand, below indent, and goes on behind it.
func (p *parser) flowLines(text []byte, indent, depth int) bool {
	behind := len(p.text) - len(p.rest)
	if p.rest != nil {
		behind--
	}
	// Spaces at the end of the line are no part of its text.
	from := behind - len(p.line.raw) + p.line.indent + len(p.line.text) - len(text)
	p.flowIndent = indent
	rest, ok := p.flow(p.text[from:], depth)
	if !ok {
		return false
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		end, p.rest = len(rest), nil
	} else {
		p.rest = rest[end+1:]
	}
	p.step()
	return ends(rest[:end])
}

// flow reads a collection in flow style, and gives what follows it.
func (p *parser) flow(text []byte, depth int) (rest []byte, ok bool) {
	if depth > maxDepth {
		return nil, false
	}
	if text[0] == '[' {
		return p.flowItems(text, depth)
	}
	return p.flowMembers(text, depth)
}

func (p *parser) flowItems(text []byte, depth int) (rest []byte, ok bool) {
	p.out = append(p.out, '[')
	text = p.skip(text[1:])
	for first := true; ; first = false {
		switch {
		case len(text) == 0:
			return nil, false
		case first && text[0] == ']':
			p.out = append(p.out, ']')
			return text[1:], true
		case !first:
			p.out = append(p.out, ',')
		}
		p.here()
		if text, ok = p.flowValue(text, depth); !ok {
			return nil, false
		}
		if text, ok = p.delimited(text, ']'); !ok || text[0] == ']' {
			return p.closed(text, ok)
		}
	}
}

func (p *parser) flowMembers(text []byte, depth int) (rest []byte, ok bool) {
	p.out = append(p.out, '{')
	mark := p.keys.open()
	defer p.keys.close(mark)
	text = p.skip(text[1:])
	for first := true; ; first = false {
		switch {
		case len(text) == 0:
			return nil, false
		case first && text[0] == '}':
			p.out = append(p.out, '}')
			return text[1:], true
		case !first:
			p.out = append(p.out, ',')
		}
		if text, ok = p.flowKey(text, mark); !ok {
			return nil, false
		}
		if text, ok = p.flowValue(p.skip(text), depth); !ok {
			return nil, false
		}
		if text, ok = p.delimited(text, '}'); !ok || text[0] == '}' {
			return p.closed(text, ok)
		}
	}
}

// delimited goes on to the bracket behind a value, or to the next value. A comma
// may stand before the bracket.
func (p *parser) delimited(text []byte, bracket byte) (rest []byte, ok bool) {
	text = p.skip(text)
	if len(text) > 0 && text[0] == bracket {
		return text, true
	}
	if len(text) == 0 || text[0] != ',' {
		return nil, false
	}
	text = p.skip(text[1:])
	return text, len(text) > 0
}

// closed ends a collection at its bracket.
func (p *parser) closed(text []byte, ok bool) (rest []byte, closed bool) {
	if !ok {
		return nil, false
	}
	p.out = append(p.out, text[0])
	return text[1:], true
}

// flowKey reads a key with its colon, which may touch the value only behind a
// quote.
func (p *parser) flowKey(text []byte, mark int) (rest []byte, ok bool) {
	var key []byte
	isQuoted := text[0] == '"' || text[0] == '\''
	if isQuoted {
		if key, rest, ok = onOneLine(text, nil); !ok {
			return nil, false
		}
	} else {
		if key, rest = word(text); resolve(key) != stringKind {
			return nil, false
		}
	}
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	if len(rest) < 2 || rest[0] != ':' || !isQuoted && rest[1] != ' ' || len(text)-len(rest) > maxKey || string(key) == "<<" || !p.keys.add(mark, key) {
		return nil, false
	}
	p.here()
	p.out = appendString(p.out, key)
	p.out = append(p.out, ':')
	return rest[1:], true
}

func (p *parser) flowValue(text []byte, depth int) (rest []byte, ok bool) {
	if len(text) == 0 {
		return nil, false
	}
	switch text[0] {
	case '[', '{':
		return p.flow(text, depth+1)
	case '"', '\'':
		value, rest, ok := onOneLine(text, p.scratch[:0])
		if ok {
			p.out = appendString(p.out, value)
		}
		return rest, ok
	}
	value, rest := word(text)
	return rest, p.appendPlain(value)
}

// onOneLine reads a quoted text without line breaks.
func onOneLine(text, into []byte) (value, rest []byte, ok bool) {
	value, rest, ok = quoted(text, into)
	return value, rest, ok && bytes.IndexByte(text[:len(text)-len(rest)], '\n') < 0
}

// inWord are the characters other than letters and digits that a plain scalar in
// flow style may have, and spaces between them.
var inWord = func() (in [256]bool) {
	for _, c := range []byte("-_./=+%$@()~;<>^\\'\"!&*|: ") {
		in[c] = true
	}
	for c := range in {
		in[c] = in[c] || c >= 0x80 || letter(byte(c)) || digit(byte(c))
	}
	return in
}()

// word cuts off a plain scalar in flow style: the characters of one line that
// have no meaning there. It is empty for what does not start as one.
func word(text []byte) (word, rest []byte) {
	i := 0
	for i < len(text) && inWord[text[i]] && (text[i] != ':' || i+1 < len(text) && inWord[text[i+1]] && text[i+1] != ' ') {
		i++
	}
	word = bytes.TrimRight(text[:i], " ")
	if len(word) > 0 && (word[0] == ':' || word[0] == '-' && (len(word) == 1 || word[1] == ' ')) {
		return nil, text
	}
	return word, text[len(word):]
}

// skip passes spaces, comments and line breaks. It gives nothing where a line is
// not as deep as it has to be, other than with a closing bracket.
func (p *parser) skip(text []byte) []byte {
	for len(text) > 0 {
		switch text[0] {
		case ' ':
			text = text[1:]
			if len(text) > 0 && text[0] == '#' {
				text = text[restOfLine(text):]
			}
		case '\n':
			p.number++
			if text = text[1:]; !p.deepEnough(text) {
				return nil
			}
			if len(text) > 0 && text[0] == '#' {
				text = text[restOfLine(text):]
			}
		default:
			return text
		}
	}
	return text
}

func restOfLine(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// deepEnough reports whether a line is right of where its collection began, or
// has a bracket, a comment or nothing there. Markers of documents stand at its
// beginning.
func (p *parser) deepEnough(text []byte) bool {
	column := 0
	for column < len(text) && text[column] == ' ' {
		column++
	}
	if column == len(text) || column > max(p.flowIndent, 0) {
		return true
	}
	c := text[column]
	if p.flowIndent < 0 {
		return column > 0 || c != '-' && c != '.' && c != '%'
	}
	return c == ']' || c == '}' || c == '#' || c == '\n'
}
