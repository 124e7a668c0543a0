package story

import (
	"bytes"
	"fmt"
	"reflect"

	yaml "go.yaml.in/yaml/v3"
)

// Print is a story as a document in YAML, with the keys that it has.
func Print(s Story) ([]byte, error) {
	s.APIVersion, s.Kind = APIVersion, Kind
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(nodeOf(reflect.ValueOf(s))); err != nil {
		return nil, fmt.Errorf("encode the story: %w", err)
	}
	return out.Bytes(), encoder.Close()
}

// nodeOf is a value as a node, without what is zero in it. A list of one is that one. An
// expectation that there is nothing is kept.
func nodeOf(v reflect.Value) *yaml.Node {
	switch {
	case v.Type() == bodyType:
		b, _ := v.Interface().(Body)
		if b.Object != nil {
			return encoded(b.Object)
		}
		return encoded(b.Path)
	case v.Kind() == reflect.Pointer:
		return nodeOf(v.Elem())
	case v.Kind() == reflect.Slice:
		if v.Len() == 1 {
			return nodeOf(v.Index(0))
		}
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			n.Content = append(n.Content, nodeOf(v.Index(i)))
		}
		return n
	case v.Kind() == reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, k := range keysOf(v.Type()) {
			f := v.Field(k.index)
			nothing := f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0
			if !nothing {
				n.Content = append(n.Content, encoded(k.Name), nodeOf(f))
			}
		}
		return n
	}
	return encoded(v.Interface())
}

func encoded(v any) *yaml.Node {
	var n yaml.Node
	// What was decoded can be encoded.
	_ = n.Encode(v)
	return &n
}
