package manifest

import (
	"bytes"
	"fmt"
	"io"
)

// bounded gives so much of a reader, and an error where there is more.
type bounded struct {
	r           io.Reader
	limit, left int64
}

func bound(r io.Reader, limit int64) *bounded { return &bounded{r, limit, limit} }

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

// bytesPerValue bounds the number of values of a document by its largest size:
// real objects have some 30 bytes a value, and the YAML reader takes a hundred
// times the memory of a value that is written in two. A decoded value of JSON
// takes less, but is copied and compared many times.
const bytesPerValue = 20

// mayBeTooMany reports whether a YAML text may have more than most values, as far as its
// lines and commas tell, those of block texts included: what makes a value of each is not
// given such a text.
func mayBeTooMany(raw []byte, most int) bool {
	return len(raw) >= 2*most && 1+bytes.Count(raw, newline)+bytes.Count(raw, []byte(",")) > most
}

func (o Options) tooMany() error {
	return fmt.Errorf("the document has %w of %d", ErrTooManyValues, o.MaxValues)
}

// tooManyJSON reports whether a JSON text has more than most values.
func tooManyJSON(raw []byte, most int) bool {
	// A value takes two bytes at least, with what separates it.
	if len(raw) < 2*most {
		return false
	}
	n, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':' || c == '[' || c == '{'):
			n++
		}
	}
	return n > most
}
