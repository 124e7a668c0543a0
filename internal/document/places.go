package document

import "bytes"

// At reports whether a character stands at an offset.
func At(text []byte, offset int, c byte) bool { return offset < len(text) && text[offset] == c }

// IsBlankOrEnd reports whether a blank, a line break or the end is at an offset.
func IsBlankOrEnd(text []byte, offset int) bool {
	return offset >= len(text) || text[offset] == ' ' || text[offset] == '\t' ||
		BreakWidth(text[offset:]) > 0
}

// SkipBlanks is the offset behind blanks.
func SkipBlanks(text []byte, offset int) int {
	for At(text, offset, ' ') || At(text, offset, '\t') {
		offset++
	}
	return offset
}

// LineEnd is the offset of the next line break, or the end of the text.
func LineEnd(text []byte, offset int) int {
	for offset < len(text) && BreakWidth(text[offset:]) == 0 {
		offset++
	}
	return offset
}

// NextLine is the offset behind the next line break.
func NextLine(text []byte, offset int) int {
	offset = LineEnd(text, offset)
	return offset + BreakWidth(text[offset:])
}

// LineBehind is where the next line begins, or the end of the text.
func LineBehind(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// TrimmedEnd is the end of text[start:end] without blanks and line breaks.
func TrimmedEnd(text []byte, start, end int) int {
	for end > start && IsBlankOrEnd(text, end-1) {
		end--
	}
	return end
}
