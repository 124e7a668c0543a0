package writeback

import (
	"bytes"

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
