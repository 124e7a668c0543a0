// Package safetext makes texts harmless that others wrote: for the terminal that
// shows them, and for the runner of a CI system, which takes commands from
// whatever a step prints. Writer is the one way to standard output and standard
// error.
package safetext

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/ssactl/ssactl/internal/render/glyph"
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
	Plain: {`\x3a`, `\x5b`}, Painted: {`\x3a`, `\x5b`}, JSON: {":", `\u005b`},
	Markup: {"&#58;", "&#91;"}, Patch: {`\x3a`, `\x5b`}, Workflow: {":", "["},
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

// line is how far a line is written, and what waits.
type line struct {
	// blank: nothing but spaces so far.
	blank bool
	// marks counts the # that come to this place, with letters behind them or
	// without: after two of them, [ makes a command.
	marks int
	// waiting is what depends on the text that follows.
	waiting []byte
}

// paint is the color that the palette has: bold, faint, reverse, the eight
// colors, and their ends. What hides text or moves the cursor is not.
var paint = regexp.MustCompile(`^\x1b\[(?:(?:0|1|2|7|22|27|3[1-7]|39);?)*m`)

// longestPaint bounds what may wait for its end.
const longestPaint = 24

// harmless is a text that continues the line, for a reader.
func (l *line) harmless(text []byte, reading Reading) []byte {
	if l.calm(text, reading) {
		out := append(l.end(reading), text...)
		at := bytes.LastIndexByte(text, '\n') + 1
		l.blank = (at > 0 || l.blank) && len(bytes.Trim(text[at:], " \t")) == 0
		l.marks = 0
		return out
	}
	text = append(l.waiting, text...)
	l.waiting = nil
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		n, shown := l.next(text, reading)
		if n == 0 {
			l.waiting = bytes.Clone(text)
			break
		}
		out = append(out, shown...)
		text = text[n:]
	}
	return out
}

// calm reports whether a text is written as it is.
func (l *line) calm(text []byte, reading Reading) bool {
	hash := bytes.Contains(text, []byte("##")) || bytes.HasSuffix(text, []byte("#")) || l.marks > 0 || len(l.waiting) > 0
	switch reading {
	case Exact:
		return true
	case Plain, Painted, Patch:
		return !hash && isText(text) && !bytes.Contains(text, []byte("::")) && !bytes.HasSuffix(text, []byte(":"))
	case JSON:
		return !hash
	case Markup:
		return !hash && !bytes.Contains(text, []byte("::")) && !bytes.HasSuffix(text, []byte(":"))
	}
	return false
}

// end is what waits, as it is where nothing follows.
func (l *line) end(reading Reading) []byte {
	text := l.waiting
	l.waiting = nil
	var out []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		out = append(out, l.show(r, text[:n], reading)...)
		text = text[n:]
	}
	return out
}

// next is how much of the text is done, and what is shown for it; 0 where that
// depends on what follows.
func (l *line) next(text []byte, reading Reading) (int, []byte) {
	switch c := text[0]; {
	case c == '\r' && len(text) == 1, c == ':' && l.blank && len(text) == 1:
		return 0, nil
	case c == '\r' && text[1] == '\n':
		l.blank, l.marks = true, 0
		return 2, text[:2]
	case c == ':' && l.blank && text[1] == ':':
		l.blank, l.marks = false, 0
		return 1, []byte(escapes[reading][0])
	case c == 0x1b && reading == Painted:
		if color := paint.Find(text); color != nil {
			return len(color), color
		}
		if mayBePaint(text) {
			return 0, nil
		}
	case !utf8.FullRune(text):
		return 0, nil
	}
	r, n := utf8.DecodeRune(text)
	return n, l.show(r, text[:n], reading)
}

// mayBePaint reports whether a text may become color with what follows.
func mayBePaint(text []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(text[1:], []byte("[")), "0123456789;")
	return len(text) < longestPaint && len(rest) == 0
}

// show is one rune, and what it makes of the line.
func (l *line) show(r rune, text []byte, reading Reading) []byte {
	command := r == '[' && l.marks >= 2
	l.mark(r)
	l.blank = r == '\n' || l.blank && (r == ' ' || r == '\t')
	switch {
	case command && reading != Exact:
		return []byte(escapes[reading][1])
	case reading == JSON, reading == Markup, reading == Exact, r == '\n', r == '\t':
		return text
	case r == utf8.RuneError && len(text) == 1:
		return fmt.Appendf(nil, `\x%02x`, text[0])
	case glyph.Harmless(r), reading == Patch && !acts(r):
		return text
	}
	return []byte(glyph.Escaped(r))
}

// acts reports whether a terminal does anything about a character but show it, or not.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// isText reports whether a text has nothing but characters of ASCII that show themselves,
// line breaks and tabs.
func isText(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// mark counts what makes a command of runners wherever it stands in a line:
// ##[group], and ##vso[task] of Azure, ##teamcity[message].
func (l *line) mark(r rune) {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	switch {
	case r == '#':
		l.marks++
	case !letter || l.marks < 2:
		l.marks = 0
	}
}
