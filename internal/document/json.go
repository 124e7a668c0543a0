package document

import (
	"bytes"
	"encoding/json"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// IsJSON reports whether a text is one JSON object. JSON is distinguished from YAML in
// braces, which it mostly is, because YAML knows no surrogate pairs.
func IsJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// JSON reads the nodes of a JSON value; nil where it is none.
func JSON(text []byte) *Node {
	s := scan.Bytes(text, scan.AnyDepth)
	return jsonReader{s, s.Line}.root()
}

// Located reads the nodes of a YAML document that can be read in one way only, with lines
// and without spans; nil of any other.
func Located(text []byte) *Node {
	asJSON, lines, ok := plainyaml.Located(text)
	if !ok {
		return nil
	}
	return jsonReader{scan.Bytes(asJSON, scan.AnyDepth), func() (line int) {
		if len(lines) > 0 {
			line, lines = lines[0], lines[1:]
		}
		return line
	}}.root()
}

// jsonReader makes nodes of the values of a text.
type jsonReader struct {
	*scan.Scanner
	// line is that of the key or item at hand.
	line func() int
}

func (r jsonReader) root() *Node {
	node := r.node()
	if r.Err() != nil {
		return nil
	}
	return node
}

func (r jsonReader) node() *Node {
	c := r.Next()
	n := &Node{Start: r.Offset(), Lead: c}
	switch c {
	case '{':
		n.Kind, n.Flow = Mapping, true
		r.Members(func(key []byte) {
			r.entry(n, Entry{Key: string(key), Start: r.KeyOffset()})
		})
	case '[':
		n.Kind, n.Flow = Sequence, true
		r.Elements(func() { r.entry(n, Entry{Start: r.Offset()}) })
	case '"':
		n.Value = string(r.Text())
	default:
		n.Plain, n.Value = true, string(r.Word())
	}
	n.End = r.Offset()
	return n
}

// entry reads the value of an entry.
func (r jsonReader) entry(n *Node, e Entry) {
	e.Colon, e.Line = r.Offset(), r.line()
	e.Value = r.node()
	n.Entries = append(n.Entries, e)
}
