package plainyaml

import (
	"sync"

	"github.com/ssactl/ssactl/internal/recall"
)

// memory is what one parser has after the other.
type memory struct {
	owned        recall.Texts[fields]
	out, scratch []byte
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// mostHeld is how large a buffer may be that is used again.
const mostHeld = 1 << 20

// borrow gives the parser a memory, until giveBack.
func (p *parser) borrow() *memory {
	m := memories.Get().(*memory)
	p.owned, p.out, p.scratch = &m.owned, m.out[:0], m.scratch[:0]
	return m
}

func (p *parser) giveBack(m *memory) {
	m.out, m.scratch = p.out, p.scratch
	if cap(m.out)+cap(m.scratch) > mostHeld {
		m.out, m.scratch = nil, nil
	}
	memories.Put(m)
}
