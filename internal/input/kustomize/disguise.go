package kustomize

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// disguising puts other values in place of those of Secrets into the texts that kustomize reads: manifests,
// patches, and what generators name. Its edits are the same whatever the values are.
type disguising struct {
	other func(string) string
	// sources are how files are read that a kustomization names for Secrets, by their paths.
	sources map[string]func([]byte) []byte
}

func newDisguising(other func(string) string) *disguising {
	return &disguising{other, map[string]func([]byte) []byte{}}
}

// edit is the text of a file with other values in it.
func (d *disguising) edit(path string, text []byte) []byte {
	if source, is := d.sources[path]; is {
		return source(text)
	}
	dir := filepath.Dir(path)
	if isKustomization(path) {
		return documents(text, func(root *yaml.Node) { d.kustomization(root, dir) })
	}
	return documents(text, func(root *yaml.Node) { d.object(root, dir) })
}

// documents edits each document of a text; a text that cannot be read stays.
func documents(text []byte, edit func(root *yaml.Node)) []byte {
	var out bytes.Buffer
	in, encoder := yaml.NewDecoder(bytes.NewReader(text)), yaml.NewEncoder(&out)
	for {
		var document yaml.Node
		switch err := in.Decode(&document); {
		case errors.Is(err, io.EOF):
			return out.Bytes()
		case err != nil:
			return text
		}
		if len(document.Content) > 0 {
			edit(document.Content[0])
		}
		if encoder.Encode(&document) != nil {
			return text
		}
	}
}

// kustomization edits what one says of Secrets, and takes the hashes of contents out of names.
func (d *disguising) kustomization(root *yaml.Node, dir string) {
	if root.Kind != yaml.MappingNode {
		return
	}
	setField(mappingOf(root, "generatorOptions"), "disableNameSuffixHash", "true")
	for _, item := range items(root, "secretGenerator") {
		d.generator(item, dir)
	}
	for _, field := range []string{"patches", "patchesJson6902"} {
		for _, item := range items(root, field) {
			d.patch(item, dir)
		}
	}
	for _, item := range items(root, "patchesStrategicMerge") {
		d.merge(item, dir)
	}
	for _, field := range []string{"generators", "transformers", "resources"} {
		for _, item := range items(root, field) {
			// The configuration itself, in place of the name of its file.
			if strings.Contains(item.Value, "\n") {
				item.Value = string(documents([]byte(item.Value), func(root *yaml.Node) { d.object(root, dir) }))
			}
		}
	}
}

// object edits a Secret, the Secrets in a List, and the configuration of what makes or patches Secrets.
func (d *disguising) object(node *yaml.Node, dir string) {
	node = anchored(node)
	kind := valueOf(node, "kind")
	switch {
	case kind == "Secret":
		d.secret(node)
	case kind == "SecretGenerator":
		d.generator(node, dir)
	case strings.HasSuffix(kind, "Transformer"):
		d.patch(node, dir)
		for _, item := range items(node, "paths") {
			d.merge(item, dir)
		}
		if patches := fieldOf(node, "patches"); patches != nil && patches.Kind == yaml.ScalarNode {
			patches.Value = d.patchText(patches.Value, false)
		}
	case strings.HasSuffix(kind, "List"):
		for _, item := range items(node, "items") {
			d.object(item, dir)
		}
	}
}

// secret edits the values of a Secret.
func (d *disguising) secret(node *yaml.Node) {
	d.values(fieldOf(node, "data"), d.encoded)
	d.values(fieldOf(node, "stringData"), d.other)
	annotations := fieldOf(fieldOf(node, "metadata"), "annotations")
	if hashed := fieldOf(annotations, "kustomize.config.k8s.io/needs-hash"); hashed != nil {
		hashed.Value = "false"
	}
}

// encoded is another value of data, which is base64.
func (d *disguising) encoded(text string) string {
	plain, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return d.other(text)
	}
	return base64.StdEncoding.EncodeToString([]byte(d.other(string(plain))))
}

// values edits the texts in a value.
func (d *disguising) values(node *yaml.Node, other func(string) string) {
	node = anchored(node)
	switch {
	case node == nil:
	case node.Kind == yaml.ScalarNode:
		if changed := other(node.Value); changed != node.Value {
			node.Value = changed
			if node.Tag == "!!bool" || node.Tag == "!!null" {
				node.Tag = "!!str"
			}
		}
	case node.Kind == yaml.MappingNode:
		for i := 1; i < len(node.Content); i += 2 {
			d.values(node.Content[i], other)
		}
	default:
		for _, item := range node.Content {
			d.values(item, other)
		}
	}
}

