package document

import (
	"bytes"
	"encoding/json"
	"math"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

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

// Value gives what a document says, as the API server reads it, with
// floating-point numbers that are whole as integers, so that 1 and 1.0 are the
// same number.
func Value(text []byte, isJSON bool) (any, error) {
	if !isJSON {
		converted, plain := plainyaml.ToJSON(text)
		if !plain {
			var err error
			if converted, err = yaml.YAMLToJSON(text); err != nil {
				return nil, err
			}
		}
		text = converted
	}
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return canonical(value), nil
}

// Normal gives any value the types that Value gives.
func Normal(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return Value(text, true)
}

func canonical(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = canonical(item)
		}
	case []any:
		for i, item := range v {
			v[i] = canonical(item)
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return value
}

// Spaced puts a blank behind every colon and comma of compact JSON, outside of strings.
func Spaced(compact []byte) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/8)
	inString := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		out = append(out, c)
		switch {
		case inString && c == '\\':
			i++
			out = append(out, compact[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}
