package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/jsontree"
)

// around is the head of what is around the items, as far as it was read.
func (d *yamlDocument) around() (head, error) {
	asJSON, err := toJSON(slices.Concat(d.list.header, d.list.trailer), 1, d.opts)
	return readHead(asJSON), err
}

// looksLikeList asks the kind where it comes before the items, else the first
// item.
func (d *yamlDocument) looksLikeList() bool {
	l := &d.list
	asJSON, err := toJSON(l.header, 1, d.opts)
	if err != nil {
		return false
	}
	if l.head = readHead(asJSON); l.head.Kind == "" {
		around, _ := d.around()
		l.head.Identity = around.Identity
	}
	if l.head.Kind != "" {
		l.head.items = Span{End: 1}
		return l.head.isList()
	}
	text := d.w.Slice(l.items[0].from, l.items[0].end)
	if _, named := quickIdentity(text[l.column+1:], l.column+1); named {
		return true
	}
	asJSON, err = toJSON(withoutDash(text), 1, d.opts)
	first := readHead(asJSON)
	return err == nil && first.Kind != "" && first.APIVersion != ""
}

// cut gives the items of a List that is held as a whole: what is wrong in one costs
// that one only. False for all other documents.
func (d *yamlDocument) cut() bool {
	l := &d.list
	l.close(d.end)
	if len(l.items) == 0 || bytes.Contains(l.trailer, []byte("items")) || !d.looksLikeList() {
		return false
	}
	if _, err := d.around(); err == nil && l.head.Kind == "" {
		return false
	}
	d.startStream()
	d.endStream()
	return true
}

// streamItems gives the items that are complete once a List has grown too
// large to be read as a whole. For the case that a cut is doubtful, its text is held
// nonetheless while it is within the limit, unless it can be read again.
func (d *yamlDocument) streamItems() {
	l, size := &d.list, d.w.Offset()-d.from
	if !l.streaming {
		if !d.outgrew(size) {
			return
		}
		d.doc++
		d.startStream()
	}
	if d.w.Lost() || size > int64(d.opts.MaxDocumentBytes) {
		l.doubt, l.gone = false, true
		if len(l.items) > 0 {
			d.drop(l.items[0].from)
		}
	}
	for l.hasWhole() && !l.doubt && !d.stopped {
		d.streamItem()
	}
}

// outgrew reports whether the document is a List that is too large, at a size, to be read
// as a whole. Whether it is a List is asked once.
func (d *yamlDocument) outgrew(size int64) bool {
	l := &d.list
	if l.asked || l.state < inItems || len(l.items) < 2 || d.w.Lost() || size < wholeListBytes {
		return false
	}
	l.asked = true
	return d.looksLikeList()
}

// hasWhole reports whether the first item is known to be complete. Only the end of the
// document shows it of the last one.
func (l *yamlList) hasWhole() bool {
	return len(l.items) > 0 && l.items[0].end > 0 && (l.state == inItems || len(l.items) > 1)
}

func (d *yamlDocument) startStream() {
	d.list.streaming, d.list.held, d.list.around = true, d.from, &around{}
	d.list.sum.SetSeed(seed)
	d.given++
}

// seed is that of the sums by which a text that is read again is known to be the same.
var seed = maphash.MakeSeed()

// drop lets go of the text up to an offset.
func (d *yamlDocument) drop(to int64) {
	if l := &d.list; !l.gone {
		_, _ = l.sum.Write(d.w.Slice(l.held, to))
	}
	d.list.held = to
	d.w.Release(to)
}

// streamItem gives the first item, or has it doubted.
func (d *yamlDocument) streamItem() {
	l := &d.list
	item := l.items[0]
	switch {
	case !d.w.Keeps(item.from) || item.end-item.from > int64(d.opts.MaxDocumentBytes):
		l.gone = true
		l.next()
		d.drop(item.end)
		d.fail("parse", l.given, item.line, d.opts.tooLarge())
	case item.broken:
		l.next()
		l.broken = true
		d.fail("parse", l.given, item.line, errBrokenItem)
	default:
		if l.doubt = !d.giveItem(item); !l.doubt && (l.gone || d.lasting != nil) {
			d.drop(item.end)
		}
	}
}

