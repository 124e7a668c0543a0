package manifest

import (
	"fmt"
	"io"
)

// bounded gives so much of a reader, and an error where there is more.
type bounded struct {
	r           io.Reader
	limit, left int64
}

func bound(r io.Reader, limit int64) *bounded { return &bounded{r, limit, limit} }

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return b.more()
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// more is the end of what is within the limit.
func (b *bounded) more() (int, error) {
	var one [1]byte
	n, err := b.r.Read(one[:])
	if n > 0 {
		return 0, fmt.Errorf("%w of %d", ErrTooLong, b.limit)
	}
	return 0, err
}

// count counts an object that is to be given, skipped or told as a problem. The
// first beyond the limit is a problem instead, and ends the file.
func (f *reader) count() {
	if f.objects++; f.objects > f.opts.MaxObjects {
		f.end(fmt.Errorf("%w of %d; the rest is not read", ErrTooManyObjects, f.opts.MaxObjects))
	}
}

// mostProblems limits how many problems of one file are reported. One that has more is no file of manifests, and
// nobody reads as many messages as it may have lines.
const mostProblems = 1000

// countProblem counts a problem that was given. The last one that is
// reported ends the file.
func (f *reader) countProblem() {
	if f.problems++; f.problems == mostProblems {
		f.end(fmt.Errorf("%d objects of the input cannot be read; the rest is not read", f.problems))
	}
}

// end gives a problem that is the last of the file: nothing more of it is read, and
// those after it are.
func (f *reader) end(err error) {
	if f.stopped {
		return
	}
	f.stopped = true
	f.full = f.yield(Document{}, &Problem{Source: f.source(0), Op: "read", Err: err})
}
