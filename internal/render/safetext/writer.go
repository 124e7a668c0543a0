package safetext

import (
	"io"
	"sync"
)

// Reading says who reads what is written.
type Reading int

const (
	// Plain is for people, and for the runners that read along: control
	// characters, whatever does not show itself and bytes that are not UTF-8
	// are written as escapes, and no line is a command to a runner.
	Plain Reading = iota
	// Painted is Plain with color, and with no other escape sequence.
	Painted
	// JSON is for programs: its encoders escape what terminals act on, and what
	// runners act on is written as an escape of JSON.
	JSON
	// Markup is HTML and XML: as JSON, with character references.
	Markup
	// Patch is for the diffs that patch reads, whose text is that of files: what acts on
	// terminals or runners is an escape, and other characters that do not show
	// themselves stay.
	Patch
	// Workflow is for the runner itself: its lines are commands, and what does not show
	// itself is an escape.
	Workflow
	// Exact is for what moves the cursor and has nothing from an input. It is written
	// as it is.
	Exact
)

// escapes are what stands for : and for [ where they make a command. No line of
// JSON begins with a colon.
var escapes = map[Reading][2]string{
	Plain: {`\x3a`, `\x5b`}, Painted: {`\x3a`, `\x5b`}, JSON: {":", `\u005b`}, Markup: {"&#58;", "&#91;"}, Patch: {`\x3a`, `\x5b`}, Workflow: {":", "["},
}

// Writer makes what is written to a terminal, a pipe or a file harmless. It may
// be used by several at once.
type Writer struct {
	to      io.Writer
	reading Reading
	masks   func(string) string
	shared  *shared
}

// shared is what all readings of a place have in common.
type shared struct {
	mu   sync.Mutex
	line line
}

// NewWriter gives a writer to a place. All that is written there has to go
// through it, or through other readings of it.
func NewWriter(to io.Writer, reading Reading) *Writer {
	return &Writer{to, reading, nil, &shared{line: line{blank: true}}}
}

// As is another reading of the same place.
func (w *Writer) As(reading Reading) *Writer { return &Writer{w.to, reading, w.masks, w.shared} }

// Around is the writer with another one around its place, such as one that takes
// a progress bar away first.
func (w *Writer) Around(wrap func(io.Writer) io.Writer) *Writer {
	return &Writer{wrap(w.to), w.reading, w.masks, w.shared}
}

// Masking is the writer with a function that masks what must not be shown, before
// anything is escaped; nil where nothing is left to mask. Each call of Write is to give
// whole words then, as those of fmt do.
func (w *Writer) Masking(masks func(string) string) *Writer {
	return &Writer{w.to, w.reading, masks, w.shared}
}

// Write implements io.Writer. The start of a rune or of a sequence waits for the
// rest of it.
func (w *Writer) Write(p []byte) (int, error) {
	w.shared.mu.Lock()
	defer w.shared.mu.Unlock()
	text := p
	if w.masks != nil {
		text = []byte(w.masks(string(p)))
	}
	if err := w.put(w.shared.line.harmless(text, w.reading)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what waits for a rest that never came.
func (w *Writer) Flush() error {
	w.shared.mu.Lock()
	defer w.shared.mu.Unlock()
	return w.put(w.shared.line.end(w.reading))
}

func (w *Writer) put(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := w.to.Write(text)
	return err
}

// String is a text as Plain has it.
func String(text string) string {
	l := line{blank: true}
	return string(append(l.harmless([]byte(text), Plain), l.end(Plain)...))
}
