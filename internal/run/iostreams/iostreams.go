// Package iostreams is the way from a command to its input, output and
// commentary, and what is known about them: terminal, width, color.
package iostreams

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/term"

	"github.com/ssactl/ssactl/internal/render/safetext"
)

// DefaultWidth is that of an output that is no terminal.
const DefaultWidth = 80

// IOStreams are what a command reads and writes. Out carries the answer, Err
// the commentary; both as people read them, unless another reading is asked for.
type IOStreams struct {
	In       io.Reader
	Out, Err *safetext.Writer
	// InIsTerminal, OutIsTerminal and ErrIsTerminal are false for anything
	// that is not known to be a terminal.
	InIsTerminal, OutIsTerminal, ErrIsTerminal bool

	// programOut and programErr are the places themselves.
	programOut, programErr io.Writer

	getenv        func(string) string
	terminalWidth int
	errWidth      int
}

// System gives the streams of the process. getenv reads the environment, as
// os.Getenv does.
func System(getenv func(string) string) *IOStreams {
	var out io.Writer = os.Stdout
	if closed(os.Stdout) {
		out = noOutput{}
	}
	s := New(os.Stdin, out, os.Stderr, getenv)
	s.InIsTerminal = term.IsTerminal(int(os.Stdin.Fd()))
	s.OutIsTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	s.ErrIsTerminal = term.IsTerminal(int(os.Stderr.Fd()))
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		s.terminalWidth = width
	}
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
		s.errWidth = width
	}
	return s
}

// noOutput is a standard output that is closed: an answer cannot be given there,
// and what nobody writes is not missed.
type noOutput struct{}

func (noOutput) Write([]byte) (int, error) {
	return 0, errors.New(
		"standard output is closed: nothing can be shown there (to discard it, redirect it to " + os.DevNull + ")",
	)
}

// New gives streams that are no terminals, for tests and embedding. A nil
// getenv is an empty environment.
func New(in io.Reader, out, err io.Writer, getenv func(string) string) *IOStreams {
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	return &IOStreams{
		In: in, Out: safetext.NewWriter(out, safetext.Plain), Err: safetext.NewWriter(err, safetext.Plain),
		programOut: out, programErr: err, getenv: getenv,
	}
}

// Program are the streams for a program that the user named: it writes there as
// if it were started without ssactl.
func (s *IOStreams) Program() (out, err io.Writer) { return s.programOut, s.programErr }

// Flush writes what is left of both streams.
func (s *IOStreams) Flush() error { return errors.Join(s.Out.Flush(), s.Err.Flush()) }

// Getenv reads a variable of the environment; empty where it is not set.
func (s *IOStreams) Getenv(name string) string { return s.getenv(name) }

// Width is that of Out in columns: COLUMNS where it is a positive number, else
// the terminal's, else DefaultWidth.
func (s *IOStreams) Width() int { return s.widthOf(s.OutIsTerminal, s.terminalWidth) }

// ErrWidth is that of Err in columns, as Width is that of Out.
func (s *IOStreams) ErrWidth() int { return s.widthOf(s.ErrIsTerminal, s.errWidth) }

func (s *IOStreams) widthOf(isTerminal bool, width int) int {
	if n, err := strconv.Atoi(s.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if isTerminal && width > 0 {
		return width
	}
	return DefaultWidth
}

// Fits reports whether tables are to fit Width: on a terminal, or where COLUMNS
// says so. Elsewhere they are searched by line.
func (s *IOStreams) Fits() bool {
	n, err := strconv.Atoi(s.getenv("COLUMNS"))
	return s.OutIsTerminal || err == nil && n > 0
}

// Color is the value of the --color flag.
type Color string

// The values of --color. The zero value is that of ColorAuto.
const (
	ColorAuto   Color = "auto"
	ColorAlways Color = "always"
	ColorNever  Color = "never"
)

// ParseColor reads the value of the flag; the error lists what there is.
func ParseColor(s string) (Color, error) {
	switch c := Color(s); c {
	case ColorAuto, ColorAlways, ColorNever:
		return c, nil
	}
	return "", fmt.Errorf("unknown color mode %q: use one of auto, always, never", s)
}

// ColorEnabled decides whether Out gets color: by the flag, then by NO_COLOR
// (set and not empty: no), CLICOLOR_FORCE (set, not empty and not 0: yes),
// CLICOLOR (0: no) and TERM (dumb: no), and last by whether Out is a terminal.
func (s *IOStreams) ColorEnabled(flag Color) bool {
	switch flag {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	force := s.getenv("CLICOLOR_FORCE")
	switch {
	case s.getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case s.getenv("CLICOLOR") == "0", s.getenv("TERM") == "dumb":
		return false
	}
	return s.OutIsTerminal
}

// IsBrokenPipe reports whether writing failed because the reader has gone away, as
// head does. The command did not fail, and nothing is printed.
func IsBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

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
