package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/ssactl/ssactl/internal/document/scan"
)

// streamItems gives the items that are complete once a List has grown too
// large to be read as a whole. For the case that a cut is doubtful, its text is held
// nonetheless while it is within the limit, unless it can be read again.
func (f *reader) streamItems(w *scan.Window, d *yamlDocument) {
	c := &d.cutter
	if !c.streaming {
		if c.asked || c.state < inItems || len(c.items) < 2 || w.Lost() || w.Offset()-d.from < wholeListBytes {
			return
		}
		if c.asked = true; !f.looksLikeList(w, c) {
			return
		}
		f.startStream(d)
	}
	if w.Lost() || w.Offset()-d.from > int64(f.opts.MaxDocumentBytes) {
		c.doubt, d.gone = false, true
		if len(c.items) > 0 {
			d.drop(w, c.items[0].from)
		}
	}
	for c.complete() && !c.doubt && !f.stopped {
		f.streamItem(w, d)
	}
}

var errBrokenItem = errors.New("a line without indentation ends the items of the list in the middle of it")

func (f *reader) startStream(d *yamlDocument) {
	f.countDocument(d)
	d.cutter.streaming, d.held = true, d.from
	d.sum.SetSeed(seed)
	f.given++
}

func (f *reader) streamItem(w *scan.Window, d *yamlDocument) {
	c := &d.cutter
	item := c.items[0]
	if !w.Keeps(item.from) || item.end-item.from > int64(f.opts.MaxDocumentBytes) {
		d.gone = true
		c.next()
		d.drop(w, item.end)
		f.fail("parse", c.given, item.line, f.tooLarge())
		return
	}
	if item.broken {
		c.next()
		c.broken = true
		f.fail("parse", c.given, item.line, errBrokenItem)
		return
	}
	if c.doubt = !f.item(w, d, item); !c.doubt && (d.gone || f.lasting != nil) {
		d.drop(w, item.end)
	}
}

// next takes the first item as given.
func (c *listCutter) next() {
	c.items = c.items[1:]
	c.given++
}

// item gives the first item; false when it does not read as one, and the
// document is held to look again.
func (f *reader) item(w *scan.Window, d *yamlDocument, item yamlItem) bool {
	c, text := &d.cutter, w.Slice(item.from, item.end)
	p := piece{raw: text, format: YAML, span: Span{item.from, item.end}, line: item.line}
	id, named := f.quick(c, item, text)
	switch {
	case named && f.skips(id):
		c.next()
		return true
	case named && f.defers(id):
		c.next()
		f.giveDeferred(f.deferred(p, f.source(item.line), head{Identity: id}, c.given), c.given)
		return true
	}
	p.raw = withoutDash(text)
	asJSON, plain, err := f.itemJSON(c, p, item)
	if (err != nil || !isObject(asJSON)) && !d.gone {
		return false
	}
	c.next()
	if err != nil {
		f.fail("parse", c.given, item.line, err)
		return true
	}
	if !plain {
		f.noteWordKeys(p.raw, asJSON, p.line)
	}
	f.giveCut(c.list, p, asJSON, c.given)
	return true
}

// quick is the identity of an item by its lines alone, where somebody may not
// want it.
func (f *reader) quick(c *listCutter, item yamlItem, text []byte) (Identity, bool) {
	if f.opts.Want == nil || item.outdented {
		return Identity{}, false
	}
	return quickIdentity(text[c.column+1:], c.column+1)
}

// itemJSON converts an item, as converted does.
func (f *reader) itemJSON(c *listCutter, p piece, item yamlItem) (asJSON []byte, plain bool, err error) {
	asJSON, plain, err = converted(p.raw, p.line, f.opts)
	if err == nil && item.outdented {
		// A mapping ends at such a line, and what follows is not read: only in
		// its place it shows as the mistake that it may be.
		const key = "items:\n"
		listed := append([]byte(key), p.raw...)
		listed[len(key)+c.column] = '-'
		_, err = toJSON(listed, p.line-1, f.opts)
	}
	return asJSON, plain, err
}

// endStream gives what is left of a List that was streamed.
func (f *reader) endStream(w *scan.Window, d *yamlDocument) {
	c := &d.cutter
	c.close(d.end)
	if c.list.Kind == "" {
		c.list.Identity, _ = c.kindBehind()
	}
	f.streamRest(w, d)
	if c.doubt && !f.stopped && !f.lookAgain(w, d) {
		d.gone = true
		f.streamRest(w, d)
	}
	asJSON, err := toJSON(slices.Concat(c.header, c.trailer), 1, f.opts)
	if err != nil && !f.stopped && !c.broken {
		f.fail("parse", 0, d.content, fmt.Errorf("around the items of the list: %w", err))
		return
	}
	f.noteList(readHead(asJSON), d.content)
}

func (f *reader) streamRest(w *scan.Window, d *yamlDocument) {
	if d.gone {
		d.cutter.doubt = false
	}
	for len(d.cutter.items) > 0 && !d.cutter.doubt && !f.stopped {
		f.streamItem(w, d)
	}
}

// lookAgain reads the document as a whole and gives the items that were not
// given yet; false when that does not read either, or is too large. Of a file that
// changed, none is given: which they are is not known.
func (f *reader) lookAgain(w *scan.Window, d *yamlDocument) bool {
	if d.end-d.from > int64(f.opts.MaxDocumentBytes) || !w.Keeps(d.held) {
		return false
	}
	raw, err := f.textOf(w, d)
	if err != nil {
		f.fail("read", d.cutter.given+1, d.cutter.items[0].line, fmt.Errorf("this item and those after it are not read: %w", err))
		return true
	}
	asJSON, err := toJSON(raw, d.line, f.opts)
	if err != nil {
		return false
	}
	h := readHead(asJSON)
	if !isList(h) {
		return false
	}
	f.encodedItems(piece{raw: raw, line: d.line}, d.content, h, asJSON, d.cutter.given)
	return true
}

// cutList gives the items of a List that is held as a whole: what is wrong in one costs
// that one only. False for all other documents.
func (f *reader) cutList(w *scan.Window, d *yamlDocument) bool {
	c := &d.cutter
	c.close(d.end)
	if len(c.items) == 0 || bytes.Contains(c.trailer, []byte("items")) || !f.looksLikeList(w, c) {
		return false
	}
	if _, err := c.kindBehind(); err == nil && c.list.Kind == "" {
		return false
	}
	f.startStream(d)
	f.endStream(w, d)
	return true
}
