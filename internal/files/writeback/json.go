package writeback

import (
	"bytes"
	"encoding/json"

	"github.com/ssactl/ssactl/internal/document"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// A list is the items of a document that is a List, as bytes of the whole
// text.
type list interface {
	// typed is what the list says it is.
	typed() typeMeta
	// count is the number of items.
	count() int
	// item is the text of one, in a form that decode can read.
	item(i int) []byte
	// decode reads one item.
	decode(i int) (any, error)
	// replace gives items other values and takes those out that are nil.
	replace(values map[int]map[string]any) ([]document.Splice, error)
	// append adds values behind the last item.
	append(values []map[string]any) ([]document.Splice, error)
}

// A typeMeta is the API version and kind of a document.
type typeMeta struct{ apiVersion, kind string }

// spans are the items of a list in any format.
type spans struct {
	typeMeta
	text  []byte
	items []document.Span
}

func (l *spans) typed() typeMeta   { return l.typeMeta }
func (l *spans) count() int        { return len(l.items) }
func (l *spans) item(i int) []byte { return l.items[i].Of(l.text) }

// A jsonList is a list in JSON.
type jsonList struct {
	spans
	document document.Span
	// array encloses the brackets.
	array document.Span
}

// newJSONList finds the items of a JSON document. Of several keys "items" the
// last one counts, as everywhere in the API.
func newJSONList(text []byte, doc document.Span) (*jsonList, bool) {
	l := &jsonList{spans: spans{text: text}, document: doc}
	s := scan.Bytes(doc.Of(text), scan.AnyDepth)
	if s.Next() != '{' {
		return nil, false
	}
	found := false
	s.Members(func(key []byte) {
		switch string(key) {
		case "apiVersion":
			l.apiVersion = s.Value()
		case "kind":
			l.kind = s.Value()
		case "items":
			found, l.items = s.Next() == '[', nil
			l.array = l.passed(s, func() { l.find(s) })
		default:
			s.Skip()
		}
	})
	return l, s.Err() == nil && found
}

// passed is where what is passed stands.
func (l *jsonList) passed(s *scan.Scanner, pass func()) document.Span {
	s.Next()
	start := s.Offset()
	pass()
	return document.Between(l.document.Start+start, l.document.Start+s.Offset())
}

// find finds the items of the array that is next.
func (l *jsonList) find(s *scan.Scanner) {
	if s.Next() != '[' {
		s.Skip()
		return
	}
	s.Elements(func() { l.items = append(l.items, l.passed(s, s.Skip)) })
}

func (l *jsonList) decode(i int) (any, error) { return document.Value(l.item(i), true) }

func (l *jsonList) replace(values map[int]map[string]any) ([]document.Splice, error) {
	var splices []document.Splice
	for i, value := range values {
		if value == nil {
			continue
		}
		encoded, err := styleOf(l.text, l.items[i]).encode(value)
		if err != nil {
			return nil, err
		}
		splices = append(splices, l.items[i].Replaced(encoded)...)
	}
	return append(splices, l.removals(values)...), nil
}

// removals takes items out together with the comma behind them, and those at
// the end together with the comma in front of them.
func (l *jsonList) removals(values map[int]map[string]any) []document.Splice {
	gone := func(i int) bool {
		value, named := values[i]
		return named && value == nil
	}
	kept := len(l.items)
	for kept > 0 && gone(kept-1) {
		kept--
	}
	if kept == 0 && len(l.items) > 0 {
		return l.array.Within().Replaced(nil)
	}
	var splices []document.Splice
	if kept < len(l.items) {
		splices = document.Between(l.items[kept-1].End, l.items[len(l.items)-1].End).Replaced(nil)
	}
	for i := range kept {
		if gone(i) {
			splices = append(splices, document.Between(l.items[i].Start, l.items[i+1].Start).Replaced(nil)...)
		}
	}
	return splices
}

func (l *jsonList) append(values []map[string]any) ([]document.Splice, error) {
	if len(l.items) == 0 {
		return l.fill(values)
	}
	last := l.items[len(l.items)-1]
	style := styleOf(l.text, last)
	between := l.between(style)
	var added bytes.Buffer
	for _, value := range values {
		encoded, err := style.encode(value)
		if err != nil {
			return nil, err
		}
		added.Write(between)
		added.Write(encoded)
	}
	return document.Replace(last.End, last.End, added.String()), nil
}

// between is what stands between two items, as far as the file shows it.
func (l *jsonList) between(style jsonStyle) []byte {
	if len(l.items) > 1 {
		return l.text[l.items[0].End:l.items[1].Start]
	}
	lead := l.text[l.array.Start+1 : l.items[0].Start]
	if len(lead) == 0 && style.spaced {
		lead = []byte(" ")
	}
	return append([]byte(","), lead...)
}

// fill puts the first items between empty brackets.
func (l *jsonList) fill(values []map[string]any) ([]document.Splice, error) {
	outer := styleOf(l.text, l.document)
	line := bytes.LastIndexByte(l.text[:l.array.Start], '\n') + 1
	inner := outer
	edge, between := "", ","
	switch {
	case outer.indent != "":
		blanks := string(leadingBlanks(l.text[line:l.array.Start]))
		inner.prefix = blanks + outer.indent
		edge, between = outer.newline+blanks, ","+outer.newline+inner.prefix
	case outer.spaced:
		between = ", "
	}
	var added bytes.Buffer
	for i, value := range values {
		encoded, err := inner.encode(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			added.WriteString(between)
		} else if edge != "" {
			added.WriteString(edge + outer.indent)
		}
		added.Write(encoded)
	}
	added.WriteString(edge)
	return l.array.Within().Replaced(added.Bytes()), nil
}

// A jsonStyle is how a JSON text is laid out.
type jsonStyle struct {
	// indent is one level of indentation; "" writes everything on one line.
	indent string
	// prefix is the indentation of the line that the value starts on.
	prefix string
	// newline ends a line.
	newline string
	// spaced puts a blank behind colons and commas of a single line.
	spaced bool
	// plain writes <, > and & as they are, kubectl escapes them.
	plain bool
}

// kubectlJSON is the layout of a file that does not exist yet.
var kubectlJSON = jsonStyle{indent: "    ", newline: "\n"}

// styleOf finds the layout of the value at span in text.
func styleOf(text []byte, s document.Span) jsonStyle {
	value := s.Of(text)
	style := jsonStyle{newline: "\n", plain: bytes.ContainsAny(value, "<>&")}
	line := bytes.LastIndexByte(text[:s.Start], '\n') + 1
	style.prefix = string(leadingBlanks(text[line:s.Start]))
	first := bytes.IndexByte(value, '\n')
	if first < 0 {
		style.spaced = bytes.Contains(value, []byte(`": `))
		return style
	}
	if first > 0 && value[first-1] == '\r' {
		style.newline = "\r\n"
	}
	blanks := string(leadingBlanks(value[first+1:]))
	style.indent = string(bytes.TrimPrefix([]byte(blanks), []byte(style.prefix)))
	if style.indent == "" {
		style.indent = kubectlJSON.indent
	}
	return style
}

func leadingBlanks(text []byte) []byte {
	return text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
}

// encode writes a value with sorted keys and without a final line break.
func (s jsonStyle) encode(value any) ([]byte, error) {
	var compact bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(!s.plain)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(compact.Bytes(), []byte("\n"))
	switch {
	case s.indent != "":
		return s.expand(text)
	case s.spaced:
		return document.Spaced(text), nil
	}
	return text, nil
}

func (s jsonStyle) expand(compact []byte) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, compact, s.prefix, s.indent); err != nil {
		return nil, err
	}
	if s.newline == "\n" {
		return out.Bytes(), nil
	}
	// A line break inside a string is escaped, so all of these are layout.
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(s.newline)), nil
}
