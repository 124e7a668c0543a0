package snapshot

import (
	"bytes"
	"compress/gzip"
	"errors"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// writer writes objects into one compressed file: a line of JSON for each, after one that
// says what the file is. The reader of live objects takes it as it is. It holds the lines,
// compressed, until it is saved: what the first line says is known last.
type writer struct {
	packed bytes.Buffer
	zip    *gzip.Writer
}

// newWriter gives an empty bundle.
func newWriter() *writer {
	w := &writer{}
	w.zip = gzip.NewWriter(&w.packed)
	return w
}

// add puts an object into the bundle: JSON without line ends.
func (w *writer) add(object []byte) error {
	_, err := w.zip.Write(append(bytes.Clone(object), '\n'))
	return err
}

// save writes the bundle with its first line into a file that nobody else may read: as a
// whole, or not at all.
func (w *writer) save(name string, first []byte) error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	output, err := atomic.CreatePrivate(name)
	if err != nil {
		return err
	}
	defer output.Discard()
	head := gzip.NewWriter(output)
	_, err = head.Write(append(bytes.Clone(first), '\n'))
	if err = errors.Join(err, head.Close()); err != nil {
		return err
	}
	if _, err := output.Write(w.packed.Bytes()); err != nil {
		return err
	}
	return output.Commit()
}
