package document

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines is the line table of one text. The zero Lines is that of the empty
// text: one empty line.
type Lines struct {
	text   []byte
	starts []int
	// marks holds, for lines of more than markEvery bytes, the offsets of
	// every markEvery-th character: columns of a text in one line would
	// otherwise be counted from its start again and again.
	marks map[int][]int
}

const markEvery = 1024

// NewLines counts the lines of text, which must not begin with a byte order
// mark. It keeps text and does not change it.
func NewLines(text []byte) Lines {
	starts := make([]int, 1, 1+bytes.Count(text, []byte("\n")))
	for i := 0; i < len(text); {
		width := BreakWidth(text[i:])
		if width == 0 {
			i++
			continue
		}
		i += width
		starts = append(starts, i)
	}
	l := Lines{text: text, starts: starts, marks: map[int][]int{}}
	for line := 1; line <= len(starts); line++ {
		offset, end := l.Start(line), l.Start(line+1)
		for characters := 0; end-l.Start(line) > markEvery && offset < end; characters++ {
			if characters%markEvery == 0 {
				l.marks[line] = append(l.marks[line], offset)
			}
			_, width := utf8.DecodeRune(text[offset:end])
			offset += width
		}
	}
	return l
}

// BreakWidth reports how many bytes the line break at the beginning of text
// takes, and 0 where there is none. The breaks are those of YAML 1.1, which
// the parser follows: CR LF, CR, LF, NEL, LS and PS.
func BreakWidth(text []byte) int {
	switch {
	case len(text) == 0:
		return 0
	case text[0] == '\n':
		return 1
	case text[0] == '\r':
		if len(text) > 1 && text[1] == '\n' {
			return 2
		}
		return 1
	case text[0] == 0xC2 && len(text) > 1 && text[1] == 0x85:
		return 2
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x80 && (text[2] == 0xA8 || text[2] == 0xA9):
		return 3
	}
	return 0
}

// Count is the number of lines, at least 1: a final line break is followed by
// one empty line.
func (l Lines) Count() int { return max(len(l.starts), 1) }

// Start is the offset of the first byte of a line, counted from 1. A line
// after the last one starts at the end of the text.
func (l Lines) Start(line int) int {
	switch {
	case line <= 1:
		return 0
	case line > len(l.starts):
		return len(l.text)
	}
	return l.starts[line-1]
}

// Text is a line, counted from 1, without its line break.
func (l Lines) Text(line int) []byte {
	text := l.text[l.Start(line):l.Start(line+1)]
	for i := range text {
		if BreakWidth(text[i:]) > 0 {
			return text[:i]
		}
	}
	return text
}

// Offset is the offset of a node's line and column, both counted from 1 and
// the column in characters. A column past the end of its line gives the end of
// that line.
func (l Lines) Offset(line, column int) int {
	offset, end := l.Start(line), l.Start(line+1)
	if marks := l.marks[line]; len(marks) > 0 && column > 0 {
		nearest := min((column-1)/markEvery, len(marks)-1)
		offset = marks[nearest]
		column -= nearest * markEvery
	}
	for ; column > 1 && offset < end; column-- {
		_, width := utf8.DecodeRune(l.text[offset:end])
		offset += width
	}
	return offset
}

// Line is the number, counted from 1, of the line that holds the byte at
// offset.
func (l Lines) Line(offset int) int {
	return max(sort.SearchInts(l.starts, offset+1), 1)
}

// IsDash reports whether a line, with or without its line break, has the dash of a
// list item in a column, counted in bytes from 0: a blank or nothing follows it.
// What stands before it may be the dash of an outer list, or text.
func IsDash(line []byte, column int) bool {
	return len(line) > column && line[column] == '-' &&
		(len(line) == column+1 || bytes.IndexByte(blanks, line[column+1]) >= 0)
}

var blanks = []byte(" \t\r\n")

// PastDashes is what follows the dashes that a text begins with, each with its
// blanks: the dash of an item that is a list itself is followed by another.
func PastDashes(text []byte) []byte {
	for bytes.HasPrefix(text, []byte("- ")) {
		text = bytes.TrimLeft(text[2:], " ")
	}
	return text
}

// IsBlank reports whether a line says nothing: it is empty, or a comment. Within a
// block scalar or a quoted text either may be content.
func IsBlank(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) == 0 || text[0] == '#'
}

// IsSeparator reports whether a line is the three dashes between two documents,
// and something else may follow. As for kubectl, a comment may touch them.
func IsSeparator(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("---"))
	return found && (len(rest) == 0 || rest[0] == '#' || bytes.IndexByte(blanks, rest[0]) >= 0)
}

// IsEnd reports whether a line is the three dots that end a document.
func IsEnd(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("..."))
	return found && len(bytes.TrimSpace(rest)) == 0
}

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
