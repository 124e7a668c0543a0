package manifest

import "go.yaml.in/yaml/v3"

// parseJSONTree reads JSON as a YAML reader would, were all of JSON also YAML:
// surrogate pairs and an escaped slash are not for every reader.
func parseJSONTree(raw []byte) *yaml.Node {
	s := scanBytes(raw)
	return (&treeReader{scanner: s, line: s.w.lineNo}).root()
}

// parseLocatedTree reads JSON that was made of a text, with the lines of the
// text on which its keys and items stand, in their order.
func parseLocatedTree(raw []byte, lines []int) *yaml.Node {
	line := func() int {
		if len(lines) == 0 {
			return 0
		}
		first := lines[0]
		lines = lines[1:]
		return first
	}
	return (&treeReader{scanner: scanBytes(raw), line: line}).root()
}

// treeReader makes a tree with the lines of keys and items; other nodes have
// none.
type treeReader struct {
	*scanner
	// line is that of the key or item at hand.
	line func() int
}

func (r *treeReader) root() *yaml.Node {
	node, err := r.node()
	if err != nil {
		return nil
	}
	return node
}

func (r *treeReader) node() (*yaml.Node, error) {
	c, err := r.next()
	if err != nil {
		return nil, err
	}
	node := &yaml.Node{Kind: yaml.ScalarNode}
	switch c {
	case '{':
		node.Kind = yaml.MappingNode
		err = r.members(func(key []byte) error {
			name := &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: string(key), Line: r.line()}
			value, err := r.node()
			node.Content = append(node.Content, name, value)
			return err
		})
	case '[':
		node.Kind = yaml.SequenceNode
		err = r.elements(func() error {
			if _, err := r.next(); err != nil {
				return err
			}
			line := r.line()
			value, err := r.node()
			if err == nil {
				value.Line = line
				node.Content = append(node.Content, value)
			}
			return err
		})
	case '"':
		node.Style = yaml.DoubleQuotedStyle
		node.Value, err = r.value()
	default:
		from := r.w.offset()
		if err = r.passWord(c); err == nil {
			node.Value = string(r.w.slice(from, r.w.offset()))
		}
	}
	return node, err
}
