package plainyaml

import "bytes"

// flow reads a collection in flow style.
type flow struct {
	*parser
	// left is the text that is not read yet.
	left []byte
	// indent is the column that its lines have to be right of; -1 for a whole text.
	indent int
}

// flowLines reads a collection in flow style whose text starts on the line at
// hand, below indent, and goes on behind it.
func (p *parser) flowLines(text []byte, indent, depth int) bool {
	behind := len(p.text) - len(p.rest)
	if p.rest != nil {
		behind--
	}
	// Spaces at the end of the line are no part of its text.
	from := behind - len(p.line.raw) + p.line.indent + len(p.line.text) - len(text)
	f := flow{p, p.text[from:], indent}
	if !f.collection(depth) {
		return false
	}
	end := bytes.IndexByte(f.left, '\n')
	if end < 0 {
		end, p.rest = len(f.left), nil
	} else {
		p.rest = f.left[end+1:]
	}
	p.step()
	return ends(f.left[:end])
}

// collection passes what the bracket at hand begins. A comma may stand before the one
// that ends it.
func (f *flow) collection(depth int) bool {
	if depth > maxDepth {
		return false
	}
	opening := f.left[0]
	closing := opening + 2 // in ASCII
	mark := f.keys.open()
	f.out = append(f.out, opening)
	f.left = f.left[1:]
	for first := true; ; first = false {
		if f.skip(); len(f.left) == 0 {
			return false
		}
		if f.left[0] == closing {
			break
		}
		if !first {
			f.out = append(f.out, ',')
		}
		if opening == '[' {
			f.here()
		} else if !f.key(mark) {
			return false
		}
		if !f.value(depth) {
			return false
		}
		if f.skip(); len(f.left) == 0 || f.left[0] != ',' && f.left[0] != closing {
			return false
		}
		if f.left[0] == closing {
			break
		}
		f.left = f.left[1:]
	}
	if opening == '{' {
		f.keys.close(mark)
	}
	f.out = append(f.out, closing)
	f.left = f.left[1:]
	return true
}

// key passes a key with its colon, which may touch the value only behind a
// quote.
func (f *flow) key(mark int) (ok bool) {
	var key, rest []byte
	isQuoted := f.left[0] == '"' || f.left[0] == '\''
	if isQuoted {
		if key, rest, ok = onOneLine(f.left, nil); !ok {
			return false
		}
	} else if key, rest = word(f.left); resolve(key) != stringKind {
		return false
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) < 2 || rest[0] != ':' || !isQuoted && rest[1] != ' ' ||
		len(f.left)-len(rest) > maxKey || string(key) == "<<" || !f.keys.add(mark, key) {
		return false
	}
	f.here()
	f.out = append(appendString(f.out, key), ':')
	f.left = rest[1:]
	f.skip()
	return true
}

func (f *flow) value(depth int) (ok bool) {
	if len(f.left) == 0 {
		return false
	}
	var value []byte
	switch f.left[0] {
	case '[', '{':
		return f.collection(depth + 1)
	case '"', '\'':
		if value, f.left, ok = onOneLine(f.left, f.scratch[:0]); ok {
			f.out = appendString(f.out, value)
		}
		return ok
	}
	value, f.left = word(f.left)
	return f.appendPlain(value)
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

// skip passes spaces, comments and line breaks. It leaves nothing where a line is
// not as deep as it has to be, other than with a closing bracket.
func (f *flow) skip() {
	for text := f.left; ; {
		switch {
		case len(text) == 0 || text[0] != ' ' && text[0] != '\n':
			f.left = text
			return
		case text[0] == '\n':
			f.number++
			if !f.deepEnough(text[1:]) {
				f.left = nil
				return
			}
		}
		if text = text[1:]; len(text) > 0 && text[0] == '#' {
			end := bytes.IndexByte(text, '\n')
			if end < 0 {
				end = len(text)
			}
			text = text[end:]
		}
	}
}

// deepEnough reports whether a line is right of where its collection began, or
// has a bracket, a comment or nothing there. Markers of documents stand at its
// beginning.
func (f *flow) deepEnough(text []byte) bool {
	column := 0
	for column < len(text) && text[column] == ' ' {
		column++
	}
	if column == len(text) || column > max(f.indent, 0) {
		return true
	}
	c := text[column]
	if f.indent < 0 {
		return column > 0 || c != '-' && c != '.' && c != '%'
	}
	return c == ']' || c == '}' || c == '#' || c == '\n'
}
