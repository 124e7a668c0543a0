package atomic

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrChanged is the error of a file that is not as it was when it was read.
	ErrChanged = errors.New("the file has changed since it was read")
	// ErrLocked is the error of a file that another process has locked.
	ErrLocked = errors.New("another process holds its lock")
	// ErrNotRegular is the error of a folder, pipe, socket or device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrNotKept is the error of a file whose owner, group or extended attributes the
	// new one cannot have.
	ErrNotKept = errors.New("its owner or attributes cannot be kept")

	errNoFolder = errors.New("not a folder")
	errNoLocks  = errors.New("the file system has no locks")
)

// A TargetError is about one of the files of a transaction, by its path.
type TargetError struct {
	Target string
	Err    error
}

// Error names the file.
func (e *TargetError) Error() string { return fmt.Sprintf("%s: %v", e.Target, e.Err) }

// Unwrap gives the cause.
func (e *TargetError) Unwrap() error { return e.Err }

// A SwapError reports that a rename failed after others had been done. Restored
// are the files that were put back, Lost those that could not be, each with
// the name of the copy that holds its former content ("" for a file that did
// not exist before and could not be removed). Both are in the order of the
// transaction.
type SwapError struct {
	Err      error
	Restored []string
	Lost     []LostFile
}

// A LostFile has new content although the transaction failed.
type LostFile struct {
	Target string
	Backup string
	Err    error
}

// Error names all files.
func (e *SwapError) Error() string {
	text := e.Err.Error()
	if len(e.Restored) > 0 {
		text += "; put back: " + strings.Join(e.Restored, ", ")
	}
	for _, lost := range e.Lost {
		text += fmt.Sprintf("; not put back: %s (%v)", lost.Target, lost.Err)
		if lost.Backup != "" {
			text += ", its former content is in " + lost.Backup
		}
	}
	return text
}

// Unwrap gives the error of the rename.
func (e *SwapError) Unwrap() error { return e.Err }
