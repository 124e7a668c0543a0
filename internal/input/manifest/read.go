package manifest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"unicode"

	"github.com/ssactl/ssactl/internal/document/scan"
	"github.com/ssactl/ssactl/internal/input/packed"
)

// Read gives the documents of paths one by one, in the order of the input,
// while it reads on. Exactly one of the two values counts: an error is always
// a *Problem, and reading goes on after it.
func Read(paths []string, opts Options) iter.Seq2[Document, error] {
	opts = opts.WithDefaults()
	return func(yield func(Document, error) bool) {
		stdin := opts.Stdin
		for _, path := range paths {
			given := 0
			files, err := Files(path, opts.Recursion)
			if err != nil {
				if !yield(Document{}, &Problem{Source: Source{File: path}, Op: "read", Err: err}) {
					return
				}
			}
			if n := unread(path, opts.Recursion); err == nil && n > 0 {
				opts.remark(Notice{Source: Source{File: path}, Unread: n, Message: "folders are not read"})
			}
			for _, file := range files {
				if opts.Stop != nil && opts.Stop() != nil {
					return
				}
				opts.Stdin = stdin
				if file == "-" {
					stdin = nil
				}
				f := &reader{file: file, opts: opts, yield: yield, among: len(files) > 1}
				f.read()
				if f.stopped && !f.full {
					return
				}
				given += f.given
			}
			if len(files) > 1 && given == 0 && !yield(Document{}, &Problem{Source: Source{File: path}, Op: "read", Err: errNoObjects}) {
				return
			}
		}
	}
}

// Load reads everything: documents and problems, each in the order of the
// input. Reading goes on after a problem; a file ends after a thousand.
func Load(paths []string, opts Options) ([]Document, []*Problem) {
	var documents []Document
	var problems []*Problem
	held := 0
	var store packed.Store
	for document, err := range Read(paths, opts) {
		var problem *Problem
		if errors.As(err, &problem) {
			problems = append(problems, problem)
			continue
		}
		if held += len(document.JSON()); opts.HoldBytes > 0 && held > opts.HoldBytes {
			document.pack(&store)
		}
		documents = append(documents, document)
	}
	return documents, problems
}

// reader reads one file.
type reader struct {
	file    string
	opts    Options
	yield   func(Document, error) bool
	doc     int // number of the document at hand
	given   int // documents, problems and skipped ones so far
	stopped bool
	// objects counts those given, skipped or told as a problem, problems the last of
	// these, and full says that there are too many: nothing more of the file is read.
	objects, problems int
	// wordKeys counts the remarks on keys of the document that are words.
	wordKeys int
	full     bool
	// among: the file is one of several that one path stands for.
	among bool
	// resumed: the YAML to read starts at the separator after JSON.
	resumed bool
	// lasting reads any part of the input again, as long as it is open; nil where it cannot
	// be read twice. stored: its text is what it has, byte for byte.
	lasting io.ReaderAt
	stored  bool
	store   packed.Store // of texts whose reading is put off
}

func (f *reader) read() {
	in, err := f.open()
	if err != nil {
		f.fail("read", 0, 0, cause(err))
		return
	}
	defer in.close()
	rest := func() {
		f.opts.notice(Source{File: f.file}, "what follows the compressed data is no gzip, and is not read")
	}
	r, err := text(in, f.opts.MaxInputBytes, rest)
	if err != nil {
		f.fail("read", 0, 0, cause(err))
		return
	}
	f.lasting, f.stored = in.again, r.stored
	br := bufio.NewReaderSize(r, scan.Chunk)
	// The slack lets a List be held that has just grown past the limit.
	w := scan.NewWindow(br, r.base, f.opts.MaxDocumentBytes+wholeListBytes)
	w.Expect(in.size)
	c := firstByte(br)
	head, _ := br.Peek(sniffed)
	if err := output(head); err != nil {
		f.fail("read", 0, 1, err)
		return
	}
	if c == '{' || c == '[' {
		f.readJSON(w)
	} else {
		f.readYAML(w)
	}
	switch {
	case f.given > 0 || f.stopped:
	case f.among && c != 0:
		// What is commented out is nothing to worry about, as for kubectl. An
		// empty file may be one that could not be written.
		f.opts.notice(Source{File: f.file}, "the file has no object: it has comments only")
	default:
		f.doc = 0
		f.fail("read", 0, 0, errNoObject)
	}
}

var (
	errNoObject  = errors.New("the file has no object: it is empty, or has comments only")
	errNoObjects = errors.New("none of the files has an object: they have comments only")
)

