package redact

import (
	"encoding/json"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// lastApplied is where kubectl keeps a copy of the whole manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// object masks a Secret, or the Secrets in a list; anything else is given
// back as it is.
func (m *masks) object(object map[string]any) map[string]any {
	switch {
	case object == nil:
		return nil
	case isSecret(object):
		return m.secret(object)
	case isList(object):
		items, _ := object["items"].([]any)
		out := shallow(object)
		masked := make([]any, len(items))
		for i, item := range items {
			masked[i] = item
			if o, ok := item.(map[string]any); ok {
				masked[i] = m.item(o, object["kind"] == "SecretList")
			}
		}
		if _, ok := object["items"]; ok {
			out["items"] = masked
		}
		return out
	}
	return object
}

// item masks an item of a list; those of a SecretList need not say their kind.
func (m *masks) item(object map[string]any, secret bool) map[string]any {
	if secret {
		return m.secret(object)
	}
	return m.object(object)
}

// secret masks all of a Secret but what says which one it is, of which type,
// and its metadata: a field that no Secret has, such as a mistyped Data, may
// hold what data was to hold.
func (m *masks) secret(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for _, key := range sortedKeys(object) {
		out[key] = m.top(key, object[key])
	}
	return out
}

// top masks the value of a field of a Secret.
func (m *masks) top(key string, v any) any {
	switch key {
	case "data", "stringData":
		return m.values(v, key == "data")
	case "metadata":
		if metadata, ok := v.(map[string]any); ok {
			return m.metadata(metadata)
		}
	case "apiVersion", "kind", "type":
		if _, ok := v.(string); ok {
			return v
		}
	case "immutable":
		if _, ok := v.(bool); ok {
			return v
		}
	}
	return m.plain(v)
}

// metadata masks the copy of the Secret in the last-applied annotation, and
// values in the managed fields entries.
func (m *masks) metadata(metadata map[string]any) map[string]any {
	if entries, ok := metadata["managedFields"]; ok {
		metadata = shallow(metadata)
		metadata["managedFields"] = entriesWithoutValues(entries)
	}
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		metadata = shallow(metadata)
		metadata["annotations"] = m.annotations(annotations)
	}
	return metadata
}

func (m *masks) annotations(annotations map[string]any) map[string]any {
	v, ok := annotations[lastApplied]
	if !ok {
		return annotations
	}
	annotations = shallow(annotations)
	annotations[lastApplied] = m.annotation(v)
	return annotations
}

// annotation masks the values inside a last-applied annotation; one that is
// no object in JSON is masked whole.
func (m *masks) annotation(v any) any {
	s, ok := v.(string)
	if !ok {
		return m.plain(v)
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(s), &object); err != nil || object == nil {
		return m.of(s)
	}
	masked := m.secret(object)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		masked["metadata"] = appliedMetadata(metadata)
	}
	b, err := json.Marshal(masked)
	if err != nil {
		return m.of(s)
	}
	if strings.HasSuffix(s, "\n") {
		b = append(b, '\n')
	}
	return string(b)
}

// appliedMetadata leaves the names in the metadata of an annotation, and the
// keys of labels and annotations. Their values are no secrets to look for in
// texts, and so have no numbers.
func appliedMetadata(metadata map[string]any) map[string]any {
	out := make(map[string]any, len(metadata))
	for key, v := range metadata {
		switch key {
		case "name", "namespace", "generateName":
			if _, ok := v.(string); ok {
				out[key] = v
				continue
			}
		case "labels", "annotations":
			if values, ok := v.(map[string]any); ok {
				out[key] = withoutValues(values)
				continue
			}
		}
		out[key] = hidden(v)
	}
	return out
}

func withoutValues(values map[string]any) map[string]any {
	out := make(map[string]any, len(values))
	for key, v := range values {
		out[key] = hidden(v)
	}
	return out
}

// field masks the value of a field path of a Secret; other fields stay.
func (m *masks) field(path string, v any) any {
	if v == nil {
		return nil
	}
	switch top, below := managedfields.Top(path); {
	case top == "" && below == "":
		if o, ok := v.(map[string]any); ok {
			return m.secret(o)
		}
		return v
	case below == "":
		return m.top(top, v)
	case top == "data":
		return m.data(v)
	case top == "metadata":
		return m.belowMetadata(below, v)
	case managedfields.ShownOfSecret(path):
		return v
	}
	return m.plain(v)
}

func (m *masks) belowMetadata(path string, v any) any {
	switch {
	case path == ".managedFields":
		return entriesWithoutValues(v)
	case path == ".annotations":
		if annotations, ok := v.(map[string]any); ok {
			return m.annotations(annotations)
		}
	case strings.HasPrefix(path, ".annotations") && strings.Contains(path, lastApplied):
		return m.annotation(v)
	}
	return v
}

// values masks each value of data or stringData under its visible key.
func (m *masks) values(v any, encoded bool) any {
	object, ok := v.(map[string]any)
	if !ok {
		return m.plain(v)
	}
	out := make(map[string]any, len(object))
	for _, k := range sortedKeys(object) {
		if encoded {
			out[k] = m.data(object[k])
		} else {
			out[k] = m.plain(object[k])
		}
	}
	return out
}

func shallow(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
