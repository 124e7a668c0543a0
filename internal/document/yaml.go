package document

import (
	"bytes"
	"errors"
	"io"

	yaml "go.yaml.in/yaml/v3"
)

var (
	errSeveral = errors.New("more than one document")
	// ErrNoMapping says that a document is empty, or something else than a mapping.
	ErrNoMapping = errors.New("no mapping")
)

// YAML reads the nodes of a text of one YAML document whose value is a mapping.
func YAML(text []byte) (*Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			err = ErrNoMapping
		}
		return nil, err
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errSeveral, err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, ErrNoMapping
	}
	b := yamlBuilder{text: text, lines: NewLines(text), anchored: map[*yaml.Node]*Node{}}
	return b.node(document.Content[0], b.bodyEnd(), false), nil
}

// yamlBuilder finds the spans of nodes. The parser reports where a node starts;
// where it ends follows from its style and from where the next one starts.
type yamlBuilder struct {
	text     []byte
	lines    Lines
	anchored map[*yaml.Node]*Node
}

// bodyEnd is where a document's end marker starts, or the end of the text.
func (b yamlBuilder) bodyEnd() int {
	for line := b.lines.Count(); line > 0; line-- {
		text := b.lines.Text(line)
		if bytes.HasPrefix(text, []byte("...")) {
			return b.lines.Start(line)
		}
		if !IsBlank(text) {
			break
		}
	}
	return len(b.text)
}

// node finds the span of a node that ends before limit.
func (b yamlBuilder) node(n *yaml.Node, limit int, inFlow bool) *Node {
	out := &Node{Start: b.lines.Offset(n.Line, n.Column)}
	if n.Anchor != "" {
		b.anchored[n] = out
	}
	content := skipProperties(b.text, out.Start)
	if n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 && !At(b.text, out.Start, '!') {
		content = out.Start
	}
	out.Flow = At(b.text, content, '{') || At(b.text, content, '[')
	switch n.Kind {
	case yaml.MappingNode:
		out.Kind = Mapping
		b.fields(n, out, limit)
	case yaml.SequenceNode:
		out.Kind = Sequence
		b.items(n, out, content, limit)
	case yaml.AliasNode:
		out.Kind = Alias
		out.Target = b.anchored[n.Alias]
		out.End = min(aliasEnd(b.text, out.Start), limit)
	default:
		out.Value, out.Plain = n.Value, n.Style == 0
		b.scalar(n, out, content, limit, inFlow)
	}
	if out.Kind == Mapping || out.Kind == Sequence {
		b.collectionEnd(out, content)
	}
	return out
}

func (b yamlBuilder) fields(n *yaml.Node, out *Node, limit int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		next := limit
		if i+2 < len(n.Content) {
			next = b.lines.Offset(n.Content[i+2].Line, n.Content[i+2].Column)
		}
		e := Entry{
			Key: key.Value, PlainKey: key.Kind == yaml.ScalarNode && key.Style == 0, Merge: key.Tag == "!!merge",
			Line: key.Line, Start: b.lines.Offset(key.Line, key.Column),
		}
		keyEnd := b.scalarEnd(key, e.Start, next, out.Flow)
		e.Colon = SkipBlanks(b.text, keyEnd)
		if key.Kind != yaml.ScalarNode || key.Anchor != "" {
			e.KeyNode = b.node(key, next, out.Flow)
		}
		e.Odd = e.KeyNode != nil || !At(b.text, e.Colon, ':') || b.isExplicit(e.Start)
		if e.Odd {
			e.Colon = keyEnd
		} else {
			e.Colon++
		}
		e.Value = b.node(value, next, out.Flow)
		if e.Value.Kind == Scalar && e.Value.Start == e.Value.End || e.Value.Start < e.Colon {
			e.Value.Start, e.Value.End = e.Colon, e.Colon
		}
		out.Entries = append(out.Entries, e)
	}
}

// isExplicit reports whether a "?" stands in front of a key.
func (b yamlBuilder) isExplicit(key int) bool {
	before := bytes.TrimRight(b.text[:key], " \t\r\n")
	return len(before) > 0 && before[len(before)-1] == '?'
}

func (b yamlBuilder) items(n *yaml.Node, out *Node, content, limit int) {
	starts := make([]int, len(n.Content)+1)
	for i, item := range n.Content {
		starts[i] = b.lines.Offset(item.Line, item.Column)
		if !out.Flow {
			starts[i] = b.dash(starts[i], content)
		}
	}
	starts[len(n.Content)] = limit
	for i, item := range n.Content {
		e := Entry{Line: item.Line, Start: starts[i], Colon: starts[i]}
		if !out.Flow {
			e.Odd = !At(b.text, e.Start, '-')
			e.Colon++
		}
		e.Value = b.node(item, starts[i+1], out.Flow)
		if e.Value.Start < e.Colon {
			e.Value.Start, e.Value.End = e.Colon, e.Colon
		}
		out.Entries = append(out.Entries, e)
	}
}

// dash finds the dash of an item that starts at offset: in the column of the
// first one, in that line or the next line above that has one.
func (b yamlBuilder) dash(offset, first int) int {
	column := first - b.lines.Start(b.lines.Line(first))
	for line := b.lines.Line(offset); line >= b.lines.Line(first); line-- {
		at := b.lines.Start(line) + column
		if at <= offset && IsDash(b.lines.Text(line), column) {
			return at
		}
	}
	return offset
}

// collectionEnd finds the closing bracket, or the end of the last entry.
func (b yamlBuilder) collectionEnd(out *Node, content int) {
	end := content
	if out.Flow {
		end++
	}
	if len(out.Entries) > 0 {
		end = out.Entries[len(out.Entries)-1].End()
	}
	if !out.Flow {
		out.End = end
		return
	}
	for end < len(b.text) && !At(b.text, end, '}') && !At(b.text, end, ']') {
		if At(b.text, end, '#') {
			end = LineEnd(b.text, end)
			continue
		}
		end++
	}
	out.End = min(end+1, len(b.text))
}