func (f *reader) open() (input, error) {
	if f.file == "-" {
		if f.opts.Stdin == nil {
			return input{}, errors.New("standard input is not available, or named twice")
		}
		return input{Reader: f.opts.watched(f.opts.waited(f.opts.Stdin)), close: func() {}}, nil
	}
	if waitsFor(f.file) {
		return input{Reader: f.opts.watched(f.opts.waited(&late{path: f.file})), close: func() {}}, nil
	}
	file, err := os.Open(f.file)
	if err != nil {
		return input{}, err
	}
	in := sized(file)
	if f.opts.OnFile == nil {
		in.Reader = f.opts.watched(in.Reader)
		return in, nil
	}
	d, closeFile := digest(in.Reader), in.close
	in.Reader = f.opts.watched(d)
	in.close = func() {
		f.tell(file, d)
		closeFile()
	}
	return in, nil
}

// tell reads what is left of a file, and reports what it was. One that cannot be
// read to its end is a problem, or was not waited for.
func (f *reader) tell(file *os.File, d *digested) {
	info, err := file.Stat()
	if err == nil && !f.stopped {
		if _, err = io.Copy(io.Discard, d); err == nil {
			f.opts.OnFile(f.file, info, d.sum())
		}
	}
}

// firstByte is the first byte of a text that is no space; 0 when there is
// none near the start.
func firstByte(br *bufio.Reader) byte {
	head, _ := br.Peek(sniffed)
	for _, c := range head {
		if !unicode.IsSpace(rune(c)) {
			return c
		}
	}
	return 0
}

func (f *reader) source(line int) Source {
	return Source{File: f.file, Document: f.doc, Line: line}
}

// fail gives a problem; a line that the error knows counts more.
func (f *reader) fail(op string, item, line int, err error) {
	var at *placed
	if errors.As(err, &at) {
		line = at.line
	}
	f.given++
	f.count()
	if !f.stopped && !f.yield(Document{}, &Problem{Source: f.source(line), Item: item, Op: op, Err: err}) {
		f.stopped = true
	}
	f.countProblem()
}

// give checks a document and hands it out.
func (f *reader) give(d Document, item int) {
	if f.wants(d.derived.head, d.JSON(), item, d.Source.Line) {
		f.hand(d, item)
	}
}

// wants reports whether a document is an object that is wanted; a problem is
// reported. Of the text only the first bytes count.
func (f *reader) wants(h head, asJSON []byte, item, line int) bool {
	if err := mistaken(f.file, h, asJSON); err != nil {
		f.fail("parse", item, line, err)
		return false
	}
	f.given++
	return !f.skips(h.Identity)
}

// skips reports whether a document is not wanted, and has that counted and noted.
func (f *reader) skips(id Identity) bool {
	if f.opts.Want == nil || f.beside(id) || f.opts.Want(id) {
		return false
	}
	f.count()
	if f.opts.OnSkip != nil && !f.stopped {
		f.opts.OnSkip(id)
	}
	return true
}

// beside reports whether a document says something of the input.
func (f *reader) beside(id Identity) bool { return f.opts.Beside != nil && f.opts.Beside(id) }

func (f *reader) hand(d Document, item int) {
	d.Item = item
	f.count()
	if f.beside(d.Identity) {
		f.opts.OnBeside(d)
		return
	}
	if f.stopped {
		return
	}
	if refused := f.refused(d); refused != nil {
		f.stopped = !f.yield(Document{}, refused)
		f.countProblem()
		return
	}
	if f.opts.OnDocument != nil {
		f.opts.OnDocument(d)
	}
	f.stopped = !f.yield(d, nil)
}

// refused is why a document is not handed out; nil where it is.
func (f *reader) refused(d Document) *Problem {
	if f.opts.Refuse == nil || d.Deferred() {
		return nil
	}
	field, err := f.opts.Refuse(d)
	if err == nil {
		return nil
	}
	source := d.Source
	source.Line, _ = Locate(d, field)
	return &Problem{Source: source, Item: d.Item, Op: "read", Err: err}
}

func (f *reader) tooLarge() error {
	return fmt.Errorf("the document is %w of %d bytes", ErrTooLarge, f.opts.MaxDocumentBytes)
}

// noteList notes what a List says of itself.
func (f *reader) noteList(h head, line int) {
	switch {
	case h.continued != "":
		f.opts.remark(Notice{Source: f.source(line), Incomplete: h.Kind,
			Message: "the list is incomplete (metadata.continue is set): fetch all of it, without --limit or a limit= in the query"})
	case f.opts.OnList != nil:
		f.opts.OnList(h.Identity)
	}
}
