// Package writeback puts resulting objects into the files that the live
// objects were read from.
//
// A Plan collects what to replace, delete and create; Commit carries it out
// for all files or for none:
//
//	resolve   symbolic links to their targets; standard input is refused
//	rewrite   the new text of every file, checked by reading it again
//	stage     a temporary file beside each target, synced to disk
//	swap      rename each into place; a failure puts the earlier ones back
//
// Within a file only the documents and list items that the plan names change;
// every other byte stays. An object that is equal to what the file holds
// already is not written at all.
package writeback

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
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

// Commit carries the plan out, for all files or for none. It gives the files
// that were written, as the plan named them and sorted; a file whose bytes
// would not change is not written and not among them. A symbolic link stays
// one, and the file it means is written. Mode and, where the system allows it,
// owner stay; further names of the same file (hard links) keep the former
// content. The files are locked from before they are compared with what was
// read until they are in place.
//
// Errors before the first rename, a canceled ctx among them, leave everything
// as it was. They are PlaceErrors and can be joined; a failed rename is an
// atomic.SwapError. After the first rename ctx is not asked any more.
func (p *Plan) Commit(ctx context.Context, files atomic.FileSystem) ([]string, error) {
	if p.Empty() {
		return nil, nil
	}
	tx, err := atomic.Begin(ctx, files, p.meant(files))
	if err != nil {
		return nil, placed(err)
	}
	defer tx.Close()
	if p.OnRecovery != nil {
		p.OnRecovery(tx.Recovered)
	}
	targets, err := p.prepare(ctx, files)
	if err != nil {
		return nil, err
	}
	written := make([]string, len(targets))
	for i, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := tx.Replace(atomic.Target{Name: t.file, Path: t.path}, t.next, t.info, t.raw); err != nil {
			return nil, placed(err)
		}
		written[i] = t.file
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, placed(err)
	}
	slices.Sort(written)
	return written, nil
}

// placed is an error of a transaction as one about a place.
func placed(err error) error {
	var swap *atomic.SwapError
	var target *atomic.TargetError
	switch {
	case errors.As(err, &swap):
		swap.Err = placed(swap.Err)
		return swap
	case errors.As(err, &target):
		return fileError(target.Target, target.Err)
	}
	return err
}

// meant are the files that the plan may write. What cannot be resolved is an
// error of prepare.
func (p *Plan) meant(files atomic.FileSystem) []atomic.Target {
	names := slices.Collect(maps.Keys(p.contents))
	for _, c := range p.changes {
		names = append(names, c.at.File)
	}
	if len(p.created) > 0 {
		names = append(names, p.NewFile)
	}
	slices.Sort(names)
	byPath := map[string]bool{}
	var targets []atomic.Target
	for _, name := range slices.Compact(names) {
		path, ok := p.path(files, name)
		if ok && !byPath[path] {
			byPath[path] = true
			targets = append(targets, atomic.Target{Name: name, Path: path})
		}
	}
	return targets
}

// path is that of a file which can be written; false of any other.
func (p *Plan) path(files atomic.FileSystem, name string) (string, bool) {
	if name == "-" || name == "" {
		return "", false
	}
	path, err := files.Resolve(name)
	if errors.Is(err, fs.ErrNotExist) && name == p.NewFile {
		path, err = filepath.Abs(name)
		return path, err == nil
	}
	if err != nil {
		return "", false
	}
	info, err := files.Lstat(path)
	return path, err == nil && info.Mode().IsRegular()
}

// prepare works out the new bytes of every file and gives the targets whose
// bytes change. Errors of several files are reported together.
func (p *Plan) prepare(ctx context.Context, files atomic.FileSystem) ([]*target, error) {
	targets, err := p.targets(files)
	if err != nil {
		return nil, err
	}
	var changed []*target
	var errs []error
	for _, t := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.rewrite(); err != nil {
			errs = append(errs, err)
			continue
		}
		if t.info == nil || !bytes.Equal(t.next, t.raw) {
			changed = append(changed, t)
		}
	}
	return changed, errors.Join(errs...)
}

// rewrite works out the new bytes of one file.
func (t *target) rewrite() error {
	text, around, err := open(t.raw)
	if err != nil {
		return fileError(t.file, err)
	}
	edited := text
	if t.renew {
		edited = bytes.TrimPrefix(t.content, byteOrderMark)
	}
	if edited, err = rewrite(edited, t.changes); err != nil {
		return err
	}
	if edited, err = appendObjects(t.file, edited, t.created); err != nil {
		return fileError(t.file, err)
	}
	if t.info == nil && filepath.Ext(t.file) == ".gz" {
		// Without a time, so that the same objects give the same bytes.
		around.compressed = &gzip.Header{OS: 255}
	}
	t.next = t.raw
	if !bytes.Equal(edited, text) || t.info == nil {
		t.next, err = around.seal(edited)
	}
	return fileError(t.file, err)
}
