package output

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// place is where an output goes. It is written, then committed; what is not is
// discarded, if that is possible.
type place interface {
	io.Writer
	Commit() error
	// Discard does nothing after commit.
	Discard()
}

// standardOutput takes what it gets at once: it is written to directly.
type standardOutput struct{ nowhere }

// nowhere takes nothing: the place could not be opened.
type nowhere struct{}

// Write implements io.Writer.
func (nowhere) Write(b []byte) (int, error) { return 0, fs.ErrClosed }
func (nowhere) Commit() error               { return nil }
func (nowhere) Discard()                    {}

// newFile is a file that gets its new content as a whole or not at all.
type newFile struct{ *atomic.Output }

// CreateFile opens a file that is to get its new content.
func CreateFile(name string) (newFile, error) {
	output, err := atomic.CreateOutput(name)
	return newFile{output}, err
}

func (f newFile) Commit() error { return Unwritten(f.Output.Commit()) }
func (f newFile) Discard()      { f.Output.Discard() }

// appendedFile is a file that is added to.
type appendedFile struct{ name string }

// Write implements io.Writer.
func (f *appendedFile) Write(b []byte) (int, error) {
	file, err := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	n, err := file.Write(b)
	return n, errors.Join(err, file.Close())
}

func (*appendedFile) Commit() error { return nil }
func (*appendedFile) Discard()      {}
