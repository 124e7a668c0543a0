package writeback

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/files/spans"
	"github.com/ssactl/ssactl/internal/input/yamlline"
)

// errFlowItems is the error of a YAML List whose items are in brackets.
var errFlowItems = fmt.Errorf("items in brackets: %w", ErrUnsafe)

// errSharedAnchor is the error of an item that holds an anchor which another
// item refers to.
var errSharedAnchor = fmt.Errorf("an alias elsewhere refers to it: %w", ErrUnsafe)

// A yamlList is a list in block style.
type yamlList struct {
	typeMeta
	text []byte
	// key is the offset of the key "items", value that of its value.
	key, value int
	// column is the number of blanks in front of the dashes.
	column int
	// items enclose whole lines, comments behind the item left out.
	items []span
	nodes []*yamlv3.Node
	// aliases counts the aliases of the document by the node they mean.
	aliases map[*yamlv3.Node]int
}

// newYAMLList finds the items of a YAML document that is a List. It tells
// false for a document that has none, and an error for one whose items cannot
// be told apart.
func newYAMLList(text []byte, doc document) (*yamlList, bool, error) {
	var root yamlv3.Node
	body := doc.text(text)
	if err := yamlv3.Unmarshal(body, &root); err != nil {
		return nil, false, err
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yamlv3.MappingNode {
		return nil, false, nil
	}
	mapping := root.Content[0]
	at := keyIndex(mapping, "items")
	if at < 0 {
		return nil, false, nil
	}
	key, value := mapping.Content[at], mapping.Content[at+1]
	if value.Kind != yamlv3.SequenceNode {
		return nil, false, nil
	}
	lines := spans.NewLines(body)
	l := &yamlList{
		text: text, nodes: value.Content, aliases: aliasesIn(&root), column: max(key.Column-1, 0),
		key:   doc.start + lines.Offset(key.Line, key.Column),
		value: doc.start + lines.Offset(value.Line, value.Column),
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		switch mapping.Content[i].Value {
		case "apiVersion":
			l.apiVersion = mapping.Content[i+1].Value
		case "kind":
			l.kind = mapping.Content[i+1].Value
		}
	}
	if len(value.Content) == 0 {
		return l, true, nil
	}
	if value.Style&yamlv3.FlowStyle != 0 {
		return l, true, errFlowItems
	}
	end := lines.Count() + 1
	if at+2 < len(mapping.Content) {
		end = mapping.Content[at+2].Line
	}
	err := l.find(lines, doc.start, value, end)
	return l, true, err
}

func keyIndex(mapping *yamlv3.Node, name string) int {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return i
		}
	}
	return -1
}

// find encloses the items by their dashes, which all stand in one column. The
// node of an item starts behind its dash, maybe some lines below.
func (l *yamlList) find(lines spans.Lines, offset int, value *yamlv3.Node, end int) error {
	l.column = value.Column - 1
	starts := make([]int, len(value.Content), len(value.Content)+1)
	for i, item := range value.Content {
		line := item.Line
		for line > 0 && !l.isDash(lines.Text(line)) {
			line--
		}
		if line == 0 || i > 0 && line <= starts[i-1] {
			return ErrUnsafe
		}
		starts[i] = line
	}
	starts = append(starts, end)
	for i := range value.Content {
		last := starts[i+1] - 1
		for last > starts[i] && l.isOutside(lines.Text(last)) {
			last--
		}
		l.items = append(l.items, span{offset + lines.Start(starts[i]), offset + lines.Start(last+1)})
	}
	return nil
}

func (l *yamlList) isDash(line []byte) bool {
	return yamlline.IsDash(line, l.column) && len(bytes.TrimLeft(line[:l.column], " ")) == 0
}

// isOutside reports whether a line behind an item is certainly no part of it:
// blank, or a comment that is not indented more than the dash.
func (l *yamlList) isOutside(line []byte) bool {
	content := bytes.TrimSpace(line)
	return len(content) == 0 || content[0] == '#' && len(line)-len(bytes.TrimLeft(line, " ")) <= l.column
}

func (l *yamlList) typed() typeMeta { return l.typeMeta }

func (l *yamlList) count() int { return len(l.items) }

