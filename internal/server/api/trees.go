package api

import (
	"bytes"
	"sync"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// Trees remembers what JSON texts say, so that each is decoded once by all who look
// into it. It is safe for concurrent use; nil remembers nothing.
type Trees struct {
	mu    sync.Mutex
	known []tree
}

type tree struct {
	text    []byte
	reading jsontree.Reading
	err     error
}

// Of is what jsontree.Read gives of a text. Neither the text nor what it gives is to be
// changed: both are remembered, and given to all who ask.
func (t *Trees) Of(text []byte) (jsontree.Reading, error) {
	if t == nil {
		return jsontree.Read(text)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.known {
		if bytes.Equal(k.text, text) {
			return k.reading, k.err
		}
	}
	reading, err := jsontree.Read(text)
	t.known = append(t.known, tree{text, reading, err})
	return reading, err
}
