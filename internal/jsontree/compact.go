package jsontree

import "encoding/binary"

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
