package edit

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
)

// removeFlow takes an entry out of a collection in brackets that has others,
// with the comma behind it, or for the last one the comma in front of it.
func (d *Doc) removeFlow(parent *document.Node, index int) []document.Splice {
	e := parent.Entries[index]
	end := e.End()
	if index+1 < len(parent.Entries) {
		next := parent.Entries[index+1].Start
		if bytes.IndexByte(d.text[end:next], '#') < 0 {
			return document.Replace(e.Start, next, "")
		}
		return document.Replace(e.Start, min(d.behindComment(end), next), "")
	}
	before := parent.Entries[index-1]
	from := before.End()
	if bytes.IndexByte(d.text[from:e.Start], '#') < 0 {
		return document.Replace(from, end, "")
	}
	// The comment above is of the entry before: its comma stays too.
	return document.Replace(d.withoutBlanks(e.Start), end, "")
}

// behindComment is the beginning of the next line's content behind a comma and
// a comment in the same line.
func (d *Doc) behindComment(offset int) int {
	offset = document.SkipBlanks(d.text, offset)
	if document.At(d.text, offset, ',') {
		offset++
	}
	if offset = document.SkipBlanks(d.text, offset); document.At(d.text, offset, '#') {
		offset = document.NextLine(d.text, offset)
	}
	for offset < len(d.text) && document.IsBlankOrEnd(d.text, offset) {
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
