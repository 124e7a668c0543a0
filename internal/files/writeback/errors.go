package writeback

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrStandardInput is the error of a plan that names "-": a stream has no
	// place that could be written to.
	ErrStandardInput = errors.New("standard input cannot be written back")
	// ErrNoNewFile is the error of a plan that creates an object without a
	// file for new objects.
	ErrNoNewFile = errors.New("no file is named for new objects")
	// ErrChanged is the error of a file that is not as it was when read.
	ErrChanged = errors.New("the file has changed since it was read")
	// ErrReadOnly is the error of a file whose mode lets nobody write. The
	// rename would replace it all the same, so the mode is asked.
	ErrReadOnly = errors.New("the file is read-only")
	// ErrNotRegular is the error of a folder, pipe, socket or device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrWrongObject is the error of a place that holds another object than
	// the plan says.
	ErrWrongObject = errors.New("another object is there")
	// ErrUnsafe is the error of a text whose rewriting could not be proved
	// right, such as a list item that other items refer to by an alias.
	ErrUnsafe    = errors.New("cannot be rewritten without touching other objects")
	errNotObject = errors.New("not an object")
	// ErrTwice is the error of a place that a plan changes more than once.
	ErrTwice = errors.New("changed more than once")
)

// A PlaceError tells where in the files an error is. File is as the plan gave
// it; Document is 0 when the whole file is meant, Item is NotInList or the
// index in the document's list.
type PlaceError struct {
	Place
	Err error
}

func (e *PlaceError) Error() string {
	var where strings.Builder
	where.WriteString(e.File)
	if e.Document > 0 {
		fmt.Fprintf(&where, ", document %d", e.Document)
		if e.Item >= 0 {
			fmt.Fprintf(&where, ", item %d", e.Item+1)
		}
	}
	return fmt.Sprintf("write %s: %v", where.String(), e.Err)
}

// Unwrap gives the cause.
func (e *PlaceError) Unwrap() error { return e.Err }

// fileError is a PlaceError about a whole file.
func fileError(file string, err error) error {
	if err == nil {
		return nil
	}
	return &PlaceError{Place: Place{File: file, Item: NotInList}, Err: err}
}

// A SwapError tells that a rename failed after others had been done. Restored
// holds the files that were put back, Lost those that could not be, each with
// the name of the copy that holds its former content ("" for a file that did
// not exist before and could not be removed). Both are sorted.
type SwapError struct {
	Err      error
	Restored []string
	Lost     []LostFile
}

// A LostFile has new content although the commit failed.
type LostFile struct {
	File   string
	Backup string
	Err    error
}

func (e *SwapError) Error() string {
	text := e.Err.Error()
	if len(e.Restored) > 0 {
		text += "; put back: " + strings.Join(e.Restored, ", ")
	}
	for _, lost := range e.Lost {
		text += fmt.Sprintf("; not put back: %s (%v)", lost.File, lost.Err)
		if lost.Backup != "" {
			text += ", its former content is in " + lost.Backup
		}
	}
	return text
}

// Unwrap gives the error of the rename.
func (e *SwapError) Unwrap() error { return e.Err }
