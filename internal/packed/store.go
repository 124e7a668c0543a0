// Package packed holds texts in little memory until they are needed: the objects of a
// large dump, where most bytes are indentation and repeated names. It compresses them, and
// puts them into a file that nobody else sees.
package packed

import (
	"bytes"
	"fmt"
	"os"

	"github.com/klauspost/compress/s2"
)

// Store holds JSON texts. The zero value holds none, and has no file yet.
type Store struct {
	file *os.File
	size int64
	// full: nothing more goes to the file.
	full bool
	// buffer is used again and again.
	buffer []byte
}

// JSON is a text that a Store holds, compressed. The zero value is none.
type JSON struct {
	// bytes are the packed text where it is in memory; else it is in the file.
	bytes  []byte
	file   *os.File
	offset int64
	length int
}

// Place is where a text may be held.
type Place int

// The places of a text.
const (
	// Anywhere is in the file, or in memory where there is no room for one.
	Anywhere Place = iota
	// InMemory is for what should not be on a disk: the values of Secrets.
	InMemory
)

// Put holds a JSON text. The bytes given are not kept. It must not be called
// for several at once.
func (s *Store) Put(text []byte, place Place) JSON {
	s.buffer = s2.Encode(s.buffer[:cap(s.buffer)], text)
	if place == Anywhere && !s.full {
		err := s.append(s.buffer)
		if s.full = err != nil; !s.full {
			return JSON{file: s.file, offset: s.size - int64(len(s.buffer)), length: len(s.buffer)}
		}
	}
	return JSON{bytes: bytes.Clone(s.buffer)}
}

// append writes to the file, which has no name where the system allows that: it goes with
// the process.
func (s *Store) append(packed []byte) (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "ssactl-"); err != nil {
			return err
		}
		_ = os.Remove(s.file.Name())
	}
	n, err := s.file.WriteAt(packed, s.size)
	s.size += int64(n)
	return err
}

// Empty reports whether there is no text.
func (p JSON) Empty() bool { return p.bytes == nil && p.file == nil }

// Text gives the text, a new copy each time. It may be called for several at
// once. Where it cannot be read back, it is a text that says so, and that is no
// JSON.
func (p JSON) Text() []byte {
	if p.Empty() {
		return nil
	}
	text, err := p.Read()
	if err != nil {
		return fmt.Appendf(nil, "a text cannot be read back: %v", err)
	}
	return text
}

// Read gives the text, as Text does, or what keeps it from being read back.
func (p JSON) Read() ([]byte, error) {
	packed := p.bytes
	if p.file != nil {
		packed = make([]byte, p.length)
		if _, err := p.file.ReadAt(packed, p.offset); err != nil {
			return nil, err
		}
	}
	return s2.Decode(nil, packed)
}
