package manifest

import (
	"bytes"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// quickIdentity reads the identity of a block mapping from its lines, without
// reading the rest; false where the shape is not the one that kubectl writes,
// and where a quoted text is left open, so that the text may have been cut in
// the middle of it. The first line starts at column shift.
func quickIdentity(raw []byte, shift int) (Identity, bool) {
	q := quickReader{root: -1, meta: -1}
	for from, to := 0, 0; from < len(raw); from = to {
		if shift == 0 {
			if from = q.pass(raw, from); from == len(raw) {
				break
			}
		}
		to = lineEnd(raw, from)
		line := raw[from:to]
		text := bytes.TrimLeft(line, " ")
		column := len(line) - len(text) + shift
		shift = 0
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		if q.quote == 0 && text[0] == '#' {
			continue
		}
		if !q.line(text, column) {
			return q.id, false
		}
	}
	return q.id, q.quote == 0 && q.id.Kind != "" && q.id.APIVersion != "" && q.id.Name != ""
}

// lineEnd is where the line that starts at from ends, its break included.
func lineEnd(text []byte, from int) int {
	if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

type quickReader struct {
	id         Identity
	seen       uint // a bit for each field of the identity
	root, meta int  // columns of the keys there; -1 while not known
	inMeta     bool
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
		to := lineEnd(raw, from)
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
		if q.inMeta {
			again := q.seen&metadataSeen != 0
			q.seen |= metadataSeen
			return !again && len(value) == 0
		}
	}
	into, bit := q.field(key, atRoot)
	if into == nil {
		return true
	}
	if q.seen&bit != 0 || !isPlainText(value) {
		return false
	}
	q.seen |= bit
	*into = string(value)
	return true
}

const metadataSeen = 32

func (q *quickReader) field(key []byte, atRoot bool) (*string, uint) {
	switch {
	case atRoot && string(key) == "apiVersion":
		return &q.id.APIVersion, 1
	case atRoot && string(key) == "kind":
		return &q.id.Kind, 2
	case atRoot:
		return nil, 0
	case string(key) == "name":
		return &q.id.Name, 4
	case string(key) == "namespace":
		return &q.id.Namespace, 8
	case string(key) == "generateName":
		return &q.id.GenerateName, 16
	}
	return nil, 0
}

// oddStart reports whether a line is more than a plain key and its value.
func oddStart(text []byte) bool {
	text = document.PastDashes(text)
	return len(text) > 0 && bytes.IndexByte([]byte("\"'?{[&*!<%\t"), text[0]) >= 0
}

// otherWords are read as booleans or null, whatever their case.
var otherWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// isPlainText reports whether YAML can read a value only as a string: a letter
// first, and none of the words with another meaning.
func isPlainText(value []byte) bool {
	for i, c := range value {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && bytes.IndexByte([]byte("._/-"), c) < 0) {
			return false
		}
	}
	for _, word := range otherWords {
		if len(value) == len(word) && bytes.EqualFold(value, []byte(word)) {
			return false
		}
	}
	return len(value) > 0
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
