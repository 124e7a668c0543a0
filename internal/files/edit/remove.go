package edit

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
)

// removeEntry takes the entry at a location out. Its parent has others.
func (d *Doc) removeEntry(found *location) ([]document.Splice, bool) {
	parent, index := found.entry()
	e := parent.Entries[index]
	if e.Odd || index+1 < len(parent.Entries) && parent.Entries[index+1].Odd {
		return nil, false
	}
	if parent.Flow {
		return d.removeFlow(parent, index), true
	}
	start := d.lineStart(e.Start)
	if len(bytes.TrimLeft(d.text[start:e.Start], " ")) > 0 {
		return d.removeInline(parent, index)
	}
	start = d.headComments(start, e.Start-start, d.floor(found))
	end := d.tail(e, e.Start-d.lineStart(e.Start))
	return document.Replace(start, end, ""), true
}

func (d *Doc) lineStart(offset int) int {
	return d.lines.Start(d.lines.Line(offset))
}

// removeInline takes out an entry that stands behind a dash, such as the first
// field of a list item: the next one, or the comment above it, moves up to the
// dash.
func (d *Doc) removeInline(parent *document.Node, index int) ([]document.Splice, bool) {
	if index != 0 || len(parent.Entries) < 2 {
		return nil, false
	}
	e, next := parent.Entries[0], parent.Entries[1]
	column := next.Start - d.lineStart(next.Start)
	end := d.tail(e, column)
	for end < next.Start && !document.At(d.text, end, '#') {
		end++
	}
	return document.Replace(e.Start, end, ""), true
}

// floor is where the entry before ends, or the parent begins: comments above
// belong to something else.
func (d *Doc) floor(found *location) int {
	parent, index := found.entry()
	if index > 0 {
		before := parent.Entries[index-1]
		return before.End()
	}
	if len(found.entries) > 1 {
		around, at := found.parent().entry()
		return around.Entries[at].Colon
	}
	return 0
}

// headComments moves start up over the comment lines directly above that have
// the same indentation.
func (d *Doc) headComments(start, column, floor int) int {
	for line := d.lines.Line(start) - 1; line >= 1 && d.lines.Start(line) > floor || line == 1 && floor == 0; line-- {
		text := d.lines.Text(line)
		content := bytes.TrimLeft(text, " ")
		if len(content) == 0 || content[0] != '#' || len(text)-len(content) != column {
			break
		}
		start = d.lines.Start(line)
	}
	return start
}

// tail is the end of an entry's lines: its own, and the comments below that
// are indented more and so belong to it.
func (d *Doc) tail(e document.Entry, column int) int {
	last := d.lines.Line(e.End())
	for line := last + 1; line <= d.lines.Count(); line++ {
		text := d.lines.Text(line)
		content := bytes.TrimLeft(text, " ")
		if len(content) == 0 {
			continue
		}
		if content[0] != '#' || len(text)-len(content) <= column {
			break
		}
		last = line
	}
	return d.lines.Start(last + 1)
}

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