// giveItem gives the first item; false when it does not read as one, and the
// document is held to look again.
func (d *yamlDocument) giveItem(item yamlItem) bool {
	l := &d.list
	p := piece{
		raw: d.w.Slice(item.from, item.end), format: YAML, span: Span{item.from, item.end},
		line: item.line, content: item.line, item: l.given + 1, around: l.around,
	}
	if !item.outdented && d.skim(p, l.column) {
		l.next()
		return true
	}
	p.raw = withoutDash(p.raw)
	err := d.convert(&p)
	if err == nil && item.outdented {
		// A mapping ends at such a line, and what follows is not read: only in
		// its place it shows as the mistake that it may be.
		const key = "items:\n"
		listed := append([]byte(key), p.raw...)
		listed[len(key)+l.column] = '-'
		_, err = toJSON(listed, p.line-1, d.opts)
	}
	if (err != nil || !isObject(p.json)) && !l.gone {
		return false
	}
	l.next()
	if err != nil {
		d.fail("parse", p.item, p.line, err)
		return true
	}
	d.noteWordKeys(p)
	p.plain = false
	d.give(l.head, p)
	return true
}

// withoutDash copies the text of an item with a space for its dash, so that all columns and
// lines stay those of the file.
func withoutDash(text []byte) []byte {
	text = bytes.Clone(text)
	text[bytes.IndexByte(text, '-')] = ' '
	return text
}

// endStream gives what is left of a List that was streamed.
func (d *yamlDocument) endStream() {
	l := &d.list
	l.close(d.end)
	around, err := d.around()
	if l.head.Kind == "" {
		l.head.Identity = around.Identity
	}
	d.giveRest()
	if l.doubt && !d.stopped && !d.lookAgain() {
		l.gone = true
		d.giveRest()
	}
	if err != nil && !d.stopped && !l.broken {
		d.fail("parse", 0, d.content, fmt.Errorf("around the items of the list: %w", err))
		return
	}
	d.noteList(around, d.content)
}

func (d *yamlDocument) giveRest() {
	l := &d.list
	for l.doubt = l.doubt && !l.gone; len(l.items) > 0 && !l.doubt && !d.stopped; {
		d.streamItem()
	}
}

// lookAgain reads the document as a whole and gives the items that were not
// given yet; false when that does not read either, or is too large. Of a file that
// changed, none is given: which they are is not known.
func (d *yamlDocument) lookAgain() bool {
	if d.end-d.from > int64(d.opts.MaxDocumentBytes) || !d.w.Keeps(d.list.held) {
		return false
	}
	raw, err := d.text()
	if err != nil {
		d.fail("read", d.list.given+1, d.list.items[0].line, fmt.Errorf("this item and those after it are not read: %w", err))
		return true
	}
	p := piece{raw: raw, line: d.line, content: d.content, around: d.list.around}
	if d.convert(&p) != nil || !p.head.isList() {
		return false
	}
	d.encoded(p, d.list.given)
	return true
}

// text is the text of the document, whose end is held: what was dropped before is read
// again.
func (d *yamlDocument) text() ([]byte, error) {
	l, raw := &d.list, make([]byte, d.end-d.from)
	dropped := raw[:l.held-d.from]
	copy(raw[len(dropped):], d.w.Slice(l.held, d.end))
	if len(dropped) == 0 {
		return raw, nil
	}
	r, err := d.again(d.from)
	if err == nil {
		_, err = io.ReadFull(r, dropped)
	}
	switch {
	case errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF),
		err == nil && maphash.Bytes(seed, dropped) != l.sum.Sum64():
		return nil, ErrChanged
	case err != nil:
		return nil, fmt.Errorf("%w (%w)", ErrChanged, cause(err))
	}
	return raw, nil
}

// encoded gives the items of a YAML List that cannot be cut as bytes, from the one
// after skip on. Their fields are located in the text of the List.
func (f *reader) encoded(list piece, skip int) {
	list.around.text = list.raw
	whole := parseTree(list.raw, YAML, list.line)
	var nodes []document.Entry
	if whole.root != nil {
		if node, _ := field(whole.root, "items", 0); node != nil {
			nodes = node.Resolved().Entries
		}
	}
	// The conversion wrote the array: it is valid.
	items, _ := jsontree.Texts(list.json[list.head.items.Start:list.head.items.End], "*")
	for i := skip; i < len(items) && !f.stopped; i++ {
		where := &tree{last: whole.last, first: whole.first}
		p := piece{raw: bytes.Clone(items[i]), format: JSON, content: list.content, item: i + 1,
			head: readHead(items[i]), around: list.around}
		if len(nodes) == len(items) {
			p.content, where.root = whole.line(nodes[i].Line), nodes[i].Value
		}
		p.json, p.tree = p.raw, &lines{parse: func() *tree { return where }}
		f.give(list.head, p)
	}
}
