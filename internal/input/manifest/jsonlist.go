package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// jsonList is a JSON document whose top-level items may make it a List. They
// are given one by one while it is read, so that only one is held at a time;
// but kubectl writes the kind after the items, and so a document is held, its
// items waiting, until it is known to be a List.
type jsonList struct {
	*jsonReader
	head  head // of the List, as far as it was read
	start int64
	line  int

	phase   listPhase
	queue   []jsonItem
	queued  int
	n       int   // number of the item at hand
	from    int64 // where it starts
	indent  string
	ownLine bool // items start on a line of their own, after indent
	broken  bool // an item was passed over
	budget  int  // of bytes that may be read twice while searching
}

type listPhase int

const (
	// noList: there are no items, or the kind says that it is no List.
	noList listPhase = iota
	// undecided: the document is held as a whole.
	undecided
	// waiting: it is too large for that, and neither it nor its items told
	// their kind so far.
	waiting
	// streaming: it is a List, and its items are given at once.
	streaming
	// refused: too many items were waiting.
	refused
)

// jsonItem is an item that was read, or could not be.
type jsonItem struct {
	piece
	n     int
	first byte
	head  head
	lost  bool // larger than what is kept
	err   error
}

var errLateKind = errors.New("the kind of the list comes after its items, which leave out their own: give it as a file, or put the kind first")

// read passes the array of items.
func (l *jsonList) read() error {
	if l.head.Kind != "" && !strings.HasSuffix(l.head.Kind, "List") {
		return l.scan.skip()
	}
	l.begin()
	if err := l.scan.enter(); err != nil {
		return err
	}
	inner, outer := l.scan.depth, l.scan.limit
	l.scan.limit = inner + l.opts.MaxDepth
	defer func() { l.scan.limit = outer }()
	for comma := false; !l.stopped; {
		c, err := l.scan.next()
		if err == nil && c == ']' && !comma {
			l.scan.leave()
			return nil
		}
		if err == nil {
			err = l.item(c)
		}
		if err == nil {
			comma, err = l.separator()
		}
		if err != nil {
			comma, l.scan.depth = false, inner
			if !l.resync(err) {
				return errTold
			}
		}
	}
	return errTold
}

func (l *jsonList) begin() {
	l.phase, l.queue, l.queued, l.n = undecided, nil, 0, 0
	if l.head.Kind != "" {
		l.phase = streaming
	}
	l.given++
	l.budget = 4 * l.opts.MaxDocumentBytes
}

// item reads the value that starts with c.
func (l *jsonList) item(c byte) error {
	if l.n == 0 {
		l.indent, l.ownLine = l.w.indentation()
	}
	if l.phase != undecided {
		l.w.start()
	}
	l.n++
	l.from = l.w.offset()
	it := jsonItem{n: l.n, first: c}
	it.format, it.line = JSON, l.w.lineNo()
	if err := l.pass(c, &it.head); err != nil {
		return err
	}
	it.span = Span{l.from, l.w.offset()}
	if err := l.scan.endsItem(); err != nil {
		return err
	}
	it.lost = l.from < l.w.base+int64(l.w.mark) || int(it.span.End-it.span.Start) > l.opts.MaxDocumentBytes
	if !it.lost {
		it.raw = l.w.slice(it.span.Start, it.span.End)
	}
	l.take(it)
	return nil
}

func (l *jsonList) pass(c byte, h *head) error {
	indent := 0
	if l.ownLine {
		indent = len(l.indent)
	}
	l.scan.item(indent, l.from, l.opts.MaxDocumentBytes)
	if c == '{' {
		return l.scan.head(h, nil)
	}
	return l.scan.skip()
}

// separator passes a comma; without one the items must end.
func (l *jsonList) separator() (comma bool, err error) {
	c, err := l.scan.next()
	switch {
	case err != nil:
		return false, err
	case c == ',':
		l.scan.comma()
		return true, nil
	case c == ']':
		return false, nil
	}
	return false, invalid(c, "after array element")
}

// take gives an item, or lets it wait.
func (l *jsonList) take(it jsonItem) {
	switch l.phase {
	case streaming:
		l.giveItem(it)
	case undecided, waiting:
		it.raw = bytes.Clone(it.raw)
		l.queue = append(l.queue, it)
		l.queued += len(it.raw)
		l.decide()
	}
}

// decide ends the waiting when the document has grown too large for it.
func (l *jsonList) decide() {
	switch {
	case l.phase == undecided && l.w.offset()-l.start <= wholeListBytes && !l.w.lost:
	case l.phase == undecided && l.looksLikeList():
		l.phase = streaming
		l.flush()
	case l.phase == undecided && l.head.Kind != "":
		l.phase, l.queue = noList, nil
	case l.phase == undecided:
		l.phase = waiting
	case l.phase == waiting && l.queued > l.opts.MaxDocumentBytes:
		l.phase, l.queue = refused, nil
		l.fail("parse", 0, l.line, errLateKind)
	}
}

// looksLikeList asks an item that waits, then the rest of the file.
func (l *jsonList) looksLikeList() bool {
	for _, it := range l.queue {
		if it.head.Kind != "" && it.head.APIVersion != "" {
			return true
		}
	}
	ahead, ok := l.headAhead(l.start)
	if !ok {
		return false
	}
	l.head.Identity = ahead.Identity
	return strings.HasSuffix(ahead.Kind, "List")
}

func (l *jsonList) flush() {
	for _, it := range l.queue {
		if !l.stopped {
			l.giveItem(it)
		}
	}
	l.queue = nil
}

func (l *jsonList) giveItem(it jsonItem) {
	if it.err != nil {
		l.fail("parse", it.n, it.line, it.err)
		return
	}
	h := it.head.typedBy(l.head)
	if !l.wants(h, []byte{it.first}, it.n, it.line) {
		return
	}
	if it.lost {
		l.fail("parse", it.n, it.line, l.tooLarge())
		return
	}
	deferred := h.Identity == it.head.Identity && l.defers(h.Identity)
	if !deferred && tooManyJSON(it.raw, l.opts.MaxValues) {
		l.fail("parse", it.n, it.line, l.opts.tooMany())
		return
	}
	if l.phase == streaming {
		it.raw = bytes.Clone(it.raw)
	}
	d := it.document(l.source(it.line), h, it.raw)
	if deferred {
		d = l.deferredJSON(d)
	}
	if h.Identity != it.head.Identity {
		d.derived.json = typed(it.head, h, it.raw)
		d = d.encoded()
	}
	l.hand(d, it.n)
}

// isOne reports whether the document is a List, given how reading it ended.
func (l *jsonList) isOne(err error) bool {
	switch l.phase {
	case noList:
		return false
	case undecided:
		return strings.HasSuffix(l.head.Kind, "List") || (l.broken && l.looksLikeList()) || errors.Is(err, errTold)
	}
	return true
}

// end gives what waits, now that the kind is known as far as it can be.
func (l *jsonList) end(err error) error {
	switch {
	case l.phase == refused:
		return err
	case l.phase == streaming && l.head.Kind != "" && !strings.HasSuffix(l.head.Kind, "List"):
		l.fail("parse", 0, l.line, fmt.Errorf("has items with kinds of their own, but its kind is %s and not a List", clip(l.head.Kind)))
	case l.phase == waiting && !strings.HasSuffix(l.head.Kind, "List"):
		l.fail("parse", 0, l.line, l.tooLarge())
		return err
	}
	l.flush()
	l.noticeContinue(l.head, l.line)
	return err
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
