package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// CheckBounds reports why a text is not for a program that has no bounds of its
// own: as YAML it has too many values, is nested too deeply, or its aliases, or
// those of a text in it, expand to too much. What is no YAML has no such bounds.
func CheckBounds(text []byte, opts Options) error {
	opts = opts.WithDefaults()
	if mayBeTooMany(text, opts.MaxValues) {
		return opts.tooMany()
	}
	return checkExpansion(text, opts, maxEmbedded)
}

// maxEmbedded is how deep texts in texts are looked into.
const maxEmbedded = 3

func checkExpansion(text []byte, opts Options, embedded int) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) || err != nil {
			return nil
		}
		x := &expansion{opts: opts, sizes: map[*yaml.Node]int{}, embedded: embedded}
		if _, err := x.size(&document, 0); err != nil {
			return err
		}
	}
}

var errContainsItself = errors.New("the value of an anchor contains itself")

// open is the size of a node that is being looked at.
const open = -1

// expansion is how large a document is with its aliases expanded.
type expansion struct {
	opts     Options
	sizes    map[*yaml.Node]int
	embedded int
}

func (x *expansion) size(node *yaml.Node, depth int) (int, error) {
	if size, known := x.sizes[node]; known && size == open {
		return 0, errContainsItself
	} else if known {
		return size, nil
	}
	if depth > x.opts.MaxDepth {
		return 0, fmt.Errorf("%w: more than %d levels", ErrTooDeep, x.opts.MaxDepth)
	}
	if node.Kind == yaml.AliasNode {
		return x.size(node.Alias, depth+1)
	}
	x.sizes[node] = open
	total := len(node.Value) + 2
	for _, inner := range node.Content {
		size, err := x.size(inner, depth+1)
		if err != nil {
			return 0, err
		}
		if total += size; total > x.opts.MaxDocumentBytes {
			return 0, fmt.Errorf("its aliases expand to a document that is %w of %d bytes", ErrTooLarge, x.opts.MaxDocumentBytes)
		}
	}
	x.sizes[node] = total
	if value := []byte(node.Value); node.Kind == yaml.ScalarNode && x.embedded > 0 && bytes.IndexByte(value, '&') >= 0 && bytes.IndexByte(value, '*') >= 0 {
		return total, checkExpansion(value, x.opts, x.embedded-1)
	}
	return total, nil
}
