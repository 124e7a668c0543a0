package atomic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// journalName is the file that locks a folder during a write. The writer has an
// advisory lock on it, which ends with the process: a file without one was left by a
// run that was killed.
const journalName = ".ssactl-journal"

// maxJournal bounds what is read of a journal that was found.
const maxJournal = 64 << 20

// A Lock is a file that this process alone holds.
type Lock interface {
	// IsNew reports whether taking the lock made the file.
	IsNew() bool
	// Read gives all that the file has.
	Read() ([]byte, error)
	// Write replaces it, and makes that durable.
	Write(content []byte) error
	// Remove deletes the file while it is held, and releases it.
	Remove() error
	// Release lets others have it. It does nothing after Remove.
	Release()
}

// Lock implements FileSystem.
func (OS) Lock(name string) (Lock, error) {
	for {
		// A link would let its author choose the file that is written.
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", name, ErrNotRegular)
		}
		file, isNew, err := openOrMake(name)
		if errors.Is(err, fs.ErrNotExist) && !isNew {
			continue // it was removed in between
		}
		if err != nil {
			return nil, err
		}
		if err := tryLock(file); err != nil && !errors.Is(err, errNoLocks) {
			_ = file.Close()
			return nil, err
		}
		if isStill(file, name) {
			return &osLock{file, isNew}, nil
		}
		// Its former holder has removed it.
		_ = file.Close()
	}
}

// openOrMake opens a file, and reports whether that made it.
func openOrMake(name string) (file *os.File, isNew bool, err error) {
	file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return file, true, err
	}
	file, err = os.OpenFile(name, os.O_RDWR, 0)
	return file, false, err
}

// isStill reports whether a name means an open file.
func isStill(file *os.File, name string) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(opened, named)
}

type osLock struct {
	file  *os.File
	isNew bool
}

// IsNew implements Lock.
func (l *osLock) IsNew() bool { return l.isNew }

func (l *osLock) Read() ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(l.file, 0, maxJournal))
}

func (l *osLock) Write(content []byte) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	if _, err := l.file.WriteAt(content, 0); err != nil {
		return err
	}
	return l.file.Sync()
}

// Remove implements Lock.
func (l *osLock) Remove() error {
	if removesOpenFiles {
		defer l.Release()
		return os.Remove(l.file.Name())
	}
	l.Release()
	return os.Remove(l.file.Name())
}

// Release implements Lock.
func (l *osLock) Release() { _ = l.file.Close() }

// Hold implements FileSystem.
func (OS) Hold(name string) (io.Closer, error) {
	for {
		// A link never is what it leads to, and a pipe may wait for its other end.
		if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w", name, ErrNotRegular)
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		err = holdFile(file)
		if err == nil && isStill(file, name) {
			return file, nil
		}
		_ = file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// patience is how long a lock is waited for, and pause how often it is asked
// for again. A commit takes a fraction of that.
const (
	patience = 10 * time.Second
	pause    = 20 * time.Millisecond
)

// waiting tries until a lock is had, nobody waits any more, or it takes too
// long.
func waiting(ctx context.Context, try func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := try()
		if !errors.Is(err, ErrLocked) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// foldersOf are the folders of paths, sorted.
func foldersOf(paths []string) []string {
	folders := make([]string, len(paths))
	for i, path := range paths {
		folders[i] = filepath.Dir(path)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// cause is an error without the names of files: those beside the target say
// nothing to anybody.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
