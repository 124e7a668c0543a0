package store

import (
	"bytes"

	"github.com/klauspost/compress/s2"
)

// Value is the bytes of a key: as they are, or in a block that is compressed. The zero value is none.
type Value struct {
	bytes    []byte
	in       *block
	from, to int
}

// block is a run of values, compressed as one: objects of a kind repeat each other.
type block struct {
	// text is the values themselves, until the block is full.
	text   []byte
	packed []byte
}

// blockBytes are those of the values of a full block. Reading one value decompresses its block.
const blockBytes = 64 << 10

// Packer puts values into blocks. The zero value has none yet; values that are read in order should be
// put in that order.
type Packer struct{ open *block }

// Pack gives a copy of a text in a block. It must not be called for several at once, nor while a value
// of the packer is read.
func (p *Packer) Pack(text []byte) Value {
	if p.open != nil && len(p.open.text)+len(text) > blockBytes {
		p.open.packed, p.open.text = bytes.Clone(s2.EncodeBetter(nil, p.open.text)), nil
		p.open = nil
	}
	if p.open == nil {
		p.open = &block{text: make([]byte, 0, max(blockBytes, len(text)))}
	}
	from := len(p.open.text)
	p.open.text = append(p.open.text, text...)
	return Value{in: p.open, from: from, to: len(p.open.text)}
}

// size is how many bytes a value has.
func (v Value) size() int64 { return int64(len(v.bytes) + v.to - v.from) }

// reader decompresses a block once for all its values that are read one after the other.
type reader struct {
	of   *block
	text []byte
}

// read gives the bytes of a value. They share memory with those of the block.
func (r *reader) read(v Value) []byte {
	if v.in == nil {
		return v.bytes
	}
	if r.of != v.in {
		r.of, r.text = v.in, v.in.read()
	}
	return r.text[v.from:v.to:v.to]
}

func (b *block) read() []byte {
	if b.packed == nil {
		return b.text
	}
	text, err := s2.Decode(nil, b.packed)
	if err != nil {
		// It was packed in this process.
		panic(err)
	}
	return text
}

// alone gives the bytes of a value that keep no others in memory.
func (v Value) alone() []byte {
	if v.in == nil {
		return v.bytes
	}
	return bytes.Clone(new(reader).read(v))
}

// equal reports whether two values have the same bytes.
func (v Value) equal(other Value) bool {
	return v.in != nil && v.in == other.in && v.from == other.from || bytes.Equal(v.alone(), other.alone())
}
