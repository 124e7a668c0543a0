package atomic

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// An Output is a file that is written while a run goes on, and that gets its
// new content as a whole or not at all: it is written beside its place, where
// nobody else may read it, and renamed at the end. What is no regular file, such
// as a device or a pipe, is written as it is; and so is, at the end, a file that
// cannot be replaced by renaming (the folder is read-only, or the file is
// mounted).
type Output struct {
	*bufio.Writer
	// name is what the user calls it, path what is meant.
	name, path string
	file       *os.File
	// staged is the name of the file that is written; empty where it is the
	// file itself.
	staged string
	// files say which mode the file gets.
	files FileSystem
}

// CreatePrivate is CreateOutput of a file that nobody else may read, whatever was there.
func CreatePrivate(name string) (*Output, error) {
	o, err := CreateOutput(name)
	if err != nil {
		return nil, err
	}
	o.files = private{}
	return o, nil
}

// private gives files to their owner alone.
type private struct{ OS }

// Like implements FileSystem.
func (private) Like(name, _ string) error { return os.Chmod(name, 0o600) }

// CreateOutput opens the place of a file. The folder has to exist.
func CreateOutput(name string) (*Output, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return openDirectly(name)
	case err == nil:
		if path, err = (OS{}).Resolve(name); err != nil {
			return nil, err
		}
		// A file that may not be written may not be replaced either.
		if err := writable(path); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	staged := beside(path)
	file, err := os.OpenFile(staged, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return openDirectly(name)
	}
	if err != nil {
		return nil, under(name, err)
	}
	// As long as it is locked, nobody takes it for one that was left behind.
	_ = tryLock(file)
	open.Store(staged, nil)
	return &Output{
		Writer: bufio.NewWriter(renamed{file, name}),
		name:   name,
		path:   path,
		file:   file,
		staged: staged,
		files:  OS{},
	}, nil
}

// renamed is a file that tells its errors under the name that the caller gave.
type renamed struct {
	io.Writer
	name string
}

func (r renamed) Write(b []byte) (int, error) {
	written, err := r.Writer.Write(b)
	return written, under(r.name, err)
}

// under is an error about a file, told under another name.
func under(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		path.Path = name
	}
	return err
}

func openDirectly(name string) (*Output, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	return &Output{Writer: bufio.NewWriter(file), name: name, file: file}, nil
}

func writable(name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// Commit puts the file in place. It waits for others that write it.
func (o *Output) Commit() error {
	err := o.Flush()
	if err == nil && o.staged != "" {
		err = o.place()
	}
	if o.file != nil {
		if closing := o.file.Close(); err == nil {
			err = closing
		}
		o.file = nil
	}
	o.Discard()
	return under(o.name, err)
}

// place renames the file that was written. Where another cannot take the place
// of the file, it is written itself.
func (o *Output) place() error {
	if err := o.file.Sync(); err != nil {
		return err
	}
	t, err := Begin(context.Background(), o.files, []Target{{Name: o.name, Path: o.path}})
	if err != nil {
		return err
	}
	defer t.Close()
	if !removesOpenFiles {
		if err := o.file.Close(); err != nil {
			return err
		}
		o.file = nil
	}
	if err := t.place(o.staged, o.path); err != nil {
		return o.copyInto()
	}
	open.Delete(o.staged)
	o.staged = ""
	t.files.SyncFolder(filepath.Dir(o.path))
	return nil
}

func (o *Output) copyInto() error {
	written, err := os.Open(o.staged)
	if err != nil {
		return err
	}
	defer func() { _ = written.Close() }()
	target, err := os.OpenFile(o.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, written)
	return errors.Join(err, target.Close())
}

// Discard takes an output back that was not committed.
func (o *Output) Discard() {
	if o.file != nil {
		_ = o.file.Close()
		o.file = nil
	}
	if o.staged != "" {
		_ = os.Remove(o.staged)
		open.Delete(o.staged)
		o.staged = ""
	}
}

// open has the names of what is written for outputs that are not committed.
var open sync.Map

// DiscardOutputs removes what was written for outputs that are not committed, even
// during writes: the process is about to end.
func DiscardOutputs() {
	for staged := range open.Range {
		_ = os.Remove(staged.(string))
	}
}
