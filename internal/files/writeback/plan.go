package writeback

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/files/atomic"
)

// NotInList is the Item of a place whose document is the object itself.
const NotInList = -1

// A Place says where an object stands in the files.
type Place struct {
	// File is the path it was read from.
	File string
	// Document counts from 1 as internal/input/manifest does: empty documents
	// count, but not what is empty above the first separator.
	Document int
	// Item is the index within the document's items, or NotInList.
	Item int
}

// verb is what a change does to its place.
type verb int

const (
	replaceObject verb = iota
	deleteObject
)

// change is one entry of a plan: an object that replaces the one at its place,
// or the live object that is to be deleted there.
type change struct {
	at     Place
	verb   verb
	object map[string]any
}

// A Plan collects what a run wants to change in files. It holds no file open
// and touches none before Commit. The zero Plan is empty and ready for use,
// with no file for new objects.
type Plan struct {
	// NewFile takes the objects given to Create: appended to it as further
	// documents, or as items where its last document is a List that takes
	// them. It is made when absent; its folder is not.
	NewFile string
	// Read are the files that the changes were worked out from, as they were
	// then, by the names in the places. Commit refuses with atomic.ErrChanged
	// where one is not so any more. A file that is not among them is taken as
	// it is.
	Read map[string]atomic.Version
	// Given are the paths that the user named, NewFile aside. A link that was found in
	// one of them, a folder, is written only where it stays in the folder or in the
	// repository that the folder is in.
	Given []string
	// OnRecovery, when not nil, is given what killed runs had left in the folders
	// of the files.
	OnRecovery func([]atomic.Recovery)

	changes  []change
	created  []map[string]any
	contents map[string][]byte
}

// Replace puts object where the live object of the same group, kind,
// namespace and name stands. The plan keeps object and does not change it.
func (p *Plan) Replace(at Place, object map[string]any) {
	p.changes = append(p.changes, change{at: at, verb: replaceObject, object: object})
}

// Delete takes the document or list item of the live object away. A List
// that loses its last item stays, with no items; a file that loses its last
// document stays, without one.
func (p *Plan) Delete(at Place, live map[string]any) {
	p.changes = append(p.changes, change{at: at, verb: deleteObject, object: live})
}

// Create adds an object that no file holds, in the order of the calls.
func (p *Plan) Create(object map[string]any) {
	p.created = append(p.created, object)
}

// Rewrite gives a whole file another text, such as an edited manifest. The
// text is as an editor shows it: a file that is compressed stays so. Rewrite
// and the other methods exclude each other for one file.
func (p *Plan) Rewrite(file string, text []byte) {
	if p.contents == nil {
		p.contents = map[string][]byte{}
	}
	p.contents[file] = text
}

// Empty reports whether there is nothing to write.
func (p *Plan) Empty() bool {
	return len(p.changes) == 0 && len(p.created) == 0 && len(p.contents) == 0
}

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

func (e *PlaceError) Unwrap() error { return e.Err }

// fileError is a PlaceError about a whole file.
func fileError(file string, err error) error {
	if err == nil {
		return nil
	}
	return &PlaceError{Place: Place{File: file, Item: NotInList}, Err: err}
}
