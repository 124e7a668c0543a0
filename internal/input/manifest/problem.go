package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Source is a place in an input. It converts to engine.Source.
type Source struct {
	// File is the path as the user gave it (below a directory: joined to
	// it); "-" is standard input.
	File string
	// Document counts from 1 in its file; empty documents count. 0 when the
	// place is the file as a whole.
	Document int
	// Line counts from 1; 0 when it is not known.
	Line int
}

// String names the place for messages: "web.yaml, document 2: line 14". What
// is 0 is left out; standard input is named so.
func (s Source) String() string {
	var b strings.Builder
	if s.File == "-" {
		b.WriteString("standard input")
	} else {
		b.WriteString(s.File)
	}
	if s.Document > 0 {
		fmt.Fprintf(&b, ", document %d", s.Document)
	}
	if s.Line > 0 {
		fmt.Fprintf(&b, ": line %d", s.Line)
	}
	return b.String()
}

// Problem is an input that gave no object. The others of the same file are
// still read where the text allows it.
type Problem struct {
	Source Source
	// Item counts from 1 in a List; 0 outside of one.
	Item int
	// Op is what was done: "read" or "parse".
	Op  string
	Err error
}

// Error returns operation, place and cause.
func (p *Problem) Error() string {
	return p.Op + " " + p.Source.String() + ": " + p.Message()
}

// Message is the cause without the place.
func (p *Problem) Message() string {
	if p.Item > 0 {
		return fmt.Sprintf("item %d of the list: %v", p.Item, p.Err)
	}
	return p.Err.Error()
}

func (p *Problem) Unwrap() error { return p.Err }

// Notice is a remark on an input that was read.
type Notice struct {
	Source  Source
	Message string
	// Incomplete is the kind of a list that is not all of it (metadata.continue is set);
	// empty for others.
	Incomplete string
	// Unread is how many folders were left out that have files to read.
	Unread int
}

func (n Notice) String() string { return n.Source.String() + ": " + n.Message }

// The causes that callers may want to tell apart.
var (
	// ErrTooLarge: a document is larger than Options.MaxDocumentBytes.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrTooManyValues: a document has more than Options.MaxValues.
	ErrTooManyValues = errors.New("more values than the limit")
	// ErrTooLong: an input has more bytes than Options.MaxInputBytes.
	ErrTooLong = errors.New("the input has more bytes than the limit")
	// ErrTooManyObjects: an input has more objects than Options.MaxObjects.
	ErrTooManyObjects = errors.New("the input has more objects than the limit")
	// ErrTooDeep: a document is nested deeper than Options.MaxDepth.
	ErrTooDeep = scan.ErrTooDeep
	// ErrChanged: a file is not as it was when a part of it was read that is needed again.
	ErrChanged = errors.New("the file changed after it was read, and part of it is needed again: run again, on a copy if it keeps changing")
)
