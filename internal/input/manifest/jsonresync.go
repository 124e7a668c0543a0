package manifest

import (
	"bytes"
	"errors"
)

// resync reports what is wrong with the item at hand and goes to where the next
// one starts, or to the bracket that ends the items; false when neither is
// found. Where items have lines of their own (kubectl, jq), the next line with
// the same indentation tells; in text without line breaks, a comma with an
// object behind it that has a name and a kind.
func (l *jsonList) resync(err error) bool {
	op, line := "parse", l.w.lineNo()
	if failure := l.w.failure(); failure != nil {
		op, err = "read", failure
	}
	if op == "parse" && l.phase != streaming {
		it := jsonItem{n: l.n, err: l.jsonError(err)}
		it.line = line
		l.broken = true
		if l.phase == undecided || l.phase == waiting {
			l.queue = append(l.queue, it)
		}
	} else {
		l.fail(op, l.n, line, l.jsonError(err))
	}
	if op == "read" || l.stopped {
		return false
	}
	l.goBack(err)
	if l.ownLine {
		return l.nextLine()
	}
	return l.nextObject()
}

// goBack goes to the first place behind which the next item may start.
func (l *jsonList) goBack(err error) {
	to := l.from + 1
	switch {
	case l.scan.suspect > 0:
		to = l.scan.suspect
	case l.ownLine && l.indent != "" && !errors.Is(err, errEnds):
		return // what is wrong is on the line where that was noticed
	}
	if to >= l.w.base+int64(l.w.mark) {
		l.w.back(to)
	}
}

// nextLine finds the next line on which an item starts or the items end.
func (l *jsonList) nextLine() bool {
	if before, alone := l.w.indentation(); alone && before == l.indent && l.w.offset() > l.from && l.w.startsWith("{") {
		return true // the item before it lacks its end
	}
	for {
		l.w.start()
		if _, err := l.w.readLine(); err != nil {
			return false
		}
		ahead := l.w.ahead(len(l.indent) + 1)
		blanks := len(ahead) - len(bytes.TrimLeft(ahead, " \t"))
		switch {
		case blanks == len(ahead):
		case ahead[blanks] == ']',
			ahead[blanks] == '{' && string(ahead[:blanks]) == l.indent:
			l.w.pos += blanks
			return true
		}
	}
}

// nextObject finds the next object behind a comma that can be an item.
func (l *jsonList) nextObject() bool {
	for l.budget > 0 {
		c, ok := l.w.peek()
		switch {
		case !ok:
			return false
		case c == ',':
			if l.objectBehind() {
				return true
			}
		case c == '\n':
			l.w.pos++
			if l.w.startsWith("{") {
				return false // another document
			}
		default:
			l.w.pos++
		}
		if l.w.pos-l.w.mark > windowChunk {
			l.w.start()
		}
	}
	return false
}

// firstKeys are those that items start with, and those around the items.
var firstKeys = [][]byte{[]byte(`"apiVersion"`), []byte(`"kind"`), []byte(`"metadata"`)}

// objectBehind passes a comma, and goes to the item behind it when there is
// one.
func (l *jsonList) objectBehind() bool {
	l.w.pos++
	if c, err := l.scan.next(); err != nil || c != '{' {
		return false
	}
	at := l.w.start()
	ahead := bytes.TrimLeft(l.w.ahead(32)[1:], " \t\r\n")
	if !startsWithAny(ahead, firstKeys) {
		return false
	}
	isItem := l.readsAsItem()
	l.budget -= int(l.w.offset() - at)
	if l.w.lost {
		return false
	}
	l.w.back(at)
	if !isItem {
		l.w.pos++
	}
	return isItem
}

// readsAsItem reports whether an object has a name and a kind, and whether what
// follows can follow an item: many kinds have objects of other kinds inside.
func (l *jsonList) readsAsItem() bool {
	var h head
	depth := l.scan.depth
	err := l.scan.head(&h, nil)
	l.scan.depth = depth
	if err != nil || h.Name == "" || h.typedBy(l.head).Kind == "" {
		return false
	}
	c, err := l.scan.next()
	if err != nil || c != ',' && c != ']' {
		return false
	}
	l.w.pos++
	after, err := l.scan.next()
	switch {
	case err != nil || c == ',':
		return err == nil && after == '{'
	case after == ',':
		l.w.pos++
		_, err = l.scan.next()
		return err == nil && startsWithAny(l.w.ahead(16), firstKeys)
	}
	return after == '}'
}

func startsWithAny(text []byte, prefixes [][]byte) bool {
	for _, prefix := range prefixes {
		if bytes.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
