package writeback

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// A documentSpan is one document of a text that is not empty.
type documentSpan struct {
	// number counts from 1 as internal/input/manifest does: empty documents count,
	// but not what is empty above the first separator.
	number int
	// start and end enclose the value: for JSON exactly, for YAML the lines
	// from its first to its last one, comments around them left out.
	start, end int
	// sectionStart and sectionEnd enclose everything between two separators;
	// separator is where the line of three dashes above it starts, or equal
	// to sectionStart if there is none.
	separator, sectionStart, sectionEnd int
	json                                bool
	// alone is set where no other document is between the same separators.
	alone bool
}

func (d documentSpan) text(whole []byte) []byte { return whole[d.start:d.end] }

// split finds the documents of a text, as kubectl does: separated by lines of
// three dashes, and between those either one YAML document or any number of
// JSON values one after the other.
func split(text []byte) []documentSpan {
	var docs []documentSpan
	number, separator, start := 0, 0, 0
	add := func(end int) {
		found := section(text, separator, start, end)
		for i := range found {
			found[i].number = number + i + 1
		}
		if len(found) == 0 && start > 0 {
			number++
		}
		number += len(found)
		docs = append(docs, found...)
	}
	for line := 0; line < len(text); {
		next := nextLine(text, line)
		if document.IsSeparator(text[line:next]) {
			add(line)
			separator, start = line, line+3
			if len(bytes.TrimSpace(text[line+3:next])) == 0 {
				start = next
			}
		}
		line = next
	}
	add(len(text))
	return docs
}

func nextLine(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// section finds the documents between two separators: none, one of YAML, or
// several of JSON.
func section(text []byte, separator, start, end int) []documentSpan {
	whole := documentSpan{separator: separator, sectionStart: start, sectionEnd: end, alone: true}
	if values, ok := jsonValues(text[start:end]); ok {
		docs := make([]documentSpan, len(values))
		for i, v := range values {
			docs[i] = whole
			docs[i].start, docs[i].end = start+v.start, start+v.end
			docs[i].json, docs[i].alone = true, len(values) == 1
		}
		return docs
	}
	whole.start, whole.end = yamlBody(text, start, end)
	if whole.start == whole.end {
		return nil
	}
	return []documentSpan{whole}
}

// A span encloses bytes of a text.
type span struct{ start, end int }

// replaced is the splice that puts a text in the place of a span.
func (s span) replaced(text []byte) []document.Splice {
	return document.Replace(s.start, s.end, string(text))
}

// within is what brackets enclose.
func (s span) within() span { return span{s.start + 1, s.end - 1} }

// jsonValues finds the values of a text that is nothing but JSON values.
func jsonValues(text []byte) ([]span, bool) {
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return nil, false
	}
	var values []span
	s := scan.Bytes(text, scan.AnyDepth)
	for !s.Done() {
		start := s.Offset()
		if s.Skip(); s.Err() != nil {
			return nil, false
		}
		values = append(values, span{start, s.Offset()})
	}
	return values, true
}

// yamlBody encloses the lines of a YAML document without the blank lines,
// comments and directives above it, and without the blank lines, comments and
// end marker below. A comment line that starts in the first column cannot be
// part of a block scalar, since that is indented.
func yamlBody(text []byte, start, end int) (int, int) {
	for start < end {
		next := min(nextLine(text, start), end)
		content := bytes.TrimSpace(text[start:next])
		if len(content) > 0 && content[0] != '#' && content[0] != '%' {
			break
		}
		start = next
	}
	last := start
	for line := start; line < end; {
		next := min(nextLine(text, line), end)
		if document.IsEnd(text[line:next]) {
			break
		}
		if len(bytes.TrimSpace(text[line:next])) > 0 && text[line] != '#' {
			last = next
		}
		line = next
	}
	return start, last
}
