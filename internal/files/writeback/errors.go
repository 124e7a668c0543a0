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
	// ErrReadOnly is the error of a file whose mode lets nobody write. The
	// rename would replace it anyway, so the mode is checked.
	ErrReadOnly = errors.New("the file is read-only")
	// ErrWrongObject is the error of a place that holds another object than
	// the plan says.
	ErrWrongObject = errors.New("another object is there")
	// ErrUnsafe is the error of a text whose rewriting could not be proved
	// right, such as a list item that other items refer to by an alias.
	ErrUnsafe    = errors.New("cannot be rewritten without touching other objects")
	errNotObject = errors.New("not an object")
	// ErrExists is the error of an object that is to be created in a file that
	// has it.
	ErrExists = errors.New("the file has this object already")
	// ErrTwice is the error of a place that a plan changes more than once.
	ErrTwice = errors.New("changed more than once")
)

// A PlaceError reports where in the files an error is. File is as the plan gave
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
