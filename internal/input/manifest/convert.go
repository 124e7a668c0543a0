package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"
	k8syaml "sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/document/scan"
)

// anchor and alias are what those of YAML look like, and most text does not.
var (
	anchor = regexp.MustCompile(`(?:^|[\s,\[{])&[0-9A-Za-z_-]`)
	alias  = regexp.MustCompile(`(?:^|[\s,\[{])\*[0-9A-Za-z_-]`)
)

// toJSON converts a YAML document as the API server does. Keys that were in no order
// may stay so. Documents whose aliases expand beyond the limit are refused before
// they are written out.
func toJSON(raw []byte, firstLine int, opts Options) ([]byte, error) {
	asJSON, _, err := converted(raw, firstLine, opts)
	return asJSON, err
}

// converted is toJSON, and whether the document is plain: see Document.Plain.
func converted(raw []byte, firstLine int, opts Options) (asJSON []byte, plain bool, err error) {
	asJSON, plain = plainyaml.ToJSON(raw)
	switch {
	case plain && tooManyJSON(asJSON, opts.MaxValues), !plain && mayBeTooMany(raw, opts.MaxValues):
		return nil, false, opts.tooMany()
	case plain && opts.MaxDepth >= plainyaml.MaxDepth:
		return asJSON, true, nil
	case !plain:
		if hasBoth(raw) && anchor.Match(raw) && alias.Match(raw) {
			if err := checkExpansion(raw, opts, 0); err != nil {
				return nil, false, err
			}
		}
		if asJSON, err = k8syaml.YAMLToJSON(raw); err != nil {
			return nil, false, template(raw, yamlError(err, raw, firstLine))
		}
	}
	s := scan.Bytes(asJSON, opts.MaxDepth)
	s.Skip()
	return asJSON, plain, s.Err()
}

func template(raw []byte, err error) error {
	if !bytes.Contains(raw, []byte("{{")) {
		return err
	}
	return fmt.Errorf("%w (it looks like an unrendered Helm template: render the chart first with helm template)", err)
}

// FromYAML converts YAML that is no manifest, such as a patch, to JSON as the
// API server does. Its errors begin with the line, where that is known, and
// quote nothing of the text.
func FromYAML(text []byte) ([]byte, error) {
	asJSON, err := k8syaml.YAMLToJSON(text)
	if err == nil {
		return asJSON, nil
	}
	err = yamlError(err, text, 1)
	var at *placed
	if errors.As(err, &at) {
		return nil, fmt.Errorf("line %d: %w", at.line, err)
	}
	return nil, err
}

// bytesPerValue bounds the number of values of a document by its largest size:
// real objects have some 30 bytes a value, and the YAML reader takes a hundred
// times the memory of a value that is written in two. A decoded value of JSON
// takes less, but is copied and compared many times.
const bytesPerValue = 20

// mayBeTooMany reports whether a YAML text may have more than most values, as far as its
// lines and commas tell, those of block texts included: what makes a value of each is not
// given such a text.
func mayBeTooMany(raw []byte, most int) bool {
	return len(raw) >= 2*most && 1+bytes.Count(raw, newline)+bytes.Count(raw, []byte(",")) > most
}

// tooManyJSON reports whether a JSON text has more than most values.
func tooManyJSON(raw []byte, most int) bool {
	// A value takes two bytes at least, with what separates it.
	if len(raw) < 2*most {
		return false
	}
	n, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':' || c == '[' || c == '{'):
			n++
		}
	}
	return n > most
}

func (o Options) tooMany() error {
	return fmt.Errorf("the document has %w of %d", ErrTooManyValues, o.MaxValues)
}

func (o Options) tooLarge() error {
	return fmt.Errorf("the document is %w of %d bytes", ErrTooLarge, o.MaxDocumentBytes)
}

// CheckBounds reports why a text is not for a program that has no bounds of its
// own: as YAML it has too many values, is nested too deeply, or its aliases, or
// those of a text in it, expand to too much. What is no YAML has no such bounds.
func CheckBounds(text []byte, opts Options) error {
	opts = opts.WithDefaults()
	if mayBeTooMany(text, opts.MaxValues) {
		return opts.tooMany()
	}
	const embedded = 3
	return checkExpansion(text, opts, embedded)
}

// checkExpansion refuses a text whose aliases expand beyond the limits. Texts in texts are
// looked into so deep.
func checkExpansion(text []byte, opts Options, embedded int) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
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
	size, known := x.sizes[node]
	switch {
	case known && size == open:
		return 0, errContainsItself
	case known:
		return size, nil
	case depth > x.opts.MaxDepth:
		return 0, fmt.Errorf("%w: more than %d levels", ErrTooDeep, x.opts.MaxDepth)
	case node.Kind == yaml.AliasNode:
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
	if value := []byte(node.Value); node.Kind == yaml.ScalarNode && x.embedded > 0 && hasBoth(value) {
		return total, checkExpansion(value, x.opts, x.embedded-1)
	}
	return total, nil
}

// hasBoth reports whether a text may have anchors and aliases.
func hasBoth(text []byte) bool {
	return bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0
}
