package manifest

import "go.yaml.in/yaml/v3"

// parseJSONTree reads JSON as a YAML reader would, were all of JSON also YAML:
// surrogate pairs and an escaped slash are not for every reader.
func parseJSONTree(raw []byte) *yaml.Node {
	s := scanBytes(raw)
	node, err := s.node()
	if err != nil {
		return nil
	}
	return node
}

// node passes a value and gives it with the lines of its parts.
func (s *scanner) node() (*yaml.Node, error) {
	c, err := s.next()
	if err != nil {
		return nil, err
	}
	node := &yaml.Node{Line: s.w.lineNo()}
	switch c {
	case '{':
		node.Kind = yaml.MappingNode
		err = s.members(func(key []byte) error {
			name := &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: string(key), Line: s.w.lineNo()}
			value, err := s.node()
			node.Content = append(node.Content, name, value)
			return err
		})
	case '[':
		node.Kind = yaml.SequenceNode
		err = s.elements(func() error {
			value, err := s.node()
			node.Content = append(node.Content, value)
			return err
		})
	case '"':
		node.Kind, node.Style = yaml.ScalarNode, yaml.DoubleQuotedStyle
		node.Value, err = s.value()
	default:
		node.Kind = yaml.ScalarNode
		from := s.w.offset()
		if err = s.passWord(c); err == nil {
			node.Value = string(s.w.slice(from, s.w.offset()))
		}
	}
	return node, err
}

// elements passes an array, whose bracket is the next byte; element is called
// for each element, which it has to pass.
func (s *scanner) elements(element func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == ']':
			s.leave()
			return nil
		case c == ',' && !first:
			s.w.pos++
		}
		if err := element(); err != nil {
			return err
		}
	}
}
