package policy

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/suggest"
)

// entry is a key of a YAML map with its value.
type entry struct{ key, value *yaml.Node }

// file is a policy file while it is read.
type file struct {
	name string
	errs []error
}

// wrong notes an error at a node.
func (f *file) wrong(at *yaml.Node, format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf("%s:%d: %s", f.name, at.Line, fmt.Sprintf(format, args...)))
}

// entries are those of a map whose keys are among the known ones, each once; of
// another node there are none.
func (f *file) entries(node *yaml.Node, what string, known []string) map[string]entry {
	if node = resolved(node); node.Kind != yaml.MappingNode {
		f.wrong(node, "%s is a map with the keys %s", what, strings.Join(known, ", "))
		return nil
	}
	out := map[string]entry{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		e := entry{node.Content[i], node.Content[i+1]}
		name := e.key.Value
		_, twice := out[name]
		switch {
		case twice:
			f.wrong(e.key, "the key %s is there twice, first at line %d", name, out[name].key.Line)
		case !slices.Contains(known, name):
			// The file may be another one than is thought: nothing of it is repeated.
			f.wrong(e.key, "unknown key of %s: %s", what, meant(name, known))
		default:
			out[name] = e
		}
	}
	return out
}

// meant says which key a mistyped one may be, or which there are.
func meant(name string, known []string) string {
	const far = 3
	best := slices.MinFunc(known, func(a, b string) int { return suggest.Distance(name, a) - suggest.Distance(name, b) })
	if suggest.Distance(name, best) <= far {
		return "did you mean " + best + "?"
	}
	return "there are " + strings.Join(known, ", ")
}

// text is a scalar that is a text.
func (f *file) text(e entry) string {
	node := resolved(e.value)
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		f.wrong(node, "%s is a text", e.key.Value)
		return ""
	}
	return node.Value
}

// items are those of a list; of another node, the node itself.
func items(node *yaml.Node) []*yaml.Node {
	if node = resolved(node); node.Kind == yaml.SequenceNode {
		return node.Content
	}
	return []*yaml.Node{node}
}

// texts are one text, or a list of them that is not empty.
func (f *file) texts(e entry) []string {
	var out []string
	for _, node := range items(e.value) {
		node = resolved(node)
		if node.Kind != yaml.ScalarNode || node.Value == "" || node.Tag == "!!null" {
			f.wrong(node, "%s is a text, or a list of texts", e.key.Value)
			continue
		}
		out = append(out, node.Value)
	}
	if len(items(e.value)) == 0 {
		f.wrong(e.value, "%s is empty: leave it out where everything is meant", e.key.Value)
	}
	return out
}

// resolved is what an alias stands for.
func resolved(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}
