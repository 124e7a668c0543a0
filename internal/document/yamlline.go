package document

import "bytes"

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
// and something else may follow.
func IsSeparator(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("---"))
	return found && (len(rest) == 0 || bytes.IndexByte(blanks, rest[0]) >= 0)
}

// IsEnd reports whether a line is the three dots that end a document.
func IsEnd(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("..."))
	return found && len(bytes.TrimSpace(rest)) == 0
}
