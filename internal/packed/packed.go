package packed

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"io"
	"sync"
)

// pack compresses a JSON text without its indentation. What is not JSON is
// packed as it is.
func pack(text []byte) []byte {
	var compact bytes.Buffer
	compact.Grow(len(text))
	if json.Compact(&compact, text) != nil {
		compact.Reset()
		compact.Write(text)
	}
	w := writers.Get().(*flate.Writer)
	defer writers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	// A buffer takes everything.
	_, _ = w.Write(compact.Bytes())
	_ = w.Close()
	return bytes.Clone(out.Bytes())
}

func unpack(b []byte) ([]byte, error) {
	r := readers.Get().(io.ReadCloser)
	defer readers.Put(r)
	// The readers of this package can be reset.
	if err := r.(flate.Resetter).Reset(bytes.NewReader(b), nil); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

var (
	writers = sync.Pool{New: func() any {
		// The level is a valid one.
		w, _ := flate.NewWriter(io.Discard, flate.BestSpeed)
		return w
	}}
	readers = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}
)
