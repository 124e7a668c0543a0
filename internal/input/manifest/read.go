package manifest

import (
	"bufio"
	"errors"
	"iter"
	"slices"
	"unicode"

	"github.com/ssactl/ssactl/internal/document/scan"
	"github.com/ssactl/ssactl/internal/packed"
)

// Read gives the documents of paths one by one, in the order of the input,
// while it reads on. Exactly one of the two values counts: an error is always
// a *Problem, and reading goes on after it.
func Read(paths []string, opts Options) iter.Seq2[Document, error] {
	opts = opts.WithDefaults()
	return func(yield func(Document, error) bool) {
		opts := opts
		for _, path := range paths {
			if !readPath(path, &opts, yield) {
				return
			}
		}
	}
}

// readPath reads what a path stands for; false where reading ends. Of the options, it takes
// standard input once that was read.
func readPath(path string, opts *Options, yield func(Document, error) bool) bool {
	files, err := Files(path, opts.Recursion)
	if err != nil && !yield(Document{}, &Problem{Source: Source{File: path}, Op: "read", Err: err}) {
		return false
	}
	if n := unread(path, opts.Recursion); err == nil && n > 0 {
		opts.remark(Notice{Source: Source{File: path}, Unread: n, Message: "folders are not read"})
	}
	given := 0
	for _, file := range files {
		if opts.Stop != nil && opts.Stop() != nil {
			return false
		}
		f := &reader{file: file, opts: *opts, yield: yield, among: len(files) > 1}
		if file == "-" {
			opts.Stdin = nil
		}
		f.read()
		if f.stopped && !f.full {
			return false
		}
		given += f.given
	}
	return len(files) < 2 || given > 0 ||
		yield(Document{}, &Problem{Source: Source{File: path}, Op: "read", Err: errNoObjects})
}

// Load reads everything: documents and problems, each in the order of the
// input. Reading goes on after a problem; a file ends after a thousand.
func Load(paths []string, opts Options) ([]Document, []*Problem) {
	var documents []Document
	var problems []*Problem
	held := 0
	var store packed.Store
	for d, err := range Read(paths, opts) {
		var problem *Problem
		if errors.As(err, &problem) {
			problems = append(problems, problem)
			continue
		}
		held += len(d.JSON())
		if opts.HoldBytes > 0 && held > opts.HoldBytes && d.Format == YAML && d.derived.packed.Empty() {
			d.derived.packed, d.derived.json = store.Put(d.derived.json, PlaceOf(d.Identity)), nil
		}
		documents = append(documents, d)
	}
	return documents, problems
}

var (
	errNoObject  = errors.New("the file has no object: it is empty, or has comments only")
	errNoObjects = errors.New("none of the files has an object: they have comments only")
)

func (f *reader) read() {
	in, err := f.open()
	if err != nil {
		f.fail("read", 0, 0, cause(err))
		return
	}
	defer in.close()
	r, err := text(in, f.opts.MaxInputBytes, func() {
		f.opts.notice(Source{File: f.file}, "what follows the compressed data is no gzip, and is not read")
	})
	if err != nil {
		f.fail("read", 0, 0, cause(err))
		return
	}
	f.lasting, f.stored = in.again, r.stored
	br := bufio.NewReaderSize(r, scan.Chunk)
	// The slack lets a List be held that has just grown past the limit.
	w := scan.NewWindow(br, r.base, f.opts.MaxDocumentBytes+wholeListBytes)
	w.Expect(in.size)
	head, _ := br.Peek(sniffed)
	first := slices.IndexFunc(head, func(c byte) bool { return !unicode.IsSpace(rune(c)) })
	if err := output(head); err != nil {
		f.fail("read", 0, 1, err)
		return
	}
	if first >= 0 && (head[first] == '{' || head[first] == '[') {
		f.readJSON(w)
	} else {
		f.readYAML(w)
	}
	switch {
	case f.given > 0 || f.stopped:
	case f.among && first >= 0:
		// What is commented out is nothing to worry about, as for kubectl. An
		// empty file may be one that could not be written.
		f.opts.notice(Source{File: f.file}, "the file has no object: it has comments only")
	default:
		f.doc = 0
		f.fail("read", 0, 0, errNoObject)
	}
}
