package jsontree

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// Texts gives the parts of an object's text that stand at a path of keys, in
// their order; the key * stands for the items of a list. It is false where the
// text is no object of that shape, or repeats a key of the path. The text must
// be valid.
func Texts(text []byte, path ...string) ([][]byte, bool) {
	spans, ok := find(text, path)
	parts := make([][]byte, len(spans))
	for i, s := range spans {
		parts[i] = text[s.from:s.to]
	}
	return parts, ok
}

// Name is the plain string at a path of keys; false where there is none, or where the
// text may be read in more ways than one. The text must be valid.
func Name(text []byte, path ...string) (string, bool) {
	texts, ok := Texts(text, path...)
	if !ok || len(texts) != 1 || len(texts[0]) < 2 || texts[0][0] != '"' || bytes.IndexByte(texts[0], '\\') >= 0 {
		return "", false
	}
	return string(texts[0][1 : len(texts[0])-1]), true
}

// Replace gives an object's text with others for the parts that Texts gives. It
// is false, with the text as it is, where Texts is.
func Replace(text []byte, with func(part []byte) []byte, path ...string) ([]byte, bool) {
	spans, ok := find(text, path)
	if !ok {
		return text, false
	}
	out := make([]byte, 0, len(text))
	at := 0
	for _, s := range spans {
		out = append(append(out, text[at:s.from]...), with(text[s.from:s.to])...)
		at = s.to
	}
	return append(out, text[at:]...), true
}

// span is where a part stands.
type span struct{ from, to int }

func find(text []byte, path []string) ([]span, bool) {
	f := finder{Scanner: scan.Bytes(text, scan.AnyDepth)}
	f.find(path)
	return f.found, f.Err() == nil
}

type finder struct {
	*scan.Scanner
	found []span
}

var errShape = errors.New("another shape, or a key that is repeated")

// find passes the value at hand.
func (f *finder) find(path []string) {
	c := f.Next()
	switch {
	case len(path) == 0:
		from := f.Offset()
		f.Skip()
		f.found = append(f.found, span{from, f.Offset()})
	case path[0] == "*" && c == '[':
		f.Elements(func() { f.find(path[1:]) })
	case path[0] != "*" && c == '{':
		seen := false
		f.Members(func(key []byte) {
			switch on := string(key) == path[0]; {
			case on && seen:
				f.Fail(errShape)
			case on:
				seen = true
				f.find(path[1:])
			default:
				f.Skip()
			}
		})
	default:
		f.Fail(errShape)
	}
}

// eightSpaces is what indentation mostly consists of.
const eightSpaces = 0x2020202020202020

// AppendCompact appends a text without its white space, as json.Compact of
// encoding/json does. The text must be valid.
func AppendCompact(dst, text []byte) []byte {
	from := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case ' ', '\n', '\r', '\t':
			dst = append(dst, text[from:i]...)
			i = spacesEnd(text, i)
			from = i
		default:
			i++
		}
	}
	return append(dst, text[from:]...)
}

// stringEnd is where the string that starts at i ends; the end of the text without
// a closing quote.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(text)
}

func spacesEnd(text []byte, i int) int {
	for i < len(text) {
		switch {
		case i+8 <= len(text) && binary.LittleEndian.Uint64(text[i:]) == eightSpaces:
			i += 8
		case text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t':
			i++
		default:
			return i
		}
	}
	return i
}
