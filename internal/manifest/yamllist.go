package manifest

import (
	"bytes"
	"encoding/json"
)

// listCutter finds the items of a YAML List by their dashes: those that stand
// at the column of the first one below a top-level "items:". That is the shape
// that kubectl writes; whether a cut was right is checked by reading it.
type listCutter struct {
	header    []byte // the top-level lines before the items
	column    int    // of the dashes
	state     cutState
	items     []yamlItem
	trailer   []byte // the top-level lines after the items
	streaming bool
	given     int
	list      head
}

type cutState int

const (
	beforeItems cutState = iota
	atItems
	inItems
	afterItems
)

// yamlItem is where an item stands; end is 0 while it is being read.
type yamlItem struct {
	from, end int64
	line      int
}

const maxHeader = 64 << 10

func (c *listCutter) add(line []byte, at int64, number int) {
	text := bytes.TrimLeft(line, " ")
	column := len(line) - len(text)
	dash := bytes.HasPrefix(text, []byte("- ")) || bytes.Equal(bytes.TrimSpace(text), []byte("-"))
	blank := len(bytes.TrimSpace(text)) == 0 || text[0] == '#'
	switch {
	case c.state == beforeItems && bytes.Equal(bytes.TrimSpace(line), []byte("items:")) && column == 0:
		c.state = atItems
	case c.state == beforeItems && len(c.header) < maxHeader:
		c.header = append(c.header, line...)
	case c.state == atItems && dash:
		c.state, c.column = inItems, column
		c.items = append(c.items, yamlItem{from: at, line: number})
	case c.state == atItems && !blank:
		c.state = afterItems
	case c.state == inItems && dash && column == c.column:
		c.close(at)
		c.items = append(c.items, yamlItem{from: at, line: number})
	case c.state == inItems && column == 0 && !blank && !dash:
		c.close(at)
		c.state = afterItems
		c.trailer = append(c.trailer, line...)
	case c.state == afterItems && len(c.trailer) < maxHeader:
		c.trailer = append(c.trailer, line...)
	}
}

func (c *listCutter) close(at int64) {
	if n := len(c.items); n > 0 && c.items[n-1].end == 0 {
		c.items[n-1].end = at
	}
}

// streamItems gives the items that are complete once a List has grown too
// large to be held as a whole.
func (f *reader) streamItems(w *window, d *yamlDocument) {
	c := &d.cutter
	if !c.streaming {
		if c.state < inItems || len(c.items) < 2 || w.lost || w.offset()-d.from < wholeListBytes || !f.looksLikeList(w, c) {
			return
		}
		c.streaming = true
	}
	for len(c.items) > 0 && c.items[0].end > 0 && !f.stopped {
		f.streamItem(w, c)
	}
}

// looksLikeList asks the kind where it comes before the items, else the first
// item.
func (f *reader) looksLikeList(w *window, c *listCutter) bool {
	asJSON, err := toJSON(c.header, 1, f.opts)
	if err != nil {
		return false
	}
	c.list = readHead(asJSON)
	c.list.Items = json.RawMessage("[]")
	if c.list.Kind != "" {
		return isList(c.list)
	}
	asJSON, err = toJSON(cutItem(w, c.items[0], c.column), 1, f.opts)
	first := readHead(asJSON)
	return err == nil && first.Kind != "" && first.APIVersion != ""
}

func (f *reader) streamItem(w *window, c *listCutter) {
	item := c.items[0]
	c.items = c.items[1:]
	c.given++
	f.doc++ // the number that the List gets when it ends
	defer func() { f.doc-- }()
	if item.from < w.base+int64(w.mark) || w.lost {
		w.lost = false
		f.fail("parse", c.given, item.line, f.tooLarge())
		return
	}
	f.item(w, c, item)
	w.mark = int(item.end - w.base)
}

func (f *reader) item(w *window, c *listCutter, item yamlItem) {
	raw := cutItem(w, item, c.column)
	if f.opts.Want != nil {
		if id, ok := quickIdentity(raw); ok && !f.opts.Want(id) {
			f.given++
			return
		}
	}
	asJSON, err := toJSON(raw, item.line, f.opts)
	if err != nil {
		f.fail("parse", c.given, item.line, err)
		return
	}
	f.giveItem(c.list, raw, asJSON, Span{item.from, item.end}, item.line, c.given)
}

func (f *reader) giveItem(list head, raw, asJSON []byte, span Span, line, n int) {
	format := YAML
	if typed := f.typed(list, asJSON); len(typed) != len(asJSON) {
		raw, asJSON, format = typed, typed, JSON
	}
	f.give(newDocument(f.source(line), raw, asJSON, format, span, line), n)
}

// cutItem copies an item and puts a space for its dash, so that all columns
// and lines stay those of the file.
func cutItem(w *window, item yamlItem, column int) []byte {
	raw := bytes.Clone(w.slice(item.from, item.end))
	raw[column] = ' '
	return raw
}

func (f *reader) endStream(w *window, d *yamlDocument) {
	c := &d.cutter
	c.close(d.end)
	f.doc--
	for len(c.items) > 0 && !f.stopped {
		f.streamItem(w, c)
	}
	f.doc++
	if asJSON, err := toJSON(append(c.header, c.trailer...), d.line, f.opts); err == nil {
		f.noticeContinue(readHead(asJSON), d.content)
	}
}

// wholeList gives the items of a List that was read as a whole. They are cut
// when each cut reads as the item it should be, else encoded anew.
func (f *reader) wholeList(d *yamlDocument, h head, asJSON, raw []byte) {
	c := &d.cutter
	c.close(d.end)
	var want []json.RawMessage
	_ = json.Unmarshal(h.Items, &want)
	cuts := make([][]byte, len(c.items))
	same := len(c.items) == len(want)
	for i := 0; same && i < len(cuts); i++ {
		cuts[i] = bytes.Clone(raw[c.items[i].from-d.from : c.items[i].end-d.from])
		cuts[i][c.column] = ' '
		got, err := toJSON(cuts[i], 1, f.opts)
		same = err == nil && bytes.Equal(got, want[i])
	}
	if !same {
		f.items(h, asJSON, YAML, d.from, d.content)
		return
	}
	f.noticeContinue(h, d.content)
	f.given++
	for i, cut := range cuts {
		f.giveItem(h, cut, want[i], Span{c.items[i].from, c.items[i].end}, c.items[i].line, i+1)
	}
}

func validJSON(b []byte) bool { return json.Valid(b) }
