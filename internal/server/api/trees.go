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
	text     []byte
	object   map[string]any
	distinct bool
	err      error
}

// Of is the object that a text says, as jsontree.DecodeDistinct gives it. Neither
// is to be changed.
func (t *Trees) Of(text []byte) (object map[string]any, distinct bool, err error) {
	if t == nil {
		return jsontree.DecodeDistinct(text)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range t.known {
		if bytes.Equal(k.text, text) {
			return k.object, k.distinct, k.err
		}
	}
	object, distinct, err = jsontree.DecodeDistinct(text)
	t.known = append(t.known, tree{text, object, distinct, err})
	return object, distinct, err
}
