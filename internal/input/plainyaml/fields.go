package plainyaml

import "bytes"

// fieldsKey is the key of what a field manager owns. Half of a live object is below it,
// and of one kind many objects say the same there.
const fieldsKey = "fieldsV1"

// fields are what the lines below a key were converted to.
type fields struct {
	json string
	// depth is that of the key: where a key is deeper, there may be too many levels.
	depth int
}

// fields reads what follows the colon of a key at indent, where that is nothing, and
// the mapping stands on the lines below. Lines that were converted before are not
// looked into.
func (p *parser) fields(indent, depth int) bool {
	text := p.linesBelow(indent)
	if len(text) == 0 || p.locate || p.tabs {
		return p.value(nil, indent, depth)
	}
	behind := p.rest[len(text):]
	if known, ok := p.owned.Get(text); ok && depth <= known.depth {
		p.out = append(p.out, known.json...)
		p.rest = behind
		p.step()
		return true
	}
	from := len(p.out)
	if !p.value(nil, indent, depth) {
		return false
	}
	if json := p.out[from:]; json[0] == '{' && p.at(behind) {
		p.owned.Put(text, func() fields { return fields{string(json), depth} })
	}
	return true
}

// linesBelow are the next lines that are deeper than indent. There are none where it
// is not certain that the value ends with them: where a blank line, a comment or the
// end of a text without a break follows.
func (p *parser) linesBelow(indent int) []byte {
	end := 0
	for end < len(p.rest) && deeper(p.rest[end:], indent) {
		i := bytes.IndexByte(p.rest[end:], '\n')
		if i < 0 {
			return nil
		}
		end += i + 1
	}
	next := bytes.TrimLeft(p.rest[end:], " ")
	if end < len(p.rest) && (len(next) == 0 || next[0] == '\n' || next[0] == '#') {
		return nil
	}
	return p.rest[:end]
}

// deeper reports whether a line starts with more spaces than indent.
func deeper(line []byte, indent int) bool {
	for i := range indent + 1 {
		if i >= len(line) || line[i] != ' ' {
			return false
		}
	}
	return true
}

// at reports whether the line at hand is the first of a text, or there is none where
// that is empty.
func (p *parser) at(text []byte) bool {
	if p.done {
		return len(text) == 0
	}
	line := len(p.line.raw)
	if p.rest != nil {
		line++
	}
	return len(text) == line+len(p.rest)
}
