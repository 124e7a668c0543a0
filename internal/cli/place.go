package cli

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
	commit() error
	// discard does nothing after commit.
	discard()
}

// standardOutput takes what it gets at once: it is written to directly.
type standardOutput struct{ nowhere }

// nowhere takes nothing: the place could not be opened.
type nowhere struct{}

// Write implements io.Writer.
func (nowhere) Write(b []byte) (int, error) { return 0, fs.ErrClosed }
func (nowhere) commit() error               { return nil }
func (nowhere) discard()                    {}

// newFile is a file that gets its new content as a whole or not at all.
type newFile struct{ *atomic.Output }

func createFile(name string) (newFile, error) {
	output, err := atomic.CreateOutput(name)
	return newFile{output}, err
}

func (f newFile) commit() error { return unwritten(f.Commit()) }
func (f newFile) discard()      { f.Discard() }

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

func (*appendedFile) commit() error { return nil }
func (*appendedFile) discard()      {}
