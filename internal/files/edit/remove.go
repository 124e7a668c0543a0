package edit

import "bytes"

// removeEntry takes the entry at a location out. Its parent has others.
func (d *Doc) removeEntry(found *location) (splice, bool) {
	parent, index := found.entry()
	e := parent.entries[index]
	if e.odd || index+1 < len(parent.entries) && parent.entries[index+1].odd {
		return nil, false
	}
	if parent.flow {
		return d.removeFlow(parent, index), true
	}
	start := d.lineStart(e.start)
	if len(bytes.TrimLeft(d.text[start:e.start], " ")) > 0 {
		return d.removeInline(parent, index)
	}
	start = d.headComments(start, e.start-start, d.floor(found))
	end := d.tail(e, e.start-d.lineStart(e.start))
	return splice{{start: start, end: end}}, true
}

func (d *Doc) lineStart(offset int) int {
	return d.lines.Start(d.lines.Line(offset))
}

// removeInline takes out an entry that stands behind a dash, such as the first
// field of a list item: the next one, or the comment above it, moves up to the
// dash.
func (d *Doc) removeInline(parent *node, index int) (splice, bool) {
	if index != 0 || len(parent.entries) < 2 {
		return nil, false
	}
	e, next := parent.entries[0], parent.entries[1]
	column := next.start - d.lineStart(next.start)
	end := d.tail(e, column)
	for end < next.start && !at(d.text, end, '#') {
		end++
	}
	return splice{{start: e.start, end: end}}, true
}

// floor is where the entry before ends, or the parent begins: comments above
// belong to something else.
func (d *Doc) floor(found *location) int {
	parent, index := found.entry()
	if index > 0 {
		before := parent.entries[index-1]
		return max(before.value.end, before.colon)
	}
	if len(found.entries) > 1 {
		around, at := found.parent().entry()
		return around.entries[at].colon
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
func (d *Doc) tail(e entry, column int) int {
	last := d.lines.Line(max(e.value.end, e.colon))
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
