package manifest

import "github.com/ssactl/ssactl/internal/guard"

// Items of a List are converted while the reading goes on, which takes as long: so many of
// them beside the first, with so many bytes of text, before it is their turn. Those that
// nobody wants, or that are read later, may be more.
const (
	itemsAhead  = 16
	bytesAhead  = 4 * wholeListBytes
	othersAhead = 4096
)

// conversion makes JSON of an item's text.
type conversion struct {
	raw    []byte
	asJSON []byte
	err    error
	done   chan struct{}
}

// convert begins the conversion of an item whose dash is at a column of the text.
func (f *reader) convert(text []byte, dash int, item *yamlItem) *conversion {
	c := &conversion{raw: withoutDash(text), done: make(chan struct{})}
	opts, line, outdented := f.opts, item.line, item.outdented
	go func() {
		defer close(c.done)
		c.err = guard.Do(func() (err error) {
			if c.asJSON, err = toJSON(c.raw, line, opts); err == nil && outdented {
				// A mapping ends at such a line, and what follows is not read: only in
				// its place it shows as the mistake that it may be.
				const key = "items:\n"
				listed := append([]byte(key), c.raw...)
				listed[len(key)+dash] = '-'
				_, err = toJSON(listed, line-1, opts)
			}
			return err
		})
	}()
	return c
}

// wait waits until the conversion is done.
func (c *conversion) wait() *conversion {
	<-c.done
	return c
}

// ready reports whether nobody has to wait for a conversion: where there is none, nobody.
func (c *conversion) ready() bool {
	if c == nil {
		return true
	}
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// beginItems takes from the texts of the items that are complete what they are given from
// when it is their turn, until there is enough that waits for that. A text that is no longer
// needed and can be read again is released.
func (f *reader) beginItems(w *window, d *yamlDocument) {
	for c := &d.cutter; c.begun < len(c.items) && c.items[c.begun].end > 0 && !c.enough(); {
		if item := f.begin(w, c); d.gone || f.lasting != nil && !item.lost {
			d.drop(w, item.end)
		}
	}
}

// begin takes what the next item is given from out of its text: who it is, where its lines
// tell, and unless nobody wants it, its conversion, or a document that is read later.
func (f *reader) begin(w *window, c *listCutter) *yamlItem {
	item := &c.items[c.begun]
	c.begun++
	item.lost = !w.keeps(item.from) || item.end-item.from > int64(f.opts.MaxDocumentBytes)
	if item.lost || item.broken {
		return item
	}
	text := w.slice(item.from, item.end)
	id, named := f.quick(c, *item, text)
	switch {
	case named && f.unwanted(id):
		item.unwanted = &id
	case named && f.defers(id):
		p := piece{raw: text, format: YAML, span: Span{item.from, item.end}, line: item.line}
		// The List gets its number when it ends.
		src := Source{File: f.file, Document: f.doc + 1, Line: item.line}
		later := f.deferred(p, src, head{Identity: id}, c.given+c.begun)
		item.later = &later
		c.bytes += len(later.Raw)
	default:
		item.ahead = f.convert(text, c.column, item)
		c.converting++
		c.bytes += len(item.ahead.raw)
	}
	return item
}

// enough reports whether so much waits for its turn that no further item is begun.
func (c *listCutter) enough() bool {
	return c.converting > itemsAhead || c.bytes > bytesAhead || c.begun > othersAhead
}

// quick is the identity of an item by its lines alone, where somebody may not
// want it.
func (f *reader) quick(c *listCutter, item yamlItem, text []byte) (Identity, bool) {
	if f.opts.Want == nil || item.outdented {
		return Identity{}, false
	}
	return quickIdentity(text[c.column+1:], c.column+1)
}

// turn reports whether the first item waits no longer.
func (c *listCutter) turn() bool {
	return c.state != inItems || c.enough() || c.items[0].ahead.ready()
}
