package manifest

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// quickIdentity reads the identity of a block mapping from its lines, without
// reading the rest; false where the shape is not the one that kubectl writes,
// and where a quoted text is left open, so that the text may have been cut in
// the middle of it. The first line starts at column shift.
func quickIdentity(raw []byte, shift int) (Identity, bool) {
	q := quickReader{root: -1, meta: -1}
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
			return q.id, false
		}
	}
	return q.id, q.quote == 0 && q.id.Kind != "" && q.id.APIVersion != "" && q.id.Name != ""
}

type quickReader struct {
	id         Identity
	root, meta int  // columns of the keys there; -1 while not known
	inMeta     bool // within metadata, which was there once hadMeta is set
	hadMeta    bool
	quote      byte // that the lines before left open
}

// pass goes from the start of a line to the next one that may say something of the
// identity, or has a quote in it: past those below another key than metadata, or below a
// key of metadata, unless they are within a quoted text.
func (q *quickReader) pass(raw []byte, from int) int {
	column := q.root
	if q.inMeta {
		column = q.meta
	}
	if q.root < 0 || column < 0 || q.quote != 0 {
		return from
	}
	for from < len(raw) && scan.Spaced(raw[from:], column+1) {
		to := document.LineBehind(raw, from)
		if hasQuote(raw[from:to]) {
			break
		}
		from = to
	}
	return from
}

func (q *quickReader) line(text []byte, column int) bool {
	if q.root < 0 {
		q.root = column
	}
	if column > q.root && q.inMeta && q.meta < 0 {
		q.meta = column
	}
	atRoot, atMeta := column == q.root, q.inMeta && column == q.meta
	if q.quote != 0 {
		_, q.quote = afterQuote(text, q.quote)
		return column > q.root && !atMeta
	}
	q.quote = openQuote(text)
	switch {
	case column < q.root:
		return false
	case !atRoot && !atMeta:
		return true
	case oddStart(text):
		return false
	}
	return q.key(text, atRoot)
}

// key reads a line of the root or of metadata.
func (q *quickReader) key(text []byte, atRoot bool) bool {
	key, value, ok := bytes.Cut(text, []byte(":"))
	if !ok {
		return document.IsDash(text, 0)
	}
	if len(value) > 0 && value[0] != ' ' {
		return false
	}
	value = bytes.TrimSpace(value)
	if atRoot {
		q.inMeta, q.meta = string(key) == "metadata", -1
	}
	if atRoot && q.inMeta {
		again := q.hadMeta
		q.hadMeta = true
		return !again && len(value) == 0
	}
	into := q.field(string(key), atRoot)
	if into == nil {
		return true
	}
	if *into != "" || !isPlainText(value) {
		return false
	}
	*into = string(value)
	return true
}

// field is what a key of the root, or of metadata, says; nil for others.
func (q *quickReader) field(key string, atRoot bool) *string {
	switch {
	case atRoot && key == "apiVersion":
		return &q.id.APIVersion
	case atRoot && key == "kind":
		return &q.id.Kind
	case atRoot:
	case key == "name":
		return &q.id.Name
	case key == "namespace":
		return &q.id.Namespace
	case key == "generateName":
		return &q.id.GenerateName
	}
	return nil
}

// oddStart reports whether a line is more than a plain key and its value.
func oddStart(text []byte) bool {
	text = document.PastDashes(text)
	return len(text) > 0 && bytes.IndexByte([]byte("\"'?{[&*!<%\t"), text[0]) >= 0
}

// isPlainText reports whether YAML can read a value only as a string: a letter
// first, and none of the words with another meaning.
func isPlainText(value []byte) bool {
	for i, c := range value {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && bytes.IndexByte([]byte("._/-"), c) < 0) {
			return false
		}
	}
	return plainyaml.IsString(value)
}

// openQuote gives the quote that a line opens and does not close; 0 without.
// Text of block scalars is not told apart: it can only give a doubt too many.
func openQuote(text []byte) byte {
	if !hasQuote(text) {
		return 0
	}
	text = document.PastDashes(text)
	if !isQuote(text) {
		_, value, found := bytes.Cut(text, []byte(": "))
		if !found {
			return 0
		}
		text = bytes.TrimLeft(value, " ")
	}
	if !isQuote(text) && (len(text) == 0 || bytes.IndexByte([]byte("[{&!"), text[0]) < 0) {
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

func isQuote(text []byte) bool { return len(text) > 0 && (text[0] == '"' || text[0] == '\'') }

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
