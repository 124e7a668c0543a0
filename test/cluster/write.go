package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/yaml"
)

// writeManifests writes a document of each object that has a manifest, as a rendered
// chart has them.
func writeManifests(path string, all []made, of func(made) object) error {
	return writeFile(path, func(w io.Writer) error {
		for _, m := range all {
			manifest := of(m)
			if manifest == nil {
				continue
			}
			text, err := yaml.Marshal(manifest)
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

// writeDump writes a List, as kubectl get does. It goes on with the same
// objects in other namespaces until the dump is as large as asked for.
func writeDump(path string, all []made, size int64) error {
	return writeFile(path, func(w io.Writer) error { return dump{&counter{w: w}}.write(all, size) })
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
type dump struct{ to *counter }

func (d dump) write(all []made, size int64) error {
	fmt.Fprint(d.to, "apiVersion: v1\nitems:\n")
	texts := make([][]byte, len(all))
	for i, m := range all {
		if m.live == nil {
			continue
		}
		var err error
		if texts[i], err = yamlItem(m.live); err != nil {
			return err
		}
		if _, err := d.to.Write(texts[i]); err != nil {
			return err
		}
	}
	for round := 1; d.to.n < size && len(all) > 0; round++ {
		for i, m := range all {
			metadata, _ := m.live["metadata"].(object)
			namespace, _ := metadata["namespace"].(string)
			if namespace == "" || d.to.n >= size {
				continue
			}
			if _, err := d.to.Write(moved(texts[i], namespace, fmt.Sprintf("other-%d", round))); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprint(d.to, "kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	return err
}

// moved is the text of an item in another namespace.
func moved(text []byte, from, to string) []byte {
	return bytes.Replace(text, []byte("\n    namespace: "+from+"\n"), []byte("\n    namespace: "+to+"\n"), 1)
}

func yamlItem(o object) ([]byte, error) {
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
