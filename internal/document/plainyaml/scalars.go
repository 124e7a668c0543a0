package plainyaml

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

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
	text := bytes.TrimLeft(rest, " ")
	return len(text) == 0 || len(text) < len(rest) && text[0] == '#'
}

// plain reads a plain scalar. It goes on with all lines that are deeper than
// indent, up to a comment.
func (p *parser) plain(text []byte, indent int) bool {
	value, last, ok := plainLine(text)
	if !ok || len(value) == 0 {
		return false
	}
	p.step()
	for first := true; !last; first = false {
		blanks := p.blanks()
		if p.done || p.line.indent <= indent || p.line.comment() {
			break
		}
		if first {
			if resolve(value) == otherKind {
				// It may be no scalar: a lone ? begins a key.
				return false
			}
			p.scratch = append(p.scratch[:0], value...)
		}
		var more []byte
		if more, last, ok = plainLine(p.line.text); !ok {
			return false
		}
		p.scratch = append(appendFold(p.scratch, blanks), more...)
		value = p.scratch
		p.step()
	}
	return p.appendPlain(value)
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
		// It has few enough digits of the right kind, and a zero in front.
		n, _ := strconv.ParseInt(string(text), 0, 64)
		p.out = strconv.AppendInt(p.out, n, 10)
	case floatKind:
		// As encoding/json does, so that whole ones read as integers.
		n, _ := strconv.ParseFloat(string(text), 64)
		p.out = strconv.AppendFloat(p.out, n, 'f', -1, 64)
	default:
		return false
	}
	return true
}

// quotedLines reads a quoted scalar. It goes on until its quote, with lines that
// are deeper than indent. A break behind a backslash is none.
func (p *parser) quotedLines(text []byte, indent int) bool {
	if value, rest, ok := quoted(text, p.scratch[:0]); ok {
		p.out = appendString(p.out, value)
		p.step()
		return ends(rest)
	}
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
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[0]]
	if digits == 0 || len(text) <= digits {
		return into, 0
	}
	code, err := strconv.ParseUint(string(text[1:1+digits]), 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return into, 0
	}
	return utf8.AppendRune(into, rune(code)), 1 + digits
}

// blockHeader is what the first line of a block scalar says.
type blockHeader struct {
	folded bool
	// deeper is how much deeper than its parent the text stands; 0 where its first
	// line shows that.
	deeper int
	// chomping says what to do with line breaks at the end: + keeps them, - drops
	// them, and 0 keeps one.
	chomping byte
}

func headerOf(text []byte) (h blockHeader, ok bool) {
	h.folded = text[0] == '>'
	for text = text[1:]; len(text) > 0 && text[0] != ' '; text = text[1:] {
		switch c := text[0]; {
		case (c == '+' || c == '-') && h.chomping == 0:
			h.chomping = c
		case c >= '1' && c <= '9' && h.deeper == 0:
			h.deeper = int(c - '0')
		default:
			return h, false
		}
	}
	return h, ends(text)
}

// blockScalar reads a literal or folded block scalar below indent.
func (p *parser) blockScalar(text []byte, indent int) bool {
	h, ok := headerOf(text)
	if !ok {
		return false
	}
	p.step()
	column, blanks, ok := p.blockColumn(h, indent)
	if !ok {
		return false
	}
	p.scratch = appendBreaks(p.scratch[:0], blanks)
	breaks := p.blockLines(column, h.folded)
	if !p.done && p.line.indent > indent && !p.line.comment() {
		return false
	}
	switch h.chomping {
	case '+':
		p.scratch = appendBreaks(p.scratch, breaks)
	case 0:
		p.scratch = appendBreaks(p.scratch, min(breaks, 1))
	}
	p.out = appendString(p.out, p.scratch)
	return true
}

// blockColumn passes the blank lines in front of a block scalar below indent, and gives
// their number, and the column at which its lines stand. Blank lines may be no longer than
// the first that is not.
func (p *parser) blockColumn(h blockHeader, indent int) (column, blanks int, ok bool) {
	longest := 0
	for ; !p.done && p.line.blank() && (h.deeper == 0 || len(p.line.raw) <= indent+h.deeper); p.stepInside() {
		blanks++
		longest = max(longest, len(p.line.raw))
	}
	column = indent + h.deeper
	if h.deeper == 0 {
		column = p.line.indent
	}
	return column, blanks, !p.done && column > indent && column >= longest && p.line.indent >= column &&
		(h.deeper != 0 || p.line.text[0] != '\t')
}

// blockLines adds the lines of a block scalar that stand at a column, the first of
// which is at hand, and gives the number of breaks behind the last one.
func (p *parser) blockLines(column int, fold bool) (breaks int) {
	wasIndented := false
	for ; !p.done; p.stepInside() {
		if len(p.line.raw) <= column && p.line.blank() {
			breaks++
			continue
		}
		if p.line.indent < column {
			return breaks
		}
		text := p.line.raw[column:]
		// Lines that are indented more keep the breaks around them.
		isIndented := text[0] == ' ' || text[0] == '\t'
		if fold && breaks > 0 && !wasIndented && !isIndented {
			p.scratch = appendFold(p.scratch, breaks-1)
		} else {
			p.scratch = appendBreaks(p.scratch, breaks)
		}
		p.scratch = append(p.scratch, text...)
		breaks, wasIndented = 1, isIndented
	}
	if p.rest == nil {
		// The last line has no break.
		breaks--
	}
	return breaks
}

// unsafe are the bytes that a JSON string has to escape.
var unsafe = func() (u [256]bool) {
	for c := range ' ' {
		u[c] = true
	}
	u['"'], u['\\'] = true, true
	return u
}()

const hex = "0123456789abcdef"

// appendString writes a JSON string of valid UTF-8.
func appendString(out, s []byte) []byte {
	out = append(out, '"')
	start := 0
	for i, c := range s {
		if !unsafe[c] {
			continue
		}
		out = append(out, s[start:i]...)
		start = i + 1
		switch c {
		case '\n':
			out = append(out, '\\', 'n')
		case '\t':
			out = append(out, '\\', 't')
		case '\r':
			out = append(out, '\\', 'r')
		case '"', '\\':
			out = append(out, '\\', c)
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(out, s[start:]...), '"')
}
