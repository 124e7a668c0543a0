package manifest

import (
	"bytes"
	"errors"
	"hash/maphash"
	"regexp"

	"github.com/ssactl/ssactl/internal/document"
)

// yamlList finds the items of a YAML List by their dashes: those that stand
// at the column of the first one below a top-level "items:". That is the shape
// that kubectl writes; whether a cut was right is checked by reading it.
type yamlList struct {
	header  []byte // the top-level lines before the items
	column  int    // of the dashes
	state   listState
	items   []yamlItem
	trailer []byte // the top-level lines after the items
	head    head

	// Items are given once the List has grown too large to be read as a whole, or its
	// document has ended.
	asked     bool // whether it looks like a List
	streaming bool
	given     int  // number of the latest item that was given
	broken    bool // an item was
	// doubt: a cut does not read as an item, so the rest waits for the end of
	// the document, which is still held.
	doubt bool
	gone  bool // its text is no longer held, and not to be had again
	// held is the first byte that is still held; sum is of those of the document before it.
	held   int64
	sum    maphash.Hash
	around *around
}

type listState int

const (
	beforeItems listState = iota
	atItems
	inItems
	afterItems
)

// yamlItem is where an item stands; end is 0 while it is being read.
type yamlItem struct {
	from, end int64
	line      int
	broken    bool // a line of the List came in the middle of it
	outdented bool // a line stands left of it: quoted text, or a mistake
}

const maxHeader = 64 << 10

var (
	// itemsKey is the line of the key that a List has its items below.
	itemsKey = regexp.MustCompile(`^(items|"items"|'items')[ \t]*:[ \t]*(#.*)?\r?\n?$`)
	// listKey is a line with a key of the List itself.
	listKey = regexp.MustCompile(`^["']?[A-Za-z][A-Za-z0-9_.-]*["']?[ \t]*:(\s|$)`)

	errBrokenItem = errors.New("a line without indentation ends the items of the list in the middle of it")
)

// listLine is a line of a document that may be a List.
type listLine struct {
	text        []byte // with its indentation
	at          int64  // its offset in the file
	number      int
	column      int // of the first character that is no space
	dash, blank bool
}

// add reads the next line of the document.
func (l *yamlList) add(text []byte, at int64, number int) {
	content := bytes.TrimLeft(text, " ")
	column := len(text) - len(content)
	line := listLine{
		text: text, at: at, number: number, column: column,
		dash: document.IsDash(text, column), blank: document.IsBlank(content),
	}
	switch l.state {
	case beforeItems:
		l.addBefore(line)
	case atItems:
		l.addFirst(line)
	case inItems:
		l.addIn(line)
	case afterItems:
		l.addAfter(line)
	}
}

// addBefore reads a line in front of the items.
func (l *yamlList) addBefore(line listLine) {
	switch {
	case line.column == 0 && itemsKey.Match(line.text):
		l.state = atItems
	case len(l.header) < maxHeader:
		l.header = append(l.header, line.text...)
	}
}

// addFirst reads a line below the key of the items, where the first dash says at which
// column they stand.
func (l *yamlList) addFirst(line listLine) {
	switch {
	case line.dash:
		l.column = line.column
		l.begin(line)
	case !line.blank:
		l.state = afterItems
	}
}

// addIn reads a line among the items.
func (l *yamlList) addIn(line listLine) {
	switch {
	case line.dash && line.column == l.column:
		l.close(line.at)
		l.begin(line)
	case line.column == 0 && !line.blank && !line.dash && listKey.Match(line.text):
		l.close(line.at)
		l.state = afterItems
		l.trailer = append(l.trailer, line.text...)
	case line.column <= l.column && !line.blank:
		l.items[len(l.items)-1].outdented = true
	}
}

// addAfter reads a line behind the items.
func (l *yamlList) addAfter(line listLine) {
	switch {
	case line.dash && line.column == l.column && len(l.items) > 0 && !l.inTrailingKey():
		// What ended the items was a mistake in the last one.
		l.items[len(l.items)-1].broken = true
		l.begin(line)
	case len(l.trailer) < maxHeader:
		l.trailer = append(l.trailer, line.text...)
	}
}

// begin starts an item at a line.
func (l *yamlList) begin(line listLine) {
	l.state = inItems
	l.items = append(l.items, yamlItem{from: line.at, line: line.number})
}

// inTrailingKey reports whether a line below may be the value of a key.
func (l *yamlList) inTrailingKey() bool {
	trailer := bytes.TrimSpace(l.trailer)
	last := trailer[bytes.LastIndexByte(trailer, '\n')+1:]
	return len(last) == 0 || bytes.HasSuffix(last, []byte(":")) || bytes.HasPrefix(bytes.TrimSpace(last), []byte("-"))
}

func (l *yamlList) close(at int64) {
	if n := len(l.items); n > 0 && l.items[n-1].end == 0 {
		l.items[n-1].end = at
	}
}

// next takes the first item as given.
func (l *yamlList) next() {
	l.items = l.items[1:]
	l.given++
}
