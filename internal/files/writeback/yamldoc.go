package writeback

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/yamlout"
)

// encodeYAML writes an object as kubectl prints it, with a final line break.
func encodeYAML(object map[string]any, newline string) ([]byte, error) {
	text, err := yamlout.Marshal(object)
	if err != nil {
		return nil, err
	}
	if newline != "\n" {
		// A carriage return inside a string is escaped, so all of these are
		// layout.
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(newline))
	}
	return text, nil
}

// newlineOf finds how the lines of a text end.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// replaceYAML replaces the body of a document with an object.
func replaceYAML(text []byte, doc document, object map[string]any) (splice, error) {
	newline := newlineOf(text[doc.start:])
	encoded, err := encodeYAML(object, newline)
	if err != nil {
		return splice{}, err
	}
	s := splice{span{doc.start, doc.end}, encoded}
	if doc.start > 0 && text[doc.start-1] != '\n' {
		s.text = append([]byte(newline), encoded...)
	}
	if !bytes.HasSuffix(text[:doc.end], []byte("\n")) {
		s.text = withoutFinalNewline(s.text, newline, object)
	}
	if bytes.HasSuffix(encoded, []byte(newline+newline)) {
		// The object ends with a block scalar that keeps its last lines: blank
		// lines behind it would become a part of it.
		s.end += blankLines(text[doc.end:doc.sectionEnd])
	}
	return s, nil
}

// withoutFinalNewline keeps a file's missing last line break missing, unless
// the value would be another without it.
func withoutFinalNewline(encoded []byte, newline string, object any) []byte {
	trimmed := bytes.TrimSuffix(encoded, []byte(newline))
	if value, err := decode(trimmed, false); err != nil || !equal(value, object) {
		return encoded
	}
	return trimmed
}

// blankLines reports how many bytes of blank lines a text begins with.
func blankLines(text []byte) int {
	blank := 0
	for blank < len(text) {
		next := nextLine(text, blank)
		if len(bytes.TrimSpace(text[blank:next])) > 0 {
			break
		}
		blank = next
	}
	return blank
}

// removeDocument takes a document out: a JSON value with the blanks behind
// it, or everything from the separator above it to the one below.
func removeDocument(text []byte, doc document) splice {
	if doc.alone {
		return splice{span: span{doc.separator, doc.sectionEnd}}
	}
	end := doc.end
	for end < doc.sectionEnd && bytes.IndexByte([]byte(" \t\r\n"), text[end]) >= 0 {
		end++
	}
	return splice{span: span{doc.start, end}}
}
