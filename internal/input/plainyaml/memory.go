package plainyaml

import (
	"sync"

	"github.com/ssactl/ssactl/internal/recall"
)

// memory is what one parser has after the other.
type memory struct {
	owned        recall.Texts[fields]
	out, scratch []byte
	keys         [][]byte
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// mostHeld is how large a buffer may be that is used again.
const mostHeld = 1 << 20

// mostKeys is how many keys there may be in such a buffer, of mappings that are open at once.
const mostKeys = 1 << 12

// borrow gives the parser a memory, until giveBack.
func (p *parser) borrow() *memory {
	m := memories.Get().(*memory)
	p.owned, p.out, p.scratch, p.keys.seen = &m.owned, m.out[:0], m.scratch[:0], m.keys[:0]
	return m
}

func (p *parser) giveBack(m *memory) {
	m.out, m.scratch, m.keys = p.out, p.scratch, p.keys.seen[:cap(p.keys.seen)]
	if cap(m.out)+cap(m.scratch) > mostHeld || len(m.keys) > mostKeys {
		m.out, m.scratch, m.keys = nil, nil, nil
	}
	// They are parts of the text.
	clear(m.keys)
	memories.Put(m)
}
