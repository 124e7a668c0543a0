package plainyaml

import "sync"

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

// memory is what one parser has after the other.
type memory struct {
	out, scratch []byte
	keys         [][]byte
}

var memories = sync.Pool{New: func() any { return new(memory) }}

const (
	// mostHeld is how large buffers may be that are used again.
	mostHeld = 1 << 20
	// ownFrom is how large a text has to be for what is made of it to have a buffer of
	// its own, which is not copied.
	ownFrom = 256 << 10
)

// mostKeys is how many keys there may be in such a buffer, of mappings that are open at once.
const mostKeys = 1 << 12

// borrow gives the parser a memory for a text of so many bytes, until giveBack.
func (p *parser) borrow(size int) *memory {
	m := memories.Get().(*memory)
	p.out, p.scratch, p.keys.seen = m.out[:0], m.scratch[:0], m.keys[:0]
	if p.large = size >= ownFrom; p.large {
		// JSON is shorter than YAML with its indentation, by two fifths in definitions.
		p.out = make([]byte, 0, size/8*5)
	}
	return m
}

func (p *parser) giveBack(m *memory) {
	if !p.large {
		m.out = p.out
	}
	m.scratch, m.keys = p.scratch, p.keys.seen[:cap(p.keys.seen)]
	if cap(m.out)+cap(m.scratch) > mostHeld || len(m.keys) > mostKeys {
		m.out, m.scratch, m.keys = nil, nil, nil
	}
	// They are parts of the text.
	clear(m.keys)
	memories.Put(m)
}
