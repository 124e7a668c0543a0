package plainyaml

import "bytes"

// MaxDepth is how many levels of what is converted may nest; objects come nowhere
// near.
const MaxDepth = 104

// maxDepth is how deep there may be another level. Up to four follow unasked.
const maxDepth = MaxDepth - 4

// ToJSON converts a document, or one item of a sequence with its dash blanked
// out. It is false where the text is more than this package reads, wrong or
// not. Keys stay in their order.
func ToJSON(text []byte) ([]byte, bool) {
	var p parser
	return p.convert(text)
}

// Located converts as ToJSON does, and gives the line, counted from 1, of each
// key of a mapping and each item of a sequence, in the order of the JSON.
func Located(text []byte) (json []byte, lines []int, ok bool) {
	p := parser{locate: true}
	json, ok = p.convert(text)
	return json, p.located, ok
}

// parser converts as it reads. Its methods are false where they give up.
type parser struct {
	lines
	// text is the whole one.
	text []byte
	keys keys
	out  []byte
	// scratch holds a scalar that is made of parts.
	scratch []byte
	// located are the lines of keys and items, where they are asked for.
	locate  bool
	located []int
	// flowIndent is the column that the lines of a collection in flow style have to
	// be right of.
	flowIndent int
	// large: what is written has a buffer of its own.
	large bool
}

func (p *parser) convert(text []byte) ([]byte, bool) {
	tabs, ok := readable(text)
	if !ok {
		return nil, false
	}
	p.tabs = tabs
	m := p.borrow(len(text))
	defer p.giveBack(m)
	if !p.document(text) {
		return nil, false
	}
	return p.json(), true
}

// document reads the whole text.
func (p *parser) document(text []byte) bool {
	if whole := bytes.TrimLeft(text, " \n"); len(whole) > 0 && (whole[0] == '{' || whole[0] == '[') {
		p.number = 1 + bytes.Count(text[:len(text)-len(whole)], []byte{'\n'})
		p.flowIndent = -1
		rest, ok := p.flow(whole, 0)
		return ok && !p.tabs && len(p.skip(rest)) == 0
	}
	p.text, p.rest = text, text
	p.step()
	p.content()
	if p.done || p.marker() || !p.node(p.line.indent, 0) {
		return false
	}
	p.content()
	return p.done && !p.tabbed
}

// here notes the line of a key or an item.
func (p *parser) here() {
	if p.locate {
		p.located = append(p.located, p.number)
	}
}

// marker reports whether a line begins or ends a document, or is a directive.
func (p *parser) marker() bool {
	if p.line.indent > 0 || len(p.line.text) == 0 {
		return false
	}
	t := p.line.text
	return t[0] == '%' || len(t) >= 3 && (string(t[:3]) == "---" || string(t[:3]) == "...")
}

// node reads the mapping or sequence whose first entry is the line at hand.
func (p *parser) node(indent, depth int) bool {
	if depth > maxDepth {
		return false
	}
	if p.line.dash() {
		return p.sequence(indent, depth)
	}
	return p.mapping(indent, depth)
}

func (p *parser) sequence(indent, depth int) bool {
	p.out = append(p.out, '[')
	for first := true; ; first = false {
		if !first {
			p.out = append(p.out, ',')
		}
		if !p.item(indent, depth) {
			return false
		}
		p.content()
		if p.done || p.line.indent < indent || p.line.indent == indent && !p.line.dash() {
			break
		}
		if p.line.indent > indent {
			return false
		}
	}
	p.out = append(p.out, ']')
	return !p.done || len(p.rest) == 0
}

// item reads what follows a dash. An item that starts on the dash's own line
// is a block at its own column.
func (p *parser) item(indent, depth int) bool {
	if p.marker() {
		return false
	}
	text := p.line.text[1:]
	spaces := 0
	for spaces < len(text) && text[spaces] == ' ' {
		spaces++
	}
	if text = text[spaces:]; len(text) == 0 || text[0] == '#' {
		return p.itemBelow(indent, depth)
	}
	p.here()
	column := indent + 1 + spaces
	inner := line{indent: column, text: text, raw: p.line.raw}
	if _, _, isKey := p.key(text); isKey || inner.dash() {
		p.line = inner
		return p.node(column, depth+1)
	}
	return p.scalar(text, indent, depth)
}

// itemBelow reads an item that starts on the line behind its dash. An empty one is
// left alone.
func (p *parser) itemBelow(indent, depth int) bool {
	p.step()
	p.content()
	if p.done || p.line.indent <= indent {
		return false
	}
	p.here()
	return p.below(indent, depth)
}

// below reads a value that starts on the line at hand, deeper than indent.
func (p *parser) below(indent, depth int) bool {
	if _, _, isKey := p.key(p.line.text); isKey || p.line.dash() {
		return p.node(p.line.indent, depth+1)
	}
	return p.scalar(p.line.text, indent, depth)
}

func (p *parser) mapping(indent, depth int) bool {
	p.out = append(p.out, '{')
	mark := p.keys.open()
	for first := true; ; first = false {
		if p.marker() {
			return false
		}
		key, value, ok := p.key(p.line.text)
		if !ok || !p.keys.add(mark, key) {
			return false
		}
		if !first {
			p.out = append(p.out, ',')
		}
		p.here()
		p.out = appendString(p.out, key)
		p.out = append(p.out, ':')
		if !p.value(value, indent, depth) {
			return false
		}
		p.content()
		if p.done || p.line.indent < indent || p.line.indent == indent && p.line.dash() {
			break
		}
		if p.line.indent > indent {
			return false
		}
	}
	p.keys.close(mark)
	p.out = append(p.out, '}')
	return true
}

// value reads what follows the colon of a key at indent.
func (p *parser) value(text []byte, indent, depth int) bool {
	if len(text) > 0 && text[0] != '#' {
		return p.scalar(text, indent, depth)
	}
	p.step()
	p.content()
	switch {
	case !p.done && p.marker():
		return false
	case !p.done && p.line.indent > indent:
		return p.below(indent, depth)
	case !p.done && p.line.indent == indent && p.line.dash():
		return p.sequence(indent, depth+1)
	}
	p.out = append(p.out, "null"...)
	return true
}
