package manifest

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// quickIdentity reads the identity of a block mapping from the lines that name it, without
// reading the rest; false where the shape is not the one that kubectl writes,
// and where a quoted text is left open, so that the text may have been cut in
// the middle of it. It is three times as fast as the conversion (BenchmarkIdentity), which
// most objects of a dump are spared. The first line starts at column shift.
func quickIdentity(raw []byte, shift int) (Identity, bool) {
	q := quickReader{root: -1, meta: -1, ended: true, said: make([]byte, 0, 256), quotes: [2]int{-1, -1}}
	for from := 0; from < len(raw); shift = 0 {
		if shift == 0 {
			if from = q.pass(raw, from); from == len(raw) {
				break
			}
		}
		to := document.LineBehind(raw, from)
		text := bytes.TrimLeft(raw[from:to], " ")
		column := to - from - len(text) + shift
		from = to
		if text = bytes.TrimSpace(text); len(text) == 0 || q.quote == 0 && text[0] == '#' {
			continue
		}
		if !q.line(text, column) {
			return Identity{}, false
		}
	}
	asJSON, plain := plainyaml.ToJSON(q.said)
	if !plain || q.quote != 0 {
		return Identity{}, false
	}
	id := readHead(asJSON).Identity
	return id, id.Kind != "" && id.APIVersion != "" && id.Name != ""
}

// quickReader collects the lines that name an object.
type quickReader struct {
	said       []byte
	root, meta int  // columns of the keys there; -1 while not known
	inMeta     bool // within metadata
	ended      bool // the next line cannot be part of one that was collected
	quote      byte // that the lines before left open
	// quotes are where the next ones of both kinds stand, as far as they were looked for.
	quotes [2]int
}

// pass goes from the start of a line to the next one that may say something of the
// identity, or has a quote in it: past those below another key than metadata, or below a
// key of metadata, unless they are within a quoted text.
func (q *quickReader) pass(raw []byte, from int) int {
	column := q.root
	if q.inMeta {
		column = q.meta
	}
	if q.root < 0 || column < 0 || q.quote != 0 || !q.ended {
		return from
	}
	for from < len(raw) && scan.Spaced(raw[from:], column+1) {
		to := document.LineBehind(raw, from)
		if q.quoted(raw, from, to) {
			break
		}
		from = to
	}
	return from
}

// quoted reports whether there is a quote in a part of a text whose parts are asked about in
// their order.
func (q *quickReader) quoted(raw []byte, from, to int) bool {
	for i, quote := range []byte(`"'`) {
		if q.quotes[i] < from {
			q.quotes[i] = len(raw)
			if n := bytes.IndexByte(raw[from:], quote); n >= 0 {
				q.quotes[i] = from + n
			}
		}
	}
	return min(q.quotes[0], q.quotes[1]) < to
}

// line reads a line that says something; false where it is not understood.
func (q *quickReader) line(text []byte, column int) bool {
	atRoot, atMeta := q.levelOf(column)
	last := q.root
	if q.inMeta {
		last = q.meta
	}
	switch {
	case q.quote != 0:
		_, q.quote = afterQuote(text, q.quote)
		return column > q.root && !atMeta
	case column < q.root || !q.ended && column > last:
		return false
	}
	q.quote, q.ended = openQuote(text), true
	if atRoot || atMeta {
		return q.key(text, atRoot)
	}
	return true
}

// key reads a line at the column of the keys of the object, or else of its metadata; false
// where it is not understood.
func (q *quickReader) key(text []byte, atRoot bool) bool {
	// More than a plain key and its value is not understood.
	if past := document.PastDashes(text); len(past) > 0 && bytes.IndexByte([]byte("\"'?{[&*!<%\t"), past[0]) >= 0 {
		return false
	}
	key, value, ok := bytes.Cut(text, []byte(":"))
	if !ok || len(value) > 0 && value[0] != ' ' {
		return !ok && document.IsDash(text, 0)
	}
	if atRoot {
		q.inMeta, q.meta = string(key) == "metadata", -1
	}
	if identifies(string(key), atRoot) {
		q.collect(text, atRoot)
	}
	return true
}

// levelOf says whether a column is that of the keys of the object, or of its metadata. The
// first line below shows where they stand.
func (q *quickReader) levelOf(column int) (atRoot, atMeta bool) {
	if q.root < 0 {
		q.root = column
	}
	if column > q.root && q.inMeta && q.meta < 0 {
		q.meta = column
	}
	return column == q.root, q.inMeta && column == q.meta
}

// identifies reports whether a key of the object, or else of its metadata, says which
// object it is.
func identifies(key string, atRoot bool) bool {
	switch key {
	case "apiVersion", "kind", "metadata":
		return atRoot
	case "name", "namespace", "generateName":
		return !atRoot
	}
	return false
}

// collect takes a line of the object, or else of its metadata. What it says may go on in
// the next line, unless it opens the metadata.
func (q *quickReader) collect(text []byte, atRoot bool) {
	q.ended = q.inMeta && atRoot
	if !atRoot {
		q.said = append(q.said, ' ')
	}
	q.said = append(append(q.said, text...), '\n')
}

// openQuote gives the quote that a line opens and does not close; 0 without.
// Text of block scalars is not told apart: it can only give a doubt too many.
func openQuote(text []byte) byte {
	if !hasQuote(text) {
		return 0
	}
	if text = document.PastDashes(text); text[0] != '"' && text[0] != '\'' {
		_, value, _ := bytes.Cut(text, []byte(": "))
		text = bytes.TrimLeft(value, " ")
	}
	if len(text) == 0 || bytes.IndexByte([]byte("\"'[{&!"), text[0]) < 0 {
		return 0
	}
	for {
		i := bytes.IndexAny(text, `"'`)
		if i < 0 {
			return 0
		}
		rest, open := afterQuote(text[i+1:], text[i])
		if open != 0 {
			return open
		}
		text = rest
	}
}

func hasQuote(text []byte) bool {
	return bytes.IndexByte(text, '"') >= 0 || bytes.IndexByte(text, '\'') >= 0
}

// afterQuote gives what follows the closing quote, or the quote while it is
// still open.
func afterQuote(text []byte, quote byte) (rest []byte, open byte) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return text[i+1:], 0
		}
	}
	return nil, quote
}
