package edit

import (
	"bytes"
	"errors"
	"io"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/files/spans"
	"github.com/ssactl/ssactl/internal/input/yamlline"
)

var (
	errSeveral = errors.New("more than one document")
	errNoValue = errors.New("no mapping")
	// errSameField: see distinct.
	errSameField = errors.New("several keys are read as the same field")
)

// yamlNodes reads the nodes of a text of one YAML document whose value is a
// mapping.
func yamlNodes(text []byte) (*node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			err = errNoValue
		}
		return nil, err
	}
	var second yaml.Node
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errSeveral, err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, errNoValue
	}
	b := builder{text: text, lines: spans.NewLines(text)}
	return b.node(document.Content[0], b.bodyEnd(), false), nil
}

// A builder finds the spans of nodes. The parser reports where a node starts;
// where it ends follows from its style and from where the next one starts.
type builder struct {
	text  []byte
	lines spans.Lines
}

// bodyEnd is where a document's end marker starts, or the end of the text.
func (b builder) bodyEnd() int {
	for line := b.lines.Count(); line > 0; line-- {
		text := b.lines.Text(line)
		if bytes.HasPrefix(text, []byte("...")) {
			return b.lines.Start(line)
		}
		if !yamlline.IsBlank(text) {
			break
		}
	}
	return len(b.text)
}

// node finds the span of a node that ends before limit.
func (b builder) node(n *yaml.Node, limit int, inFlow bool) *node {
	out := &node{start: b.lines.Offset(n.Line, n.Column), anchor: n.Anchor}
	content := skipProperties(b.text, out.start)
	if n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 && !at(b.text, out.start, '!') {
		content = out.start
	}
	out.flow = at(b.text, content, '{') || at(b.text, content, '[')
	switch n.Kind {
	case yaml.MappingNode:
		out.kind = mapping
		b.fields(n, out, limit)
	case yaml.SequenceNode:
		out.kind = sequence
		b.items(n, out, content, limit)
	case yaml.AliasNode:
		out.kind = alias
		out.refers = n.Value
		out.end = min(aliasEnd(b.text, out.start), limit)
	default:
		b.scalar(n, out, content, limit, inFlow)
	}
	if out.kind == mapping || out.kind == sequence {
		b.collectionEnd(out, content)
	}
	return out
}

func (b builder) fields(n *yaml.Node, out *node, limit int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		next := limit
		if i+2 < len(n.Content) {
			next = b.lines.Offset(n.Content[i+2].Line, n.Content[i+2].Column)
		}
		e := entry{key: key.Value, start: b.lines.Offset(key.Line, key.Column), merge: key.Tag == "!!merge"}
		keyEnd := b.scalarEnd(key, e.start, next, out.flow)
		e.colon = skipBlanks(b.text, keyEnd)
		e.odd = key.Kind != yaml.ScalarNode || key.Anchor != "" || !at(b.text, e.colon, ':') || b.isExplicit(e.start)
		if e.odd {
			e.colon = keyEnd
		} else {
			e.colon++
		}
		e.value = b.node(value, next, out.flow)
		if e.value.kind == scalar && e.value.start == e.value.end || e.value.start < e.colon {
			e.value.start, e.value.end = e.colon, e.colon
		}
		out.entries = append(out.entries, e)
	}
}

// isExplicit reports whether a "?" stands in front of a key.
func (b builder) isExplicit(key int) bool {
	before := bytes.TrimRight(b.text[:key], " \t\r\n")
	return len(before) > 0 && before[len(before)-1] == '?'
}

func (b builder) items(n *yaml.Node, out *node, content, limit int) {
	starts := make([]int, len(n.Content)+1)
	for i, item := range n.Content {
		starts[i] = b.lines.Offset(item.Line, item.Column)
		if !out.flow {
			starts[i] = b.dash(starts[i], content)
		}
	}
	starts[len(n.Content)] = limit
	for i, item := range n.Content {
		e := entry{start: starts[i], colon: starts[i]}
		if !out.flow {
			e.odd = !at(b.text, e.start, '-')
			e.colon++
		}
		e.value = b.node(item, starts[i+1], out.flow)
		if e.value.start < e.colon {
			e.value.start, e.value.end = e.colon, e.colon
		}
		out.entries = append(out.entries, e)
	}
}

// dash finds the dash of an item that starts at offset: in the column of the
// first one, in that line or the next line above that has one.
func (b builder) dash(offset, first int) int {
	column := first - b.lines.Start(b.lines.Line(first))
	for line := b.lines.Line(offset); line >= b.lines.Line(first); line-- {
		at := b.lines.Start(line) + column
		if at <= offset && yamlline.IsDash(b.lines.Text(line), column) {
			return at
		}
	}
	return offset
}

// collectionEnd finds the closing bracket, or the end of the last entry.
func (b builder) collectionEnd(out *node, content int) {
	end := content
	if out.flow {
		end++
	}
	if len(out.entries) > 0 {
		end = max(out.entries[len(out.entries)-1].value.end, out.entries[len(out.entries)-1].colon)
	}
	if !out.flow {
		out.end = end
		return
	}
	for end < len(b.text) && !at(b.text, end, '}') && !at(b.text, end, ']') {
		if at(b.text, end, '#') {
			end = lineEnd(b.text, end)
			continue
		}
		end++
	}
	out.end = min(end+1, len(b.text))
}
