//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomic

import (
	"errors"
	"os"
	"syscall"
)

// removesOpenFiles says that an open file can lose its name, and a file that is locked
// can be replaced by another.
const removesOpenFiles = true

// tryLock takes the lock of an open file; ErrLocked where another process has
// it, errNoLocks where the file system has none.
func tryLock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			return errNoLocks
		default:
			return err
		}
	}
}

// holdFile takes the lock of a file that is to be replaced. Where the file
// system has no such locks, that of the folder has to do.
func holdFile(file *os.File) error {
	if err := tryLock(file); errors.Is(err, ErrLocked) {
		return err
	}
	return nil
}
