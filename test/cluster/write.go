package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"
)

// writeManifests writes a document of each object that has a manifest, as a rendered
// chart has them.
func writeManifests(path string, all []made, of func(made) object, style func(object) ([]byte, error)) error {
	return writeFile(path, func(w io.Writer) error {
		for _, m := range all {
			manifest := of(m)
			if manifest == nil {
				continue
			}
			text, err := style(manifest)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "---\n%s", text); err != nil {
				return err
			}
		}
		return nil
	})
}

// inBlocks writes an object as kubectl and kustomize do.
func inBlocks(o object) ([]byte, error) { return yaml.Marshal(o) }

// inFlow writes it as people do: the maps of scalars in its lists stand on a line.
func inFlow(o object) ([]byte, error) {
	text, err := yaml.Marshal(o)
	if err != nil {
		return nil, err
	}
	var node yamlv3.Node
	if err := yamlv3.Unmarshal(text, &node); err != nil {
		return nil, err
	}
	flow(&node)
	var out bytes.Buffer
	encoder := yamlv3.NewEncoder(&out)
	encoder.SetIndent(2)
	err = encoder.Encode(&node)
	return out.Bytes(), err
}

func flow(node *yamlv3.Node) {
	for _, child := range node.Content {
		flow(child)
		scalars := !slices.ContainsFunc(child.Content, func(n *yamlv3.Node) bool { return n.Kind != yamlv3.ScalarNode })
		if node.Kind == yamlv3.SequenceNode && child.Kind == yamlv3.MappingNode && scalars {
			child.Style |= yamlv3.FlowStyle
		}
	}
}

// writeDump writes a List, as kubectl get does. It goes on with the same
// objects in other namespaces until the dump is as large as asked for.
func writeDump(path string, all []made, o options) error {
	return writeFile(path, func(w io.Writer) error {
		d := dump{to: &counter{w: w}, items: yamlItems{}}
		if o.format == "json" {
			d.items = jsonItems{}
		}
		return d.write(all, o.dump)
	})
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	err = write(w)
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// dump is a List that is being written.
type dump struct {
	to    *counter
	items itemFormat
}

// itemFormat is how a List is written.
type itemFormat interface {
	head() string
	item(object) ([]byte, error)
	between() string
	// moved is the text of an item in another namespace.
	moved(text []byte, from, to string) []byte
	foot() string
}

func (d dump) write(all []made, size int64) error {
	fmt.Fprint(d.to, d.items.head())
	n := 0
	texts := make([][]byte, len(all))
	for i, m := range all {
		if m.live == nil {
			continue
		}
		var err error
		if texts[i], err = d.items.item(m.live); err != nil {
			return err
		}
		if err := d.add(texts[i], &n); err != nil {
			return err
		}
	}
	for round := 1; d.to.n < size && n > 0; round++ {
		for i, m := range all {
			metadata, _ := m.live["metadata"].(object)
			namespace, _ := metadata["namespace"].(string)
			if namespace == "" || d.to.n >= size {
				continue
			}
			if err := d.add(d.items.moved(texts[i], namespace, fmt.Sprintf("other-%d", round)), &n); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprint(d.to, d.items.foot())
	return err
}

func (d dump) add(text []byte, n *int) error {
	if *n > 0 {
		text = append([]byte(d.items.between()), text...)
	}
	*n++
	_, err := d.to.Write(text)
	return err
}

type yamlItems struct{}

func (yamlItems) head() string { return "apiVersion: v1\nitems:\n" }
func (yamlItems) foot() string { return "kind: List\nmetadata:\n  resourceVersion: \"\"\n" }

func (yamlItems) between() string { return "" }

func (yamlItems) moved(text []byte, from, to string) []byte {
	return bytes.Replace(text, []byte("\n    namespace: "+from+"\n"), []byte("\n    namespace: "+to+"\n"), 1)
}

func (yamlItems) item(o object) ([]byte, error) {
	text, err := json.Marshal(o)
	if err == nil {
		text, err = yaml.JSONToYAML(text)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	indent := "- "
	for line := range bytes.Lines(text) {
		if len(line) > 1 {
			out.WriteString(indent)
		}
		out.Write(line)
		indent = "  "
	}
	return out.Bytes(), nil
}

type jsonItems struct{}

func (jsonItems) head() string { return "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" }
func (jsonItems) foot() string {
	return "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
}

func (jsonItems) between() string { return ",\n" }

func (jsonItems) moved(text []byte, from, to string) []byte {
	return bytes.Replace(text, []byte(`"namespace": "`+from+`"`), []byte(`"namespace": "`+to+`"`), 1)
}

func (jsonItems) item(o object) ([]byte, error) {
	text, err := json.MarshalIndent(o, "        ", "    ")
	return append([]byte("        "), text...), err
}

// counter counts what was written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
