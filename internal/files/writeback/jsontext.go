package writeback

import (
	"bytes"
	"encoding/json"

	"github.com/ssactl/ssactl/internal/document"
)

// A jsonStyle is how a JSON text is laid out.
type jsonStyle struct {
	// indent is one level of indentation; "" writes everything on one line.
	indent string
	// prefix is the indentation of the line that the value starts on.
	prefix string
	// newline ends a line.
	newline string
	// spaced puts a blank behind colons and commas of a single line.
	spaced bool
	// plain writes <, > and & as they are, kubectl escapes them.
	plain bool
}

// kubectlJSON is the layout of a file that does not exist yet.
var kubectlJSON = jsonStyle{indent: "    ", newline: "\n"}

// styleOf finds the layout of the value at span in text.
func styleOf(text []byte, s document.Span) jsonStyle {
	value := s.Of(text)
	style := jsonStyle{newline: "\n", plain: bytes.ContainsAny(value, "<>&")}
	line := bytes.LastIndexByte(text[:s.Start], '\n') + 1
	style.prefix = string(leadingBlanks(text[line:s.Start]))
	first := bytes.IndexByte(value, '\n')
	if first < 0 {
		style.spaced = bytes.Contains(value, []byte(`": `))
		return style
	}
	if first > 0 && value[first-1] == '\r' {
		style.newline = "\r\n"
	}
	blanks := string(leadingBlanks(value[first+1:]))
	style.indent = string(bytes.TrimPrefix([]byte(blanks), []byte(style.prefix)))
	if style.indent == "" {
		style.indent = kubectlJSON.indent
	}
	return style
}

func leadingBlanks(text []byte) []byte {
	return text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
}

// encode writes a value with sorted keys and without a final line break.
func (s jsonStyle) encode(value any) ([]byte, error) {
	var compact bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(!s.plain)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(compact.Bytes(), []byte("\n"))
	switch {
	case s.indent != "":
		return s.expand(text)
	case s.spaced:
		return document.Spaced(text), nil
	}
	return text, nil
}

func (s jsonStyle) expand(compact []byte) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, compact, s.prefix, s.indent); err != nil {
		return nil, err
	}
	if s.newline == "\n" {
		return out.Bytes(), nil
	}
	// A line break inside a string is escaped, so all of these are layout.
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(s.newline)), nil
}
