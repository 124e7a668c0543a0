package manifest

import "github.com/ssactl/ssactl/internal/guard"

// Items of a List are converted while the reading goes on, which takes as long:
// so many of them, within so many bytes of text, before it is their turn.
const (
	itemsAhead = 16
	bytesAhead = wholeListBytes / 4
)

// conversion makes JSON of an item's text.
type conversion struct {
	raw    []byte
	asJSON []byte
	err    error
	done   chan struct{}
}

// convert begins a conversion. The text must not be changed.
func (f *reader) convert(raw []byte, line int) *conversion {
	c := &conversion{raw: raw, done: make(chan struct{})}
	opts := f.opts
	go func() {
		defer close(c.done)
		c.err = guard.Do(func() (err error) {
			c.asJSON, err = toJSON(raw, line, opts)
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

// convertAhead begins the conversion of the first items that are complete and
// wanted. Of more that wait, such as all behind a doubtful one, none is.
func (f *reader) convertAhead(w *window, c *listCutter) {
	for ; c.begun < min(len(c.items), 1+itemsAhead) && c.items[c.begun].end > 0; c.begun++ {
		item := &c.items[c.begun]
		if !w.keeps(item.from) || item.end-item.from > int64(f.opts.MaxDocumentBytes) {
			continue
		}
		text := w.slice(item.from, item.end)
		if item.id, item.named = f.quick(c, *item, text); !item.named || f.opts.Want(item.id) && !f.defers(item.id) {
			item.ahead = f.convert(withoutDash(text), item.line)
		}
	}
}

// quick is the identity of an item by its lines alone, where somebody may not
// want it.
func (f *reader) quick(c *listCutter, item yamlItem, text []byte) (Identity, bool) {
	if f.opts.Want == nil || item.outdented {
		return Identity{}, false
	}
	return quickIdentity(text[c.column+1:], c.column+1)
}

// turn reports whether the first item waits no longer, now that the text is read
// up to an offset.
func (c *listCutter) turn(at int64) bool {
	return c.state != inItems || len(c.items) > itemsAhead || at-c.items[0].from > bytesAhead
}
