package cli

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

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

// standardOutput takes what it gets at once.
type standardOutput struct{ io.Writer }

func (standardOutput) commit() error { return nil }
func (standardOutput) discard()      {}

// nowhere takes nothing: the place could not be opened.
type nowhere struct{}

// Write implements io.Writer.
func (nowhere) Write(b []byte) (int, error) { return 0, fs.ErrClosed }
func (nowhere) commit() error               { return nil }
func (nowhere) discard()                    {}

// newFile is a file that gets its new content as a whole or not at all: it is
// written beside its place, and renamed. What is no regular file, such as a
// device or a pipe, is written as it is; and so is, at the end, a file that
// cannot be replaced by renaming (the folder is read-only, or the file is
// mounted).
type newFile struct {
	*bufio.Writer
	name string
	file *os.File
	// staged is the name of the file that is written; empty where it is the
	// file itself.
	staged string
}

// createFile opens the place of a file. The folder has to exist.
func createFile(name string) (*newFile, error) {
	target := name
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return openDirectly(name)
	case err == nil:
		if target, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
		// A file that may not be written may not be replaced either.
		if err := writable(target); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	staged := atomic.Beside(target)
	file, err := os.OpenFile(staged, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return openDirectly(name)
	}
	if err != nil {
		return nil, under(name, err)
	}
	if info != nil {
		_ = file.Chmod(info.Mode().Perm())
	}
	return &newFile{Writer: bufio.NewWriter(named{file, name}), name: target, file: file, staged: staged}, nil
}

// named is a file that tells its errors under the name that the caller gave.
type named struct {
	io.Writer
	name string
}

// Write implements io.Writer.
func (n named) Write(b []byte) (int, error) {
	written, err := n.Writer.Write(b)
	return written, under(n.name, err)
}

// under is an error about a file, told under another name.
func under(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		path.Path = name
	}
	return err
}

func openDirectly(name string) (*newFile, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	return &newFile{Writer: bufio.NewWriter(file), name: name, file: file}, nil
}

func writable(name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

func (f *newFile) commit() error {
	err := f.Flush()
	if err == nil && f.staged != "" {
		if err = os.Rename(f.staged, f.name); err != nil {
			err = f.copyInto()
		} else {
			f.staged = ""
		}
	}
	if closing := f.file.Close(); err == nil {
		err = closing
	}
	f.file = nil
	f.discard()
	return under(f.name, err)
}

// copyInto writes the file itself, where no other can take its place.
func (f *newFile) copyInto() error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	target, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, f.file)
	return errors.Join(err, target.Close())
}

func (f *newFile) discard() {
	if f.file != nil {
		_ = f.file.Close()
		f.file = nil
	}
	if f.staged != "" {
		_ = os.Remove(f.staged)
		f.staged = ""
	}
}

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
