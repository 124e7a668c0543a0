package iostreams

import (
	"context"
	"io"
)

// Interruptible is r with reads that end, with the error of ctx, when ctx is
// done: a terminal or a pipe may never give anything. A read that was left so
// keeps r; nobody else may read it afterwards. A nil r stays nil.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	if r == nil {
		return nil
	}
	return &interruptible{ctx: ctx, r: r, reads: make(chan read, 1)}
}

type interruptible struct {
	ctx   context.Context
	r     io.Reader
	buf   []byte
	reads chan read
}

type read struct {
	n   int
	err error
}

// Read reads into a buffer of its own, which a read that is left may still
// write to.
func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	if len(i.buf) < len(p) {
		i.buf = make([]byte, len(p))
	}
	buf := i.buf[:len(p)]
	go func() {
		n, err := i.r.Read(buf)
		i.reads <- read{n, err}
	}()
	select {
	case done := <-i.reads:
		return copy(p, buf[:done.n]), done.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
