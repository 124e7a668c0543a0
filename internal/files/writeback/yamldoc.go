package writeback

import (
	"bytes"
	"reflect"

	"github.com/ssactl/ssactl/internal/document"
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

// replaceYAML replaces the body of a document with an object.
func replaceYAML(text []byte, doc document.Part, object map[string]any) ([]document.Splice, error) {
	newline := document.Newline(text[doc.Start:])
	encoded, err := encodeYAML(object, newline)
	if err != nil {
		return nil, err
	}
	place, written := doc.Span, encoded
	if doc.Start > 0 && text[doc.Start-1] != '\n' {
		written = append([]byte(newline), encoded...)
	}
	if !bytes.HasSuffix(text[:doc.End], []byte("\n")) {
		written = withoutFinalNewline(written, newline, object)
	}
	if bytes.HasSuffix(encoded, []byte(newline+newline)) {
		// The object ends with a block scalar that keeps its last lines: blank
		// lines behind it would become a part of it.
		place.End += blankLines(text[doc.End:doc.SectionEnd])
	}
	return place.Replaced(written), nil
}

// withoutFinalNewline keeps a file's missing last line break missing, unless
// the value would be another without it.
func withoutFinalNewline(encoded []byte, newline string, object any) []byte {
	trimmed := bytes.TrimSuffix(encoded, []byte(newline))
	if value, err := document.Value(trimmed, false); err != nil || !reflect.DeepEqual(value, object) {
		return encoded
	}
	return trimmed
}

// blankLines reports how many bytes of blank lines a text begins with.
func blankLines(text []byte) int {
	blank := 0
	for blank < len(text) {
		next := document.LineBehind(text, blank)
		if len(bytes.TrimSpace(text[blank:next])) > 0 {
			break
		}
		blank = next
	}
	return blank
}

// removeDocument is what goes with a document: a JSON value with the blanks behind
// it, or everything from the separator above it to the one below.
func removeDocument(text []byte, doc document.Part) document.Span {
	if doc.Alone {
		return document.Between(doc.Separator, doc.SectionEnd)
	}
	end := doc.End
	for end < doc.SectionEnd && bytes.IndexByte([]byte(" \t\r\n"), text[end]) >= 0 {
		end++
	}
	return document.Between(doc.Start, end)
}
