package atomic

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

func (e *TargetError) Error() string { return fmt.Sprintf("%s: %v", e.Target, e.Err) }

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

// A Version is what a file was when it was read: which file its name meant,
// and the bytes that it had. A Version without Info is that of any file with
// these bytes.
type Version struct {
	// Info describes the file that was open, nil where that is not known.
	Info fs.FileInfo
	// Sum is the SHA-256 digest of the bytes on disk (compressed, where they
	// are).
	Sum [sha256.Size]byte
}

// VersionOf gives the version of a file from its bytes and attributes.
func VersionOf(content []byte, info fs.FileInfo) Version {
	return Version{Info: info, Sum: sha256.Sum256(content)}
}

// Agrees reports whether a file is the one that was read, with the bytes that
// were read. A file that another one with the same bytes took the place of is
// not: its name may mean something else by now.
func (v Version) Agrees(content []byte, info fs.FileInfo) bool {
	if v.Info != nil && info != nil && !os.SameFile(v.Info, info) {
		return false
	}
	return v.Sum == sha256.Sum256(content)
}
