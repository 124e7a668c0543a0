package plainyaml

import "bytes"

// flow reads a collection in flow style, and gives what follows it. It is on
// one line, but for a document that is nothing else, which may be JSON.
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
		text = p.skip(text[1:])
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
		text = p.skip(text[1:])
	}
}

// delimited goes on to the comma or bracket behind a value.
func (p *parser) delimited(text []byte, bracket byte) (rest []byte, ok bool) {
	text = p.skip(text)
	return text, len(text) > 0 && (text[0] == ',' || text[0] == bracket)
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
	switch resolve(value) {
	case stringKind:
		p.out = appendString(p.out, value)
	case intKind, boolKind, nullKind:
		p.out = append(p.out, value...)
	default:
		return nil, false
	}
	return rest, true
}

// onOneLine reads a quoted text without line breaks.
func onOneLine(text, into []byte) (value, rest []byte, ok bool) {
	value, rest, ok = quoted(text, into)
	return value, rest, ok && bytes.IndexByte(text[:len(text)-len(rest)], '\n') < 0
}

// word cuts off the characters that a plain scalar may have in any style, and
// of which none has a meaning there.
func word(text []byte) (word, rest []byte) {
	i := 0
	for i < len(text) && (letter(text[i]) || digit(text[i]) || bytes.IndexByte([]byte("-_./=+%$@()"), text[i]) >= 0) {
		i++
	}
	return text[:i], text[i:]
}

// skip passes spaces, and the line breaks of a document in flow style: those of
// one line are cut off.
func (p *parser) skip(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n') {
		if text[0] == '\n' {
			p.number++
		}
		text = text[1:]
	}
	return text
}
