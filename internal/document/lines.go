package document

import (
	"bytes"
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
		if l.Start(line+1)-l.Start(line) > markEvery {
			l.marks[line] = l.mark(line)
		}
	}
	return l
}

// mark finds the offsets of a long line's marks.
func (l Lines) mark(line int) []int {
	var marks []int
	offset, end := l.Start(line), l.Start(line+1)
	for characters := 0; offset < end; characters++ {
		if characters%markEvery == 0 {
			marks = append(marks, offset)
		}
		_, width := utf8.DecodeRune(l.text[offset:end])
		offset += width
	}
	return marks
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
	low, high := 0, len(l.starts)
	for low < high {
		middle := (low + high) / 2
		if l.starts[middle] <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return max(low, 1)
}