// generator edits the literals of a generator of Secrets, and notes its files.
func (d *disguising) generator(node *yaml.Node, dir string) {
	for _, literal := range items(node, "literals") {
		if key, value, is := strings.Cut(literal.Value, "="); is {
			literal.Value = key + "=" + d.other(value)
		}
	}
	for _, file := range items(node, "files") {
		name := file.Value
		if _, path, named := strings.Cut(name, "="); named {
			name = path
		}
		d.sources[filepath.Join(dir, name)] = func(text []byte) []byte { return []byte(d.other(string(text))) }
	}
	for _, file := range append(items(node, "envs"), texts(fieldOf(node, "env"), nil)...) {
		d.sources[filepath.Join(dir, file.Value)] = d.environment
	}
}

// environment edits the values in lines of KEY=VALUE.
func (d *disguising) environment(text []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		key, value, is := strings.Cut(line, "=")
		if out.WriteString(key); is {
			out.WriteString("=" + d.other(value))
		}
	}
	return out.Bytes()
}

// patch edits a patch that may be one of a Secret: its text, or its file.
func (d *disguising) patch(node *yaml.Node, dir string) {
	target := fieldOf(node, "target")
	kind := valueOf(target, "kind")
	re, err := regexp.Compile("^(?:" + kind + ")$")
	mayBe := target != nil && (kind == "" || err == nil && re.MatchString("Secret"))
	for _, field := range []string{"patch", "jsonOp"} {
		if text := fieldOf(node, field); text != nil && text.Kind == yaml.ScalarNode {
			text.Value = d.patchText(text.Value, mayBe)
		}
	}
	if path := valueOf(node, "path"); path != "" {
		d.sources[filepath.Join(dir, path)] = func(text []byte) []byte { return []byte(d.patchText(string(text), mayBe)) }
	}
}

// merge edits a strategic merge patch, or notes its file.
func (d *disguising) merge(item *yaml.Node, dir string) {
	if strings.Contains(item.Value, "\n") {
		item.Value = d.patchText(item.Value, false)
		return
	}
	d.sources[filepath.Join(dir, item.Value)] = func(text []byte) []byte {
		return []byte(d.patchText(string(text), false))
	}
}

// patchText edits a patch: of a Secret, the values of its operations, or of the object that is merged. ofSecret:
// the target may be one, whatever the patch says.
func (d *disguising) patchText(text string, ofSecret bool) string {
	return string(documents([]byte(text), func(root *yaml.Node) {
		if root.Kind != yaml.SequenceNode {
			if kind := valueOf(root, "kind"); kind == "Secret" || ofSecret && kind == "" {
				d.secret(root)
			}
			return
		}
		for _, operation := range root.Content {
			path, value := valueOf(operation, "path"), fieldOf(operation, "value")
			switch {
			case !ofSecret || value == nil:
			case path == "":
				d.secret(value)
			case strings.HasPrefix(path, "/stringData"):
				d.values(value, d.other)
			case strings.HasPrefix(path, "/data"):
				d.values(value, d.encoded)
			}
		}
	}))
}

// items are those of a list in a field; none where it is no list.
func items(node *yaml.Node, field string) []*yaml.Node {
	list := fieldOf(node, field)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var out []*yaml.Node
	for _, item := range list.Content {
		out = append(out, anchored(item))
	}
	return out
}

// valueOf is the text of a field; empty where there is none.
func valueOf(node *yaml.Node, field string) string {
	if value := fieldOf(node, field); value != nil && value.Kind == yaml.ScalarNode {
		return value.Value
	}
	return ""
}

// mappingOf is the map in a field, which is added where there is none.
func mappingOf(root *yaml.Node, field string) *yaml.Node {
	if value := fieldOf(root, field); value != nil && value.Kind == yaml.MappingNode {
		return value
	}
	value := &yaml.Node{Kind: yaml.MappingNode}
	root.Content = append(root.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: field}, value)
	return value
}

// setField sets a field of a map to a word.
func setField(node *yaml.Node, field, word string) {
	if value := fieldOf(node, field); value != nil {
		*value = yaml.Node{Kind: yaml.ScalarNode, Value: word}
		return
	}
	node.Content = append(
		node.Content,
		&yaml.Node{Kind: yaml.ScalarNode, Value: field}, &yaml.Node{Kind: yaml.ScalarNode, Value: word},
	)
}
