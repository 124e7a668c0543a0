package edit

import "bytes"

// removeFlow takes an entry out of a collection in brackets that has others,
// with the comma behind it, or for the last one the comma in front of it.
func (d *Doc) removeFlow(parent *node, index int) splice {
	e := parent.entries[index]
	end := max(e.value.end, e.colon)
	if index+1 < len(parent.entries) {
		next := parent.entries[index+1].start
		if bytes.IndexByte(d.text[end:next], '#') < 0 {
			return splice{{start: e.start, end: next}}
		}
		return splice{{start: e.start, end: min(d.behindComment(end), next)}}
	}
	before := parent.entries[index-1]
	from := max(before.value.end, before.colon)
	if bytes.IndexByte(d.text[from:e.start], '#') < 0 {
		return splice{{start: from, end: end}}
	}
	// The comment above is of the entry before: its comma stays too.
	return splice{{start: d.withoutBlanks(e.start), end: end}}
}

// behindComment is the beginning of the next line's content behind a comma and
// a comment in the same line.
func (d *Doc) behindComment(offset int) int {
	offset = skipBlanks(d.text, offset)
	if at(d.text, offset, ',') {
		offset++
	}
	if offset = skipBlanks(d.text, offset); at(d.text, offset, '#') {
		offset = nextLine(d.text, offset)
	}
	for offset < len(d.text) && isBlankOrEnd(d.text, offset) {
		offset++
	}
	return offset
}

// withoutBlanks steps back over blanks and one line break.
func (d *Doc) withoutBlanks(offset int) int {
	for offset > 0 && (d.text[offset-1] == ' ' || d.text[offset-1] == '\t') {
		offset--
	}
	if offset > 0 && d.text[offset-1] == '\n' {
		offset--
	}
	if offset > 0 && d.text[offset-1] == '\r' {
		offset--
	}
	return offset
}
