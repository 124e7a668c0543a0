package writeback

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/document"
)

// appendObjects adds new objects to the end of a text: as items where its
// last document is a List that takes them all, else as further document.
func appendObjects(file string, text []byte, objects []map[string]any) ([]byte, error) {
	if len(objects) == 0 {
		return text, nil
	}
	normal := make([]map[string]any, len(objects))
	for i, object := range objects {
		var err error
		if normal[i], err = normalise(object); err != nil {
			return nil, fmt.Errorf("%s: %w", describe(object), err)
		}
	}
	docs := document.Split(text)
	if err := absent(text, docs, normal); err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return beginFile(file, text, normal)
	}
	last := docs[len(docs)-1]
	if value, err := document.Value(last.Of(text), last.JSON); err == nil && takesAll(value, normal) {
		return appendItems(text, docs, normal)
	}
	return appendDocuments(text, docs, normal)
}

// absent makes sure that no document or item is one of the objects: a file with
// two of them would have none that counts.
func absent(text []byte, docs []document.Part, objects []map[string]any) error {
	for _, doc := range docs {
		value, err := document.Value(doc.Of(text), doc.JSON)
		if err != nil {
			continue // it is no object, whatever it is
		}
		there, _ := value.(map[string]any)
		items, _ := there["items"].([]any)
		for _, item := range append(items, value) {
			item, _ := item.(map[string]any)
			for _, object := range objects {
				if identityOf(item) == identityOf(object) {
					return fmt.Errorf("%s: %w", describe(object), ErrExists)
				}
			}
		}
	}
	return nil
}

// takesAll reports whether a document is a List that may hold the objects: kind List takes
// everything, a typed list its own kind at its own API version.
func takesAll(value any, objects []map[string]any) bool {
	list, _ := value.(map[string]any)
	if _, isList := list["items"].([]any); !isList {
		return false
	}
	apiVersion, kind := text(list, "apiVersion"), text(list, "kind")
	if kind == "List" {
		return apiVersion == "v1"
	}
	return !slices.ContainsFunc(objects, func(object map[string]any) bool {
		return kind != text(object, "kind")+"List" || apiVersion != text(object, "apiVersion")
	})
}

func appendItems(text []byte, docs []document.Part, objects []map[string]any) ([]byte, error) {
	last := len(docs) - 1
	l, err := listOf(text, docs[last])
	if err != nil {
		return nil, err
	}
	splices, err := l.append(objects)
	if err != nil {
		return nil, err
	}
	edited := document.Apply(text, splices)
	expected := make([]expectation, len(docs))
	expected[last] = expectation{kind: items, list: l, added: objects}
	return edited, verify(text, docs, edited, expected)
}

func appendDocuments(text []byte, docs []document.Part, objects []map[string]any) ([]byte, error) {
	last := docs[len(docs)-1]
	newline := document.Newline(text)
	out := bytes.NewBuffer(ensureNewline(text, newline))
	for _, object := range objects {
		if last.JSON {
			style := styleOf(text, last.Span)
			style.prefix = "" // of the place of the value above
			encoded, err := style.encode(object)
			if err != nil {
				return nil, err
			}
			out.Write(append(encoded, newline...))
			continue
		}
		encoded, err := encodeYAML(object, newline)
		if err != nil {
			return nil, err
		}
		written := bytes.TrimRight(out.Bytes(), " \t\r\n")
		if !document.IsSeparator(written[bytes.LastIndexByte(written, '\n')+1:]) {
			out.WriteString("---" + newline)
		}
		out.Write(encoded)
	}
	expected := make([]expectation, len(docs), len(docs)+len(objects))
	for _, object := range objects {
		expected = append(expected, expectation{kind: whole, object: object})
	}
	return out.Bytes(), verify(text, docs, out.Bytes(), expected)
}

// beginFile writes the first objects of a file. What stands there already is
// comments and blank lines, which stay.
func beginFile(file string, text []byte, objects []map[string]any) ([]byte, error) {
	newline := document.Newline(text)
	out := bytes.NewBuffer(ensureNewline(text, newline))
	// The name says the format.
	form := strings.ToLower(filepath.Ext(strings.TrimSuffix(file, ".gz")))
	if len(bytes.TrimSpace(text)) > 0 {
		form = ".yaml"
	}
	switch form {
	case ".json":
		encoded, err := kubectlJSON.encode(oneOrList(objects))
		out.Write(append(encoded, '\n'))
		return out.Bytes(), err
	case ".jsonl", ".ndjson":
		for _, object := range objects {
			encoded, err := jsonStyle{}.encode(object)
			if err != nil {
				return nil, err
			}
			out.Write(append(encoded, '\n'))
		}
		return out.Bytes(), nil
	}
	for i, object := range objects {
		encoded, err := encodeYAML(object, newline)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString("---" + newline)
		}
		out.Write(encoded)
	}
	return out.Bytes(), nil
}

// oneOrList is what kubectl prints for several objects in JSON.
func oneOrList(objects []map[string]any) map[string]any {
	if len(objects) == 1 {
		return objects[0]
	}
	items := make([]any, len(objects))
	for i, object := range objects {
		items[i] = object
	}
	return map[string]any{
		"apiVersion": "v1", "items": items, "kind": "List",
		"metadata": map[string]any{"resourceVersion": ""},
	}
}
