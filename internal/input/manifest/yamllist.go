package manifest

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
	"github.com/ssactl/ssactl/internal/jsontree"
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
	broken    bool   // an item was
	asked     bool   // whether it looks like a List
	streaming bool
	given     int // number of the latest item that was given
	list      head
	// doubt: a cut does not read as an item, so the rest waits for the end of
	// the document, which is still held.
	doubt bool
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
	broken    bool // a line of the List came in the middle of it
	outdented bool // a line stands left of it: quoted text, or a mistake
}

const maxHeader = 64 << 10

// itemsKey is the line of the key that a List has its items below.
var itemsKey = regexp.MustCompile(`^(items|"items"|'items')[ \t]*:[ \t]*(#.*)?\r?\n?$`)

// listKey is a line with a key of the List itself.
var listKey = regexp.MustCompile(`^["']?[A-Za-z][A-Za-z0-9_.-]*["']?[ \t]*:(\s|$)`)

func (c *listCutter) add(line []byte, at int64, number int) {
	text := bytes.TrimLeft(line, " ")
	column := len(line) - len(text)
	dash, blank := document.IsDash(line, column), document.IsBlank(text)
	switch {
	case c.state == beforeItems && column == 0 && itemsKey.Match(line):
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
	case c.state == inItems && column == 0 && !blank && !dash && listKey.Match(line):
		c.close(at)
		c.state = afterItems
		c.trailer = append(c.trailer, line...)
	case c.state == inItems && column <= c.column && !blank:
		c.items[len(c.items)-1].outdented = true
	case c.state == afterItems && dash && column == c.column && len(c.items) > 0 && !c.inTrailingKey():
		// What ended the items was a mistake in the last one.
		c.state, c.items[len(c.items)-1].broken = inItems, true
		c.items = append(c.items, yamlItem{from: at, line: number})
	case c.state == afterItems && len(c.trailer) < maxHeader:
		c.trailer = append(c.trailer, line...)
	}
}

// within reports whether a line is inside of an item for certain: right of its dash.
func (c *listCutter) within(line []byte) bool {
	return c.state == inItems && scan.Spaced(line, c.column+1)
}

// without reports whether a line says nothing of a List: it is below another key than
// that of the items, and as much is known of those as is kept.
func (c *listCutter) without(line []byte) bool {
	return c.state == beforeItems && len(c.header) >= maxHeader && scan.Spaced(line, 1)
}

// complete reports whether the first item is known to be read in full: of the
// last one that shows only at the end of the document.
func (c *listCutter) complete() bool {
	return len(c.items) > 0 && c.items[0].end > 0 && (c.state == inItems || len(c.items) > 1)
}

// inTrailingKey reports whether a line below may be the value of a key.
func (c *listCutter) inTrailingKey() bool {
	trailer := bytes.TrimSpace(c.trailer)
	last := trailer[bytes.LastIndexByte(trailer, '\n')+1:]
	return len(last) == 0 || bytes.HasSuffix(last, []byte(":")) || bytes.HasPrefix(bytes.TrimSpace(last), []byte("-"))
}

func (c *listCutter) close(at int64) {
	if n := len(c.items); n > 0 && c.items[n-1].end == 0 {
		c.items[n-1].end = at
	}
}

// withoutDash copies the text of an item with a space for its dash, so that all columns and
// lines stay those of the file.
func withoutDash(text []byte) []byte {
	text = bytes.Clone(text)
	text[bytes.IndexByte(text, '-')] = ' '
	return text
}

// looksLikeList asks the kind where it comes before the items, else the first
// item.
func (f *reader) looksLikeList(w *scan.Window, c *listCutter) bool {
	asJSON, err := toJSON(c.header, 1, f.opts)
	if err != nil {
		return false
	}
	c.list = readHead(asJSON)
	if c.list.Kind == "" {
		c.list.Identity, _ = c.kindBehind()
	}
	if c.list.Kind != "" {
		c.list.items = Span{End: 1}
		return isList(c.list)
	}
	text := w.Slice(c.items[0].from, c.items[0].end)
	if _, named := quickIdentity(text[c.column+1:], c.column+1); named {
		return true
	}
	asJSON, err = toJSON(withoutDash(text), 1, f.opts)
	first := readHead(asJSON)
	return err == nil && first.Kind != "" && first.APIVersion != ""
}

// kindBehind is the identity in what is around the items, as far as it was read.
func (c *listCutter) kindBehind() (Identity, error) {
	asJSON, err := toJSON(slices.Concat(c.header, c.trailer), 1, Options{}.WithDefaults())
	return readHead(asJSON).Identity, err
}

// itemsOf are the items of an array, which the conversion wrote: it is valid.
func itemsOf(array []byte) [][]byte {
	items, _ := jsontree.Texts(array, "*")
	for i, item := range items {
		items[i] = slices.Clip(item)
	}
	return items
}

// giveCut gives an item that reads as JSON.
func (f *reader) giveCut(list head, p piece, asJSON []byte, n int) {
	was := readHead(asJSON)
	h := was.typedBy(list)
	d := p.document(f.source(p.line), h, asJSON)
	if h.Identity != was.Identity && isObject(asJSON) {
		d.derived.json = typed(was, h, asJSON)
		d = d.encoded()
	}
	f.give(d, n)
}