func (l *yamlList) item(i int) []byte { return l.text[l.items[i].start:l.items[i].end] }

// decode reads the lines of an item as a sequence of one.
func (l *yamlList) decode(i int) (any, error) {
	value, err := decode(l.item(i), false)
	if err != nil {
		return nil, err
	}
	sequence, ok := value.([]any)
	if !ok || len(sequence) != 1 {
		return nil, errors.New("not an item of a sequence")
	}
	return sequence[0], nil
}

func (l *yamlList) replace(values map[int]map[string]any) ([]splice, error) {
	var splices []splice
	gone := 0
	for i, value := range values {
		if l.isShared(i) {
			return nil, errSharedAnchor
		}
		s := splice{span: l.items[i]}
		if value == nil {
			gone++
		} else {
			encoded, err := l.encode(value)
			if err != nil {
				return nil, err
			}
			s.text = encoded
			if !bytes.HasSuffix(l.item(i), []byte("\n")) {
				s.text = withoutFinalNewline(encoded, newlineOf(l.text), []any{value})
			}
		}
		splices = append(splices, s)
	}
	if gone > 0 && gone == len(l.items) {
		colon := l.key + bytes.IndexByte(l.text[l.key:], ':') + 1
		splices = append(splices, splice{span{colon, colon}, []byte(" []")})
	}
	return splices, nil
}

// encode writes an item with its dash, indented as the others are.
func (l *yamlList) encode(value map[string]any) ([]byte, error) {
	encoded, err := encodeYAML(value, "\n")
	if err != nil {
		return nil, err
	}
	newline := newlineOf(l.text)
	blanks := strings.Repeat(" ", l.column)
	var out bytes.Buffer
	for i, line := range bytes.SplitAfter(encoded, []byte("\n")) {
		content := bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case i == 0:
			out.WriteString(blanks + "- ")
		case len(content) > 0:
			out.WriteString(blanks + "  ")
		}
		out.Write(content)
		if len(content) < len(line) {
			out.WriteString(newline)
		}
	}
	return out.Bytes(), nil
}

// isShared reports whether an alias outside of an item refers into it.
func (l *yamlList) isShared(i int) bool {
	if len(l.aliases) == 0 {
		return false
	}
	within, shared := aliasesIn(l.nodes[i]), false
	walk(l.nodes[i], func(n *yamlv3.Node) {
		shared = shared || l.aliases[n] > within[n]
	})
	return shared
}

// aliasesIn counts the aliases below a node by the node they mean.
func aliasesIn(n *yamlv3.Node) map[*yamlv3.Node]int {
	aliases := map[*yamlv3.Node]int{}
	walk(n, func(n *yamlv3.Node) {
		if n.Kind == yamlv3.AliasNode {
			aliases[n.Alias]++
		}
	})
	return aliases
}

// walk visits a node and what it holds. It does not follow aliases, so it
// ends.
func walk(n *yamlv3.Node, visit func(*yamlv3.Node)) {
	visit(n)
	for _, child := range n.Content {
		walk(child, visit)
	}
}

func (l *yamlList) append(values []map[string]any) ([]splice, error) {
	newline := newlineOf(l.text)
	var s splice
	if len(l.items) > 0 {
		end := l.items[len(l.items)-1].end
		s.span = span{end, end}
		if !bytes.HasSuffix(l.text[:end], []byte("\n")) {
			s.text = []byte(newline)
		}
	} else {
		brackets := l.text[l.value:]
		end := bytes.IndexByte(brackets, ']') + 1
		if end == 0 || brackets[0] != '[' || len(bytes.TrimSpace(brackets[1:end-1])) > 0 {
			return nil, ErrUnsafe
		}
		end += l.value
		s.span = span{len(bytes.TrimRight(l.text[:l.value], " \t")), min(nextLine(l.text, end), len(l.text))}
		if rest := bytes.TrimSpace(l.text[end:s.end]); len(rest) > 0 {
			return nil, ErrUnsafe
		}
		s.text = []byte(newline)
	}
	for _, value := range values {
		encoded, err := l.encode(value)
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, encoded...)
	}
	return []splice{s}, nil
}
