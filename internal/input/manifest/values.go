package manifest

import (
	"bytes"
	"fmt"

	"github.com/ssactl/ssactl/internal/document"
)

// bytesPerValue bounds the number of values of a document by its largest size:
// real objects have some 30 bytes a value, and the YAML reader takes a hundred
// times the memory of a value that is written in two. A decoded value of JSON
// takes less, but is copied and compared many times.
const bytesPerValue = 20

// tooMany reports whether a YAML document has more than most values, as far as
// its lines and commas tell; those of block texts do not count.
func tooMany(raw []byte, most int) bool {
	if len(raw) < 2*most || 1+bytes.Count(raw, newline)+bytes.Count(raw, []byte(",")) <= most {
		return false
	}
	n, block := 0, -1
	for line := range bytes.Lines(raw) {
		text := bytes.TrimSpace(line)
		column := keyColumn(line)
		if len(text) == 0 || block >= 0 && column > block {
			continue
		}
		block = -1
		if n += 1 + bytes.Count(text, []byte(",")); n > most {
			return true
		}
		if startsBlock(text) {
			block = column
		}
	}
	return false
}

// keyColumn is the column of the key on a line, behind any dashes.
func keyColumn(line []byte) int {
	return len(line) - len(document.PastDashes(bytes.TrimLeft(line, " ")))
}

// startsBlock reports whether a block text follows a line: its last word is a
// bar or an angle, with or without its indicators.
func startsBlock(text []byte) bool {
	word := text[bytes.LastIndexByte(text, ' ')+1:]
	if len(word) == 0 || word[0] != '|' && word[0] != '>' {
		return false
	}
	return len(bytes.Trim(word[1:], "+-0123456789")) == 0
}

func (o Options) tooMany() error {
	return fmt.Errorf("the document has %w of %d", ErrTooManyValues, o.MaxValues)
}

// tooManyJSON reports whether a JSON text has more than most values.
func tooManyJSON(raw []byte, most int) bool {
	// A value takes two bytes at least, with what separates it.
	if len(raw) < 2*most {
		return false
	}
	n, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':' || c == '[' || c == '{'):
			n++
		}
	}
	return n > most
}
