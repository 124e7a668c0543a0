package document

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Part is one document of a text that is not empty.
type Part struct {
	// Number counts from 1 as internal/input/manifest does: empty documents count,
	// but not what is empty above the first separator.
	Number int
	// Span encloses the value: for JSON exactly, for YAML the lines
	// from its first to its last one, comments around them left out.
	Span
	// SectionStart and SectionEnd enclose everything between two separators;
	// Separator is where the line of three dashes above it starts, or equal
	// to SectionStart if there is none.
	Separator, SectionStart, SectionEnd int
	JSON                                bool
	// Alone is set where no other document is between the same separators.
	Alone bool
}

// Split finds the documents of a text, as kubectl does: separated by lines of
// three dashes, and between those either one YAML document or any number of
// JSON values one after the other.
func Split(text []byte) []Part {
	var docs []Part
	number, separator, start := 0, 0, 0
	add := func(end int) {
		found := section(text, separator, start, end)
		for i := range found {
			found[i].Number = number + i + 1
		}
		if len(found) == 0 && start > 0 {
			number++
		}
		number += len(found)
		docs = append(docs, found...)
	}
	for line := 0; line < len(text); {
		next := LineBehind(text, line)
		if IsSeparator(text[line:next]) {
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

// section finds the documents between two separators: none, one of YAML, or
// several of JSON.
func section(text []byte, separator, start, end int) []Part {
	whole := Part{Separator: separator, SectionStart: start, SectionEnd: end, Alone: true}
	if values, ok := jsonValues(text[start:end]); ok {
		docs := make([]Part, len(values))
		for i, v := range values {
			docs[i] = whole
			docs[i].Span = Span{start + v.Start, start + v.End}
			docs[i].JSON, docs[i].Alone = true, len(values) == 1
		}
		return docs
	}
	whole.Start, whole.End = yamlBody(text, start, end)
	if whole.Start == whole.End {
		return nil
	}
	return []Part{whole}
}

// jsonValues finds the values of a text that is nothing but JSON values.
func jsonValues(text []byte) ([]Span, bool) {
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return nil, false
	}
	var values []Span
	s := scan.Bytes(text, scan.AnyDepth)
	for !s.Done() {
		start := s.Offset()
		if s.Skip(); s.Err() != nil {
			return nil, false
		}
		values = append(values, Span{start, s.Offset()})
	}
	return values, true
}

// yamlBody encloses the lines of a YAML document without the blank lines,
// comments and directives above it, and without the blank lines, comments and
// end marker below. A comment line that starts in the first column cannot be
// part of a block scalar, since that is indented.
func yamlBody(text []byte, start, end int) (int, int) {
	for start < end {
		next := min(LineBehind(text, start), end)
		content := bytes.TrimSpace(text[start:next])
		if len(content) > 0 && content[0] != '#' && content[0] != '%' {
			break
		}
		start = next
	}
	last := start
	for line := start; line < end; {
		next := min(LineBehind(text, line), end)
		if IsEnd(text[line:next]) {
			break
		}
		if len(bytes.TrimSpace(text[line:next])) > 0 && text[line] != '#' {
			last = next
		}
		line = next
	}
	return start, last
}
