package atomic

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// removesOpenFiles: Windows neither removes nor replaces an open file.
const removesOpenFiles = false

// tryLock takes the lock of an open file; ErrLocked where another process has
// it. It locks a byte that no file has, since others could not read a locked
// one.
func tryLock(file *os.File) error {
	at := &windows.Overlapped{Offset: math.MaxUint32 - 1, OffsetHigh: math.MaxInt32}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// holdFile does nothing: a file that is open cannot be replaced. The lock of
// its folder keeps other runs away.
func holdFile(*os.File) error { return errNoHold }

var errNoHold = errors.New("an open file cannot be replaced")
