package plainyaml

import (
	"bytes"
	"slices"
	"sync"
)

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

// json is what was written.
func (p *parser) json() []byte {
	if p.large {
		return slices.Clip(p.out)
	}
	return bytes.Clone(p.out)
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
