package policy

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/report"
)

// intro stands at the top of a derived policy.
const intro = `Who may own which field: what holds in %s today.
The last rule that matches a field decides; a field that none matches may be
owned by any manager. Edit it: join rules, and remove who should not own what
they do.`

// maxFlow is how long a list on one line may be.
const maxFlow = 88

// Encode writes a derived policy as YAML, which Parse reads.
func Encode(sections []Section) ([]byte, error) {
	rules := &yaml.Node{Kind: yaml.SequenceNode}
	objects := 0
	for _, s := range sections {
		objects += s.Objects
		for i, r := range s.Rules {
			node := encodeRule(r)
			if i == 0 {
				node.HeadComment = strings.Join(s.Kinds, ", ") + ": " + count(s.Objects)
			}
			rules.Content = append(rules.Content, node)
		}
	}
	if len(rules.Content) == 0 {
		rules.Style = yaml.FlowStyle
	}
	root := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{scalar(Key), rules}}
	document := &yaml.Node{
		Kind:        yaml.DocumentNode,
		HeadComment: fmt.Sprintf(intro, count(objects)),
		Content:     []*yaml.Node{root},
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	err := e.Encode(document)
	return out.Bytes(), err
}

func count(objects int) string {
	if objects == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", objects)
}

// encodeRule has the keys that a rule sets, in the order of the documentation.
func encodeRule(r Rule) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	set := func(key string, value *yaml.Node) { node.Content = append(node.Content, scalar(key), value) }
	if len(r.Kinds) > 0 {
		set("kinds", texts(r.Kinds))
	}
	if len(r.Fields) > 0 {
		var fields []string
		for _, f := range r.Fields {
			fields = append(fields, f.Text)
		}
		set("fields", texts(fields))
	}
	var owners []*yaml.Node
	for _, o := range r.Owners {
		owners = append(owners, encodeOwner(o))
	}
	set("owners", list(owners))
	if r.Severity != report.SeverityError {
		set("severity", scalar(string(r.Severity)))
	}
	return node
}

// encodeOwner is the name of a manager, or a map where there is more to say.
func encodeOwner(o Owner) *yaml.Node {
	if o.Subresource == nil && o.Operation == "" && o.Manager != "" {
		return scalar(o.Manager)
	}
	node := &yaml.Node{
		Kind:    yaml.MappingNode,
		Style:   yaml.FlowStyle,
		Content: []*yaml.Node{scalar("manager"), scalar(o.Manager)},
	}
	if o.Operation != "" {
		node.Content = append(node.Content, scalar("operation"), scalar(o.Operation))
	}
	if o.Subresource != nil {
		node.Content = append(node.Content, scalar("subresource"), scalar(*o.Subresource))
	}
	return node
}

func texts(values []string) *yaml.Node {
	var nodes []*yaml.Node
	for _, v := range values {
		nodes = append(nodes, scalar(v))
	}
	return list(nodes)
}

// list stands on one line where it is short.
func list(nodes []*yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Content: nodes}
	length := 0
	for _, n := range nodes {
		length += len(n.Value) + 2
		for _, c := range n.Content {
			length += len(c.Value) + 2
		}
	}
	if length <= maxFlow {
		out.Style = yaml.FlowStyle
	}
	return out
}

// scalar is a text, quoted where YAML would read something else, and where its writer
// may have to put an escape into it.
func scalar(text string) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	if strings.Contains(text, "##") || strings.Contains(text, "::") ||
		strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}
