package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lineCounter knows the lines of the offsets that are still to come.
type lineCounter struct {
	r      io.Reader
	read   int64 // offset after what was read
	breaks []int64
	line   int   // line at passed
	budget int64 // offset that reading must not pass
}

// Read counts the line ends that pass.
func (c *lineCounter) Read(p []byte) (int, error) {
	if c.read > c.budget {
		return 0, ErrTooLarge
	}
	n, err := c.r.Read(p[:min(len(p), windowChunk)])
	for i, b := range p[:n] {
		if b == '\n' {
			c.breaks = append(c.breaks, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// lineAt is the line of an offset; offsets must not fall.
func (c *lineCounter) lineAt(offset int64) int {
	n := 0
	for n < len(c.breaks) && c.breaks[n] < offset {
		n++
	}
	c.line += n
	c.breaks = c.breaks[n:]
	return c.line
}

// jsonReader reads JSON values one after the other.
type jsonReader struct {
	*reader
	lines *lineCounter
	dec   *json.Decoder
	start int64 // offset of the decoder's first byte
}

// readJSON reads concatenated JSON values. Text that is no JSON from its first
// value on is read as YAML, as kubectl does.
func (f *reader) readJSON(br *bufio.Reader, base int64) {
	var seen bytes.Buffer
	j := &jsonReader{reader: f, lines: &lineCounter{r: br, read: base, line: 1}}
	first := &firstBytes{r: br, seen: &seen}
	j.lines.r = first
	j.restart(j.lines, base)
	for !f.stopped {
		j.lines.budget = j.offset() + int64(f.opts.MaxDocumentBytes) + windowChunk
		given := f.given
		err := j.value()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			first.seen = nil
			continue
		}
		if first.seen != nil && f.given == 0 && !jsonLike(seen.Bytes()) {
			f.doc = 0
			f.readYAML(newWindow(io.MultiReader(&seen, br), base, f.opts.MaxDocumentBytes))
			return
		}
		first.seen = nil
		if !j.recover(err, given) {
			return
		}
	}
}

// jsonLike tells JSON with a mistake from a YAML flow mapping.
func jsonLike(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimLeft(b, " \t\r\n"), "{[")
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) == 0 || b[0] == '"' || b[0] == '{'
}

// firstBytes keeps what is read until the first value was understood.
type firstBytes struct {
	r    io.Reader
	seen *bytes.Buffer
}

// Read keeps the bytes while they may be needed again.
func (b *firstBytes) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.seen != nil {
		b.seen.Write(p[:n])
	}
	return n, err
}

func (j *jsonReader) restart(r io.Reader, offset int64) {
	j.dec, j.start = json.NewDecoder(r), offset
	j.dec.UseNumber()
}

func (j *jsonReader) offset() int64 { return j.start + j.dec.InputOffset() }

// value reads the next value of the stream, io.EOF after the last.
func (j *jsonReader) value() error {
	if h, ok := j.listAhead(); ok {
		j.doc++
		return j.streamList(h)
	}
	var raw json.RawMessage
	if err := j.dec.Decode(&raw); err != nil {
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		j.doc++
		return err
	}
	j.doc++
	raw = bytes.Clone(raw)
	end := j.offset()
	start := end - int64(len(raw))
	j.document(raw, start, j.lines.lineAt(start))
	return nil
}

func (j *jsonReader) document(raw []byte, start int64, line int) {
	if len(raw) > j.opts.MaxDocumentBytes {
		j.fail("parse", 0, line, j.tooLarge())
		return
	}
	if err := checkDepth(raw, j.opts.MaxDepth); err != nil {
		j.fail("parse", 0, line, err)
		return
	}
	if h := readHead(raw); isList(h) {
		j.items(h, raw, JSON, start, line)
		return
	}
	span := Span{start, start + int64(len(raw))}
	j.give(newDocument(j.source(line), raw, raw, JSON, span, line), 0)
}

// recover tells the error and goes on at the next line that can start a
// document; false when there is none.
func (j *jsonReader) recover(err error, given int) bool {
	line := j.lines.lineAt(j.offset())
	rest := bufio.NewReaderSize(io.MultiReader(j.dec.Buffered(), j.lines), windowChunk)
	at := j.offset()
	if head, _ := rest.Peek(3); given > 0 && string(head) == "---" {
		j.doc--
		j.resumed = true
		w := newWindow(rest, at, j.opts.MaxDocumentBytes)
		w.line = line
		j.lines.budget = 1 << 62
		j.readYAML(w)
		return false
	}
	if errors.Is(err, ErrTooLarge) {
		err = j.tooLarge()
	}
	j.fail("parse", 0, line, jsonError(err))
	j.lines.budget = 1 << 62
	for skipped := 0; ; skipped++ {
		if head, _ := rest.Peek(3); skipped > 0 && (bytes.HasPrefix(head, []byte("{")) || string(head) == "---") {
			break
		}
		n, err := skipLine(rest)
		at += n
		if err != nil {
			return false
		}
	}
	if head, _ := rest.Peek(3); string(head) == "---" {
		w := newWindow(rest, at, j.opts.MaxDocumentBytes)
		w.line = j.lines.lineAt(at)
		j.resumed = true
		j.readYAML(w)
		return false
	}
	j.restart(rest, at)
	return true
}

func skipLine(r *bufio.Reader) (int64, error) {
	total := int64(0)
	for {
		part, err := r.ReadSlice('\n')
		total += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return total, err
		}
	}
}

func jsonError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON ends in the middle of a value")
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: %s", strings.TrimPrefix(syntax.Error(), "json: "))
	}
	return err
}
