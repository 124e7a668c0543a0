// Package plainyaml reads the YAML that kubectl, controller-gen, Helm and
// kustomize write, and most that is written by hand, ten to twenty times as fast
// as a YAML parser does: 13 times a live object, 24 times a definition of a
// megabyte. All else it leaves alone, and says so.
//
// The law: where it converts a text, sigs.k8s.io/yaml converts it to equal
// JSON, in strict mode too (no key is repeated). What YAML 1.1 might read in
// more ways than one (timestamps, numbers with exponents, words such as "yes"),
// what is seldom (anchors, tags, complex keys) and what is wrong are none of its
// business.
//
//	blocks.go   mappings and sequences by their indentation
//	lines.go    the text, line by line
//	keys.go     the key of an entry, and repeated keys
//	flow.go     collections in flow style
//	scalars.go  plain, quoted and block scalars, and how they are written
//	resolve.go  what a plain scalar means
package plainyaml

import (
	"bytes"
	"slices"
	"sync"
)

// MaxDepth is how many levels of what is converted may nest; objects come nowhere
// near.
const MaxDepth = 104

// maxDepth is how deep there may be another level. Up to four follow unasked.
const maxDepth = MaxDepth - 4

// ToJSON converts a document, or one item of a sequence with its dash blanked
// out. It is false where the text is more than this package reads, wrong or
// not. Keys stay in their order.
func ToJSON(text []byte) (json []byte, ok bool) {
	json, _, ok = convert(text, false)
	return json, ok
}

// Located converts as ToJSON does, and gives the line, counted from 1, of each
// key of a mapping and each item of a sequence, in the order of the JSON.
func Located(text []byte) (json []byte, lines []int, ok bool) { return convert(text, true) }

// parser converts as it reads. Its methods are false where they give up.
type parser struct {
	lines
	// text is the whole one.
	text []byte
	keys keys
	out  []byte
	// scratch holds a scalar that is made of parts.
	scratch []byte
	// locate reports whether located is asked for: the lines of keys and items.
	locate  bool
	located []int
}

// parsers have buffers that are used again.
var parsers = sync.Pool{New: func() any { return new(parser) }}

const (
	// mostHeld is how large buffers may be that are used again, and mostKeys how many keys
	// there may be in one, of mappings that are open at once.
	mostHeld = 1 << 20
	mostKeys = 1 << 12
	// ownFrom is how large a text has to be for what is made of it to have a buffer of
	// its own, which is not copied.
	ownFrom = 256 << 10
)

func convert(text []byte, locate bool) (json []byte, lines []int, ok bool) {
	tabs, ok := readable(text)
	if !ok {
		return nil, nil, false
	}
	p := parsers.Get().(*parser)
	defer p.giveBack()
	p.tabs, p.locate = tabs, locate
	shared := p.out
	if len(text) >= ownFrom {
		// JSON is shorter than YAML with its indentation, by two fifths in definitions.
		p.out = make([]byte, 0, len(text)/8*5)
	}
	ok = p.document(text)
	switch {
	case len(text) >= ownFrom:
		json, p.out = slices.Clip(p.out), shared
	case ok:
		json = bytes.Clone(p.out)
	}
	if !ok {
		return nil, nil, false
	}
	return json, p.located, true
}

func (p *parser) giveBack() {
	seen := p.keys.seen[:cap(p.keys.seen)]
	if cap(p.out)+cap(p.scratch) > mostHeld || len(seen) > mostKeys {
		p.out, p.scratch, seen = nil, nil, nil
	}
	clear(seen) // they are parts of the text
	*p = parser{out: p.out[:0], scratch: p.scratch[:0], keys: keys{seen: seen[:0]}}
	parsers.Put(p)
}

// document reads the whole text.
func (p *parser) document(text []byte) bool {
	if whole := bytes.TrimLeft(text, " \n"); len(whole) > 0 && (whole[0] == '{' || whole[0] == '[') {
		p.number = 1 + bytes.Count(text[:len(text)-len(whole)], []byte{'\n'})
		f := flow{p, whole, -1}
		if !f.collection(0) {
			return false
		}
		f.skip()
		return !p.tabs && len(f.left) == 0
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
	text := bytes.TrimLeft(p.line.text[1:], " ")
	if len(text) == 0 || text[0] == '#' {
		// It starts on the line behind its dash. An empty one is left alone.
		p.step()
		p.content()
		if p.done || p.line.indent <= indent {
			return false
		}
		p.here()
		return p.below(indent, depth)
	}
	p.here()
	column := indent + len(p.line.text) - len(text)
	inner := line{indent: column, text: text, raw: p.line.raw}
	if _, _, isKey := keyOf(text); isKey || inner.dash() {
		p.line = inner
		return p.node(column, depth+1)
	}
	return p.scalar(text, indent, depth)
}

// below reads a value that starts on the line at hand, deeper than indent.
func (p *parser) below(indent, depth int) bool {
	if _, _, isKey := keyOf(p.line.text); isKey || p.line.dash() {
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
		key, value, ok := keyOf(p.line.text)
		if !ok || !p.keys.add(mark, key) {
			return false
		}
		if !first {
			p.out = append(p.out, ',')
		}
		p.here()
		p.out = append(appendString(p.out, key), ':')
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
